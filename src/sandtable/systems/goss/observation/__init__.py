"""8 Observation and fog of war: who is seen by whom, and what a side is told of the other's stacks."""
