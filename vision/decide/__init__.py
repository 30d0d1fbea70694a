"""Decide what to report: each card's face and doubt, taught decks, complete decks, trouble.

May import: backs, join, read, find, picture.
"""
