"""Trick games: winning cards, duties and revokes, auctions, and declared combinations.

May import: what a hand is made of (the modules next to this folder), but no other kind of game.
"""
