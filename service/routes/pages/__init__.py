"""Addresses that answer with pages for people: translating, how the model attends, the API."""
