"""The adaptive reader: a likelihood of acts, a prior fitted to published hands, and a population model on top."""
