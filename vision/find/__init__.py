"""Where things are: indices, faces and backs on the finder's maps, bare ground, outlines.

May import: picture, network.
"""
