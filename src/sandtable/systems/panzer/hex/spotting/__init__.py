"""Spotting (4.1, 6.1.4): which units see which, hull down and in Full Cover, through dust and in poor light."""
