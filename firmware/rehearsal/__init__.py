"""The rehearsal: the whole appliance at a simulated table.

The camera's pictures are drawn; everything after them is real: reader, tracker, loop, rules, and
panel on simulated pins. The dealer is a program that sees lamps and a screen. What was followed is
compared with what was dealt.
"""
