"""The live demonstration keeps to its options, even if another game is chosen on the page."""

from __future__ import annotations

from typing import Any

import pytest

from firmware.commands.cli import main
from firmware.rehearsal import live
from firmware.rehearsal.plan import Plan
from firmware.settings.settings import Settings
from vision.scene.regional import Kind


def of(game: str) -> Settings:
    return Settings.from_mapping({"table": {"game": game}})


@pytest.mark.parametrize("deck", [None, "italian"])
def test_the_named_deck_is_played_with(deck: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[Plan] = []

    def shown(rehearsal: Any, *_: Any) -> list[Any]:
        played.append(rehearsal.plan)
        return []

    monkeypatch.setattr(live, "_shown", shown)
    named = ["--deck", deck] if deck else []
    assert main(["demo", "ziginette", *named, "--handling", "sloppy"]) == 0
    (plan,) = played
    assert plan.deck == (Kind(deck) if deck else None)
    assert plan.handling == "sloppy"


def test_another_game_keeps_the_deck_if_it_has_the_cards() -> None:
    plan = Plan.of(of("ziginette"), seed=7, deck=Kind.ITALIAN, sensor="webcam", handling="brisk")
    again = plan.again(of("seven-and-a-half"))
    assert (again.deck, again.seed, again.handling) == (Kind.ITALIAN, 7, "brisk")
    assert again.sensor == plan.sensor
    assert plan.again(of("guts")).deck is None
