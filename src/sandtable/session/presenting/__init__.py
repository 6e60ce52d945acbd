"""What a client is told: wire types, questions, entries of the log, previews, maps and rules to look up."""
