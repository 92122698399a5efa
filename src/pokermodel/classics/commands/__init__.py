"""Commands of the classic programs."""
