"""Face-down cards: areas and straight edges, explained as cards of the deck's size.

May import: join, read, find, picture.
"""
