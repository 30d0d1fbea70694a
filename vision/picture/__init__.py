"""Pictures and their geometry: photographs, points and polygons, the table's plane.

May import: errors.
"""
