"""From indices to physical cards: which belong together, which are mere prints on other cards.

May import: read, find, picture.
"""
