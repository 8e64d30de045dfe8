"""Models that are downloaded while the service serves, by a process of their own."""
