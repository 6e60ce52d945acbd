"""3 The Game Turn: calendar, phases and segments in their order."""
