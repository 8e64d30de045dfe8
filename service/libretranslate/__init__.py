"""LibreTranslate's addresses; and the checked request, which the other dialects share."""
