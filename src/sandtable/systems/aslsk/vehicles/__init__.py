"""3.3.2 and 7.0: vehicles that move: MP, Motion, Bog, mechanical reliability, crews and smoke dispensers."""
