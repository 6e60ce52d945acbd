"""The server: HTTP and WebSocket in front of the session layer, and thin."""
