"""What the project is made and measured with: run from a clone, and in no wheel."""
