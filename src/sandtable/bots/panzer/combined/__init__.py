"""How bots think about the Advanced Game of the Panzer family: combined arms under command control.

Vehicles, men and guns are weighed as in the Basic Game, with GP fire beside AP fire. Orders are shared out within the
commands of each formation. What the Basic Game does not know is tried out with dice of one's own, and judged by what it
leaves of either side.
"""

from __future__ import annotations
