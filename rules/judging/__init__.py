"""Games with a secret rule: lines of cards that grow as the rule allows, and who judges them.

May import: what a hand is made of (the modules next to this folder), and `rules.wording`, in which
a rule is stated, but no other kind of game.
"""
