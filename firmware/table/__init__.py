"""The real table: where spots lie on it, the camera above it, markers, calibration, decks in use.

May import: settings, texts, errors; vision, hardware and the rules.
"""
