"""Our players at the tables of other people's engines, and their players at ours: one package or module a system."""
