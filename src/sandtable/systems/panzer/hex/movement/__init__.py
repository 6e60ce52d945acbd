"""Movement (4.5, 6.6): routes, costs, reach, a move leg by leg, columns, transport, overruns, and digging in."""
