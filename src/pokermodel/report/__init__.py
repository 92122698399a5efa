"""Views of tables and hands for terminals, notebooks and programs."""
