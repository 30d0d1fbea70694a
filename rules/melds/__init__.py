"""Rummy games: melds, the best arrangement of a hand, and melds that grow on the table.

May import: what a hand is made of (the modules next to this folder), but no other kind of game.
"""
