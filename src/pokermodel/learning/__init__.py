"""What is known of players: statistics learnt from hands, and the store that keeps them."""
