"""What a home game adds to pokermodel; its modules are imported when pokermodel looks for their names."""
