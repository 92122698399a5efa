"""pokermodel reads poker opponents."""
