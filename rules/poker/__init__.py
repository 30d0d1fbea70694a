"""Poker and hands set in rows: hand values, betting rounds, pots, and the steps of a hand.

May import: what a hand is made of (the modules next to this folder), but no other kind of game.
"""
