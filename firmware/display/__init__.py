"""What is shown and said: prompts, snapshots, the terminal and the voice, all derived from the
state.

May import: table (for where seats are drawn), settings, texts, errors, and the rules.
"""
