"""Shapes in the plane: polygons, what of a hex they cover, and the pieces of a drawn picture."""
