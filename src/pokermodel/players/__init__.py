"""Players: how the programs that the models come from choose their actions."""
