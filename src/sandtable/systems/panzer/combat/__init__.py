"""Fire that needs no place (4.4): barrels of a card, AP fire from the facts of a shot, smoke that takes effect."""
