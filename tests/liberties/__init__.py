"""Readings of each game: what a player may do at this table besides the usual."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from rules.cards import Card
from rules.state import State
from tests.liberties import banks, poker, rummies, tricks
from tests.liberties.acts import Acts, none_given

Reading = Callable[[State, Sequence[Card], random.Random], Acts]
__all__ = ["READINGS", "none_given"]

READINGS: dict[str, Reading] = {
    "ace-deuce-jack": banks.ace_deuce_jack,
    "anaconda": poker.poker,
    "belote": tricks.belote,
    "big-three": tricks.big_three,
    "chinese-poker": poker.chinese,
    "democracy": tricks.democracy,
    "eleusis": rummies.eleusis,
    "fipsen": tricks.fipsen,
    "guts": poker.guts,
    "mille": rummies.mille,
    "oklahoma-rummy": rummies.oklahoma,
    "open-face-chinese-poker": poker.open_face,
    "pai-gow-poker": banks.pai_gow,
    "paiute": poker.paiute,
    "panguingue": rummies.panguingue,
    "pif-paf": rummies.pif_paf,
    "pineapple": poker.poker,
    "rams": rummies.rams,
    "seven-and-a-half": banks.seven,
    "soko": poker.poker,
    "three-thirteen": rummies.three_thirteen,
    "tribello": tricks.tribello,
    "ziginette": banks.ziginette,
}
