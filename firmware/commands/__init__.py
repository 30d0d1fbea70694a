"""The command line: one function per command, and what they print.

May import everything; nothing imports it.
"""
