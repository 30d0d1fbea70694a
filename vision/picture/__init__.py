"""Pictures and their geometry: photographs, points and polygons, the plane of the table.

May import: errors.
"""
