"""Before the first hand: asks for whatever must be known, as options to touch.

`lobby` is the desk that asks, `questions` what is asked about a table, and `tending` drives the
panel and the voice. It knows nothing about cards.
"""
