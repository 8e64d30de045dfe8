"""The service's addresses, a file for each resource: a handler reads, asks the library, answers."""
