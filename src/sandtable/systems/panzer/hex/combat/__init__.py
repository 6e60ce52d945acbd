"""Direct fire and Overwatch (4.4), AP and GP fire (6.5), by the attack code that needs no place."""
