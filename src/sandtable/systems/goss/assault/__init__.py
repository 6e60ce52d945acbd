"""13 Ground Assault: strengths and their ratio, column shifts, the bonuses of the combat roll.

What an assault rests on is measured from the position once, as :class:`Fighter` and :class:`Approach`; nothing here
knows a map or a state.
"""
