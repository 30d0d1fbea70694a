"""What is printed there: indices cut out upright and classified, whole faces made comparable.

May import: find, picture.
"""
