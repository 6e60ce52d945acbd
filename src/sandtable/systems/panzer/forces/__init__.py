"""What a force brings: weapons that are in date, attached ones, passengers that fit (5.1.3, 5.16.1, 6.6.7.1)."""
