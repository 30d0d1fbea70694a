"""Games with a secret rule: lines of cards that grow by what the rule allows, and who judges them.

May import: what a hand is made of (the modules beside this folder), and `rules.wording`, in which
a rule is told; no other kind of game.
"""
