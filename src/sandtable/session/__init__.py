"""Tables where people and bots play: seats, clocks, storage, and what each seat is told."""
