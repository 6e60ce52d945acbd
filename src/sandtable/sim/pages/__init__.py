"""Reports of the lab as pages with pictures."""
