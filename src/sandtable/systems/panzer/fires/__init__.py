"""6.5.1 Indirect fire as far as it needs no place: who observes, which guns answer, and whether they do."""
