"""The games, each a thin file that reads like its rule sheet, and the register of them."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from rules.errors import UnknownGameError
from rules.game import AnyGame
from rules.games.ace_deuce_jack import AceDeuceJack
from rules.games.anaconda import Anaconda
from rules.games.belote import Belote
from rules.games.big_three import BigThree
from rules.games.chinese_poker import ChinesePoker
from rules.games.democracy import Democracy
from rules.games.eleusis import Eleusis
from rules.games.fipsen import Fipsen
from rules.games.guts import Guts
from rules.games.mille import Mille
from rules.games.oklahoma_rummy import OklahomaRummy
from rules.games.open_face_chinese_poker import OpenFaceChinesePoker
from rules.games.pai_gow_poker import PaiGowPoker
from rules.games.paiute import Paiute
from rules.games.panguingue import Panguingue
from rules.games.pif_paf import PifPaf
from rules.games.pineapple import Pineapple
from rules.games.rams import Rams
from rules.games.seven_and_a_half import SevenAndAHalf
from rules.games.soko import Soko
from rules.games.three_thirteen import ThreeThirteen
from rules.games.tribello import Tribello
from rules.games.ziginette import Ziginette

GAMES: dict[str, type[AnyGame]] = {
    game.name: game
    for game in (
        Ziginette,
        SevenAndAHalf,
        Tribello,
        Rams,
        Belote,
        Democracy,
        BigThree,
        Fipsen,
        AceDeuceJack,
        Guts,
        Pineapple,
        Soko,
        ThreeThirteen,
        OklahomaRummy,
        Mille,
        PifPaf,
        Panguingue,
        Eleusis,
        PaiGowPoker,
        Paiute,
        Anaconda,
        ChinesePoker,
        OpenFaceChinesePoker,
    )
}
"""Every game, by the name that commands and records use."""


def called(name: str) -> str:
    """The name that commands and records use for a game, which may have other names.

    >>> called("zecchinetta"), called("zigginette")
    ('ziginette', 'zigginette')
    """
    return next((game.name for game in GAMES.values() if name in game.also), name)


def find_game(name: str, rules: Mapping[str, str] | None = None, variant: str = "") -> AnyGame:
    """The game called `name`, optionally in a variant, with house rules given as text.

    >>> find_game("ziginette", {"cut": "10"}).house_rules()[-1].value
    10
    >>> find_game("pineapple", variant="crazy").variant
    'crazy'
    >>> find_game("zigginette")
    Traceback (most recent call last):
    rules.errors.UnknownGameError: no game 'zigginette'; did you mean ziginette?
    """
    name = called(name)
    if name not in GAMES:
        near = get_close_matches(name, GAMES, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(GAMES)}"
        raise UnknownGameError(f"no game {name!r}; {hint}")
    return GAMES[name].with_rules(rules or {}, variant)
