"""Text that lies on the device as ids, and batches of a few shapes that are gathered there."""
