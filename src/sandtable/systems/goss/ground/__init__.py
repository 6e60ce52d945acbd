"""The map as the rules read it (1.2, 7.10-7.11, 8.1-8.2, 26.0): terrain, roads, watercourses, sight, cover.

``kinds`` are the words of the boards, ``ground`` what every hex and hexside is, ``sight`` the line of sight between two
hexes, ``cover`` what covers a unit from being seen.
"""
