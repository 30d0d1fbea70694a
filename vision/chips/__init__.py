"""Chips on the table: taught with one of each value, then found, valued and counted in a picture.

Imports `vision.picture`, `vision.errors`, `vision.sightings` and `vision.find`: the cards
in sight give the scale and the colour of white. It knows nothing of games and bets.
"""
