"""The console: a page that the device serves to phones, tablets and a screen at the table.

A server in a thread of its own hands out what the loop shows, and what the journal says of the
hands before. It holds no state of the game: what a person does goes to the desk, and the loop
takes it in between two looks.
"""
