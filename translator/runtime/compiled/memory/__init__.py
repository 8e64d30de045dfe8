"""What is remembered between steps: memory used again, slots, output layers of shortlists."""
