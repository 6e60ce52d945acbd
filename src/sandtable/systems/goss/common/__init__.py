"""What all chapters share (3.0-3.3): calendar and segments, units and the state, frames, events, context."""
