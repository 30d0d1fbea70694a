"""Trick games: how cards beat each other, the duties of a player and what comes to light of those
neglected, the bids before the play, and combinations that are declared.

May import: what a hand is made of (the modules beside this folder); no other kind of game.
"""
