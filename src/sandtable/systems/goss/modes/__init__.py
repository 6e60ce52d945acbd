"""5 Unit modes: Tac, Prepared Assault, the stance of artillery, Combat Reserve, Tactical Assault."""
