"""Who may ask, and how often: API keys, rate limits, bans."""
