"""Direct fire and Overwatch (4.4), by the attack code that needs no place."""
