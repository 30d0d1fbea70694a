"""Following a hand: compares the table as seen with the state, and explains the difference as acts.

May import: display (what it answers), store (where acts are kept), errors; what vision reports,
what the panel reports, and the rules.
"""
