"""What is kept between requests: a database, translations, and files to be fetched."""
