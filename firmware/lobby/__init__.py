"""Before the first hand: what has to be known is asked as options, by touch.

`lobby` is the desk that asks, `questions` what is asked about a table, and `tending` how the panel
and the voice follow. It stands before the table and knows nothing of cards.
"""
