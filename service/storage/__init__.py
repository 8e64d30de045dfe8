"""What is kept between requests: a database, translations, files that are made or fetched."""
