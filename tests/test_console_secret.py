"""The console's page for a secret rule: the dealer's alone, and it gives nothing away."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules.secret import PRESETS
from tests.console_desk import Served, settings_for
from tests.console_guests import Room, picture, told

RULE = PRESETS["suits"]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path, settings_for("eleusis", dealer=1)) as one:
        yield one


def test_a_viewer_can_neither_look_nor_try_nor_set(served: Served) -> None:
    async def script(room: Room) -> None:
        viewer = await room.viewer()
        assert (await viewer.get("api/secret"))[0] == 403
        for path in ("secret", "secret/try"):
            assert (await viewer.post(path, {"rule": RULE}))[0] == 403
        assert room.desk.acts() == []

    told(served, script)


def test_a_malformed_rule_is_answered_with_its_word_and_shown_to_nobody(served: Served) -> None:
    async def script(room: Room) -> None:
        dealer, page = await room.dealer(), await (await room.viewer()).live()
        for path in ("secret", "secret/try"):
            status, answer = await dealer.post(path, {"rule": "if last is purple then black"})
            assert status == 400
            assert "'purple' (word 4)" in answer["says"]
        status, answer = await dealer.post("secret/try", {"rule": RULE, "after": "5H XX"})
        assert status == 400
        assert "XX" in answer["says"]
        shown = await picture(page, lambda _: True)
        assert "purple" not in json.dumps(shown)
        assert room.desk.done == []

    told(served, script)


def test_a_rule_is_tried_on_every_card(served: Served) -> None:
    async def script(room: Room) -> None:
        dealer = await room.dealer()
        _, form = await dealer.get("api/secret")
        assert (form["has"], form["wanted"]) == (True, True)
        assert {one["name"]: one["text"] for one in form["presets"]} == PRESETS
        _, found = await dealer.post("secret/try", {"rule": RULE, "after": "5H 6S"})
        assert [card[1] for card in found["right"]] == ["C"] * 13
        assert len(found["wrong"]) == 39

    told(served, script)


def test_once_sealed_nobody_sees_more_than_the_seal(served: Served) -> None:
    async def script(room: Room) -> None:
        dealer, viewer = await room.dealer(), await room.viewer()
        page = await viewer.live()
        assert (await dealer.post("secret", {"rule": RULE.upper()}))[0] == 200
        shown = await picture(page, lambda one: one["count"] == 1)
        assert shown["secret"] is False
        assert shown["acts"][-1]["line"].startswith("declare seal ")
        texts = [json.dumps(shown)]
        paths = (
            "hands",
            "hands/1",
            "record",
            "health",
            "sign",
            "why/1/1",
            "acts/1",
            "setup",
            "secret",
        )
        for path in paths:
            status, answer = await dealer.get(f"api/{path}")
            assert status == 200, path
            texts.append(json.dumps(answer).replace(json.dumps(form_of(answer)), ""))
        for text in texts:
            assert RULE not in text
        status, answer = await dealer.post("secret", {"rule": "two from last"})
        assert (status, answer["refused"]) == (409, "no-secret")

    told(served, script)


def form_of(answer: object) -> object:
    """The presets that the page offers: they are not secret."""
    return answer.get("presets", "-") if isinstance(answer, dict) else "-"


def test_a_game_without_secret_rules_takes_none(tmp_path: Path) -> None:
    async def script(room: Room) -> None:
        dealer = await room.dealer()
        assert (await dealer.get("api/secret"))[1]["has"] is False
        assert (await dealer.post("secret", {"rule": RULE}))[0] == 409

    with Served(tmp_path, settings_for("ziginette")) as one:
        told(one, script)
