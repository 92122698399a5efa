"""A statistic: entry point ``pokermodel.statistics``."""

from pokermodel.learning.definitions import Statistic, register

register(
    Statistic(
        "open_limp",
        "Limp",
        "called first in / could have",
        opportunity="unopened and to_call",
        success="calls",
        streets=(0,),
        definition="Nobody has called or raised before the flop, and there is something to call.",
        made="They call.",
    )
)
