"""The facts of a hand (trumps, contract, pot) are put into words and give nothing away."""

from __future__ import annotations

import pytest

from firmware.texts import Texts
from rules.games import GAMES
from rules.records import parse_record
from tests.every_game import a_hand, some


@pytest.mark.parametrize("name", sorted(GAMES))
@pytest.mark.parametrize("language", ["en", "it"])
def test_facts_are_stated_and_follow_from_what_the_table_shows(name: str, language: str) -> None:
    texts = Texts.load(language, strict=True)
    for state in some(a_hand(name, 0)):
        facts = list(state.game.facts(state.public()))
        assert facts == list(state.game.facts(state))
        said = [texts.say(fact) for fact in facts]
        assert len(set(said)) == len(said)
        assert all(sentence.endswith(".") for sentence in said)


def said(text: str) -> list[str]:
    state = parse_record(text).match.state
    return [Texts.load("en", strict=True).say(fact) for fact in state.game.facts(state)]


def test_the_pot_and_the_bets_in_front_of_seats() -> None:
    record = """
[Game "pineapple"]
[Seats "3"]
[Dealer "1"]
[Limits "2 4"]

deal 2 ?? ?? ??
deal 3 ?? ?? ??
deal 1 ?? ?? ??
ante
1 call
"""
    assert said(record) == [
        "Pot: 5.",
        "Seat 1 has bet 2.",
        "Seat 2 has bet 1.",
        "Seat 3 has bet 2.",
    ]


def test_trumps_and_the_taker() -> None:
    record = """
[Game "belote"]
[Seats "4"]
[Dealer "1"]

deal 2 ?? ?? ??
deal 3 ?? ?? ??
deal 4 ?? ?? ??
deal 1 ?? ?? ??
deal 2 ?? ??
deal 3 ?? ??
deal 4 ?? ??
deal 1 ?? ??
deal board QH
2 pass
3 bid hearts
"""
    assert said(record) == ["Hearts are trumps.", "Seat 3 is the taker."]
