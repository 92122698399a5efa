"""Helpers of every room: array aliases, checks, options, records, words. Nothing here knows of poker."""
