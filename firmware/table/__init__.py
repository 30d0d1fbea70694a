"""The real table: where its spots lie, the camera above it, markers, calibration, decks in use.

May import: settings, texts, files, errors; vision, hardware and the rules.
"""
