"""The console: a page that the device serves to phones, tablets and a screen at the table.

A server in its own thread serves what the loop shows and what the journal says about earlier hands.
It holds no state of the game: what a person does goes to the desk, and the loop handles it between
two looks.
"""
