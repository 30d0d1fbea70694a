"""Poker and hands that are set in rows: what hands are worth, betting rounds, pots, and a hand of
poker as a course of steps.

May import: what a hand is made of (the modules beside this folder); no other kind of game.
"""
