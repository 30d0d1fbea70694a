"""The settings: what is played, who sits where, how the device is reached and what it is made of.

They are kept in one small TOML file. May import: texts, files, errors, and the rules.
"""
