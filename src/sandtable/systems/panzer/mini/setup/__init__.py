"""23.1.3 Set-up: who sets up first and where, and how vehicles are set down, singly or by platoons."""
