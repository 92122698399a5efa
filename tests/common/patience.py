"""How long tests wait for what comes by itself. Only what hangs takes so long, however busy the machine is."""

from __future__ import annotations

#: Seconds.
PATIENCE = 600.0
