"""What attacks do to units (3.2.3, 5): the IFT, morale checks, ELR, casualties, random selection, leader creation."""
