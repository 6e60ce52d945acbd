"""What all chapters share: state, context, frames, actions and events, and what happens in more than one room."""
