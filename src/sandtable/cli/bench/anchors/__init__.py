"""What our figures are measured against: other people's code, or the plainest code that does the same."""
