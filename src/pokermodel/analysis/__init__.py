"""What is worked out about hands, players and decisions, as data: reports draw it, and anybody else may ask for it."""
