"""10.0 Basic Adjustment Phase: pivots, turrets, markers, and the end of the turn."""
