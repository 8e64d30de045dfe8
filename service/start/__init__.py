"""What starts the service: checks, models, the Flask application."""
