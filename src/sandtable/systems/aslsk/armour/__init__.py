"""Armour (7.9-7.12): what a hit does to an AFV and its crew, on the To Kill tables, the IFT and by itself later."""
