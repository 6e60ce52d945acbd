"""Fire by units (3.2): who may fire at whom and with whom, firepower, DRM, To Hit numbers, residual fire."""
