"""Over time: what moves, what rests, and what several frames agree on at each spot.

May import: the reader, and every package it is made of.
"""
