"""What to report of a picture: each card's face and its doubt, taught and checked decks, trouble.

May import: backs, join, read, find, picture.
"""
