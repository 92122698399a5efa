"""Worth: what each action of a decision is worth, exactly, by a solution or by play-outs, and the verdict on it."""
