"""Read the print: cut indices out upright and classify them, make whole faces comparable.

May import: find, picture.
"""
