"""Models that go to other systems, and those that come from them."""
