"""Chips on the table: learned from one of each value, found, valued and counted in a picture.

Imports `vision.picture`, `vision.errors` and `vision.sightings`: cards in sight tell how large
things are and what is white. It knows no game and no bet.
"""
