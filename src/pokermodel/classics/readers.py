"""The published programs as readers, which register themselves when they are imported."""

from pokermodel.classics.bpp import reader as bpp
from pokermodel.classics.loki1 import reader as loki1
from pokermodel.classics.loki2 import reader as loki2

__all__ = ["bpp", "loki1", "loki2"]
