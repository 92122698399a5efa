"""Inputs that look for trouble by themselves: targets for fuzzers in C and in Python, and the corpus that is kept."""
