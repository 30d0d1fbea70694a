"""What must survive a pulled plug: the journal, the match kept in step with it, and secrets.

May import: settings, texts, notify, files, errors, and the rules.
"""
