"""Chips on the table: learned from one of each value, found, valued and counted in a picture.

Imports `vision.picture` and `vision.errors`; it knows chips, but no card, no game and no bet.
"""
