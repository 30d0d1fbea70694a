"""Games against a bank: limits, stakes on hands and on cards, cards that are matched or drawn.

May import: what a hand is made of (the modules next to this folder), but no other kind of game.
"""
