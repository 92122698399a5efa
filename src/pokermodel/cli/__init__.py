"""The command ``pokermodel``."""

from pokermodel.cli.main import main

__all__ = ["main"]
