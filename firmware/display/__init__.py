"""What is shown and spoken: prompts, snapshots, terminal and voice, all derived from the state.

May import: table (for where seats are drawn), settings, texts, errors, and the rules.
"""
