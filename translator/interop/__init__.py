"""Models of other systems: exits and entrances."""
