"""How gunicorn turns connections into calls of the application: nothing of translation."""
