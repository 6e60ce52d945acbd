"""What all chapters share (3.0-3.3): the calendar and the order of segments."""
