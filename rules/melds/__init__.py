"""Rummy games: what makes a meld, the best arrangement of a hand, melds that are laid on the table
and grow there, and turns of games in which a drawn card lies open.

May import: what a hand is made of (the modules beside this folder); no other kind of game.
"""
