"""The readers of texts of sites: every format of `registry.SITES`.

It is imported for a file that is in none of the package's own formats.
"""

from __future__ import annotations

from pokermodel.histories import (
    absolute,
    betonline,
    boss,
    bovada,
    cake,
    coinpoker,
    entraction,
    everest,
    everleaf,
    fulltilt,
    ggpoker,
    ipoker,
    kingsclub,
    mavens,
    merge,
    microgaming,
    ongame,
    pacific,
    partypoker,
    pkr,
    pokerstars,
    pokertracker,
    unibet,
    weplay,
    winamax,
    winning,
)
from pokermodel.histories.blocks import TextFormat, TextFormats

SITE_FORMATS: dict[str, TextFormat] = {
    "pokerstars": pokerstars.FORMAT,
    "bovada": bovada.FORMAT,
    "fulltilt": fulltilt.FORMAT,
    "partypoker": partypoker.FORMAT,
    "absolute": absolute.FORMAT,
    "cake": cake.FORMAT,
    "entraction": entraction.FORMAT,
    "everest": everest.FORMAT,
    **pokerstars.ALIKE,
    "ipoker": ipoker.FORMAT,
    "boss": boss.FORMAT,
    "microgaming": microgaming.FORMAT,
    "merge": merge.FORMAT,
    "ongame": ongame.FORMAT,
    "ggpoker": ggpoker.FORMAT,
    "winamax": winamax.FORMAT,
    "888": pacific.FORMAT,
    "winning": winning.FORMAT,
    "betonline": betonline.FORMAT,
    "pkr": pkr.FORMAT,
    "everleaf": everleaf.FORMAT,
    "coinpoker": coinpoker.FORMAT,
    "weplay": weplay.FORMAT,
    "unibet": unibet.FORMAT,
    "kingsclub": kingsclub.FORMAT,
    "mavens": mavens.FORMAT,
    "pokertracker": pokertracker.FORMAT,
}
SITE_TEXT = TextFormats(SITE_FORMATS)
