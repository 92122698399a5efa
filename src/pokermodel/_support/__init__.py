"""What every room may use: array aliases, checks, options, records, words. Nothing here knows of poker."""
