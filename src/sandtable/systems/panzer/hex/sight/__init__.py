"""Lines of sight on a hex map (4.1.4): the survey of a map, what stands in the way, Blind Zones, smoke."""
