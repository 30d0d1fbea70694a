"""What a person does from a page: correcting, looking back, setting up."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

from tests.console_desk import Served, settings_for
from tests.console_guests import Room, heard, picture, told, until

# Corrections, and past hands.


def test_a_corrected_card_is_marked_as_corrected(dealt: Served) -> None:
    async def script(room: Room) -> None:
        dealer = await room.dealer()
        page = await dealer.live()
        _, card = await dealer.get("api/card?spot=board&place=1")
        assert card["label"] == "Five of diamonds"
        assert card["change"] == {"hand": 1, "number": 2, "was": "deal board 5D"}
        (five,) = card["cards"]
        kin = next(one for one in five["candidates"] if one["card"] == "5C")
        assert kin["line"] == "deal board 5C"
        assert "QS" not in [one["card"] for one in five["candidates"][:6]]
        await heard(page, do="correct", **card["change"], line=kin["line"])
        await picture(page, lambda one: "five of clubs" in str(one["acts"]).lower())
        assert await asyncio.to_thread(room.desk.acts) == [
            "deal board QS", "deal board 5C", "deal banker 7C"
        ]  # fmt: skip
        _, why = await dealer.get("api/why/1/2")
        assert why["was"] == "Five of diamonds to the board"

    told(dealt, script)


def test_a_correction_can_itself_be_corrected(dealt: Served) -> None:
    async def script(room: Room) -> None:
        dealer = await room.dealer()
        page = await dealer.live()
        for wrong, right in (("5D", "5C"), ("5C", "5D")):
            line = f"deal board {right}"
            await heard(page, do="correct", hand=1, number=2, was=f"deal board {wrong}", line=line)
            await until(lambda line=line: room.desk.snapshot().acts[1] == line)  # type: ignore[misc]
        # What the camera sees again stands, however long it looks.
        await asyncio.to_thread(room.desk.ask, lambda felt: felt.look(5.0))
        assert len(await asyncio.to_thread(room.desk.acts)) == 3
        assert room.desk.snapshot().warnings == ()

    told(dealt, script)


def test_a_correction_of_something_that_has_changed_is_refused(dealt: Served) -> None:
    async def script(room: Room) -> None:
        page = await (await room.dealer()).live()
        await heard(page, do="correct", hand=1, number=2, was="deal board 6D", line="deal board 4D")
        seen = await picture(page, lambda one: "Not accepted" in one["sentence"])
        assert "deal board 6D" in seen["sentence"]
        assert "deal board 5D" in await asyncio.to_thread(room.desk.acts)

    told(dealt, script)


def test_the_camera_s_candidates_come_first(dealt: Served) -> None:
    # A queen would match the board, a king would not: the answer makes a difference.
    dealt.desk.ask(lambda felt: felt.lay("board", "QD/KD", seconds=3.0))

    async def script(room: Room) -> None:
        dealer = await room.dealer()
        page = await dealer.live()
        asked = await picture(page, lambda one: bool(one["options"]))
        king = next(option for option in asked["options"] if "king" in option)
        await heard(page, do="choose", option=king)
        await picture(page, lambda one: one["count"] > 3 and not one["options"])
        assert (await asyncio.to_thread(room.desk.acts))[-1] == "deal board KD"
        _, card = await dealer.get("api/card?spot=board&place=2")
        (king,) = card["cards"]
        assert (king["card"], king["candidates"][0]["card"]) == ("KD", "QD")

    told(dealt, script)


def test_each_card_of_an_act_can_be_corrected(dealt: Served) -> None:
    dealt.desk.type("close; deal board QD; take board QS QD")

    async def script(room: Room) -> None:
        dealer = await room.dealer()
        page = await dealer.live()
        await until(lambda: room.desk.snapshot().count == 6)
        _, taken = await dealer.get("api/acts/6")
        assert [one["card"] for one in taken["cards"]] == ["QS", "QD"]
        other = next(o for o in taken["cards"][1]["candidates"] if o["card"] == "QC")
        assert other["line"] == "take board QS QC"
        _, spoken = await dealer.get("api/acts/4")
        assert spoken["cards"] == []
        assert (await dealer.get("api/acts/99"))[0] == 404
        await heard(page, do="press", button="fix", held=True)
        await until(lambda: room.desk.snapshot().count == 3)

    told(dealt, script)


def test_a_missed_card_is_added_as_if_it_had_been_seen(dealt: Served) -> None:
    async def script(room: Room) -> None:
        dealer = await room.dealer()
        _, missing = await dealer.get("api/missing?spot=board")
        assert len(missing["cards"]) == 40
        status, added = await dealer.post("add", {"spot": "board", "card": "KS"})
        assert (status, added["line"]) == (200, "close; deal board KS")
        await until(lambda: room.desk.snapshot().count == 5)
        # One step: undone at once, together with the implied close.
        page = await dealer.live()
        await heard(page, do="press", button="fix", held=True)
        await picture(page, lambda one: one["count"] == 3)

    told(dealt, script)


def test_a_violation_names_its_rule_its_acts_and_its_pictures(dealt: Served) -> None:
    dealt.desk.type("2 bet 5 QS")
    dealt.desk.lay("board", "QD")
    dealt.desk.ask(lambda felt: felt.take("board", "5D", seconds=3.0))

    async def script(room: Room) -> None:
        viewer = await room.viewer()
        page = await viewer.live()
        seen = await picture(page, lambda one: bool(one["warnings"]))
        found = seen["warnings"][0]["found"]
        _, why = await viewer.get(f"api/why/1/{found}")
        (violation,) = why["violations"]
        assert violation["rule"] == "ziginette.live"
        assert violation["text"] == seen["warnings"][0]["text"]
        assert "match" in violation["says"]
        assert why["waited"]
        _, match = await viewer.get(f"api/why/1/{found - 1}")
        (shown,) = match["pictures"]
        assert shown["label"] == "Queen of diamonds"
        async with viewer.session.get(f"{dealt.url}api/crops/{shown['crop']}") as response:
            assert response.content_type == "image/jpeg"
            assert (await response.read())[:2] == b"\xff\xd8"

    told(dealt, script)


def played(served: Served) -> None:
    """Play a whole hand: the queen is matched, then the banker's seven."""
    desk = served.desk
    for line in ("2 bet 5 QS", "3 bet 10 5D"):
        desk.type(line)
    desk.lay("board", "QD")
    desk.take("board", "QS", "QD")
    desk.lay("board", "7H")
    desk.ask(lambda felt: felt.sweep())


def test_a_hand_can_be_replayed_and_kept(dealt: Served) -> None:
    played(dealt)

    async def script(room: Room) -> None:
        viewer = await room.viewer()
        _, hands = await viewer.get("api/hands")
        assert [(one["hand"], one["over"]) for one in hands] == [(1, True)]
        # The queen is matched: seat 2 loses 5. The banker's seven is matched: seat 3 gets 10.
        assert hands[0]["net"] == [[1, -5], [2, -5], [3, 10]]
        _, hand = await viewer.get("api/hands/1")
        lines = [step["line"] for step in hand["steps"][1:]]
        assert lines[:3] == ["deal board QS", "deal board 5D", "deal banker 7C"]
        table = {spot["name"]: len(spot["cards"]) for spot in hand["steps"][2]["spots"]}
        assert table["board"] == 2
        assert len(hand["settled"]) == 2
        status, record = await viewer.get("api/record?hand=1")
        assert status == 200
        from rules.records import parse_record  # noqa: PLC0415

        assert parse_record(record).match.settlements[0].net == {1: -5, 2: -5, 3: 10}

    told(dealt, script)


def test_face_down_cards_are_shown_nowhere(tmp_path: Path) -> None:
    with Served(tmp_path, settings_for("seven-and-a-half")) as served:
        for line in ("2 bet 5", "3 bet 5", "close", "deal 2 (KD)", "deal 3 (4C)", "deal 1 (6H)"):
            served.desk.type(line)
        assert len(served.desk.acts()) >= 5

        async def script(room: Room) -> None:
            dealer = await room.dealer()
            page = await dealer.live()
            texts = [json.dumps(await picture(page, lambda one: one["count"] >= 5))]
            for path in (
                "hands", "hands/1", "record", "health", "sign", "card?spot=2&place=0",
                *(f"why/1/{number}" for number in range(1, 8)),
            ):  # fmt: skip
                status, answer = await dealer.get(f"api/{path}")
                assert status in (200, 404), path
                texts.append(json.dumps(answer))
            everything = " ".join(texts)
            assert "??" in everything
            for secret in ("KD", "4C", "6H", "King of diamonds", "four of clubs", "six of hearts"):
                assert secret not in everything, secret

        told(served, script)


# Set-up.


def test_a_table_is_set_up_again_and_all_faults_are_reported(served: Served) -> None:
    async def script(room: Room) -> None:
        dealer = await room.dealer()
        _, form = await dealer.get("api/setup")
        assert form["now"]["table"]["game"] == "ziginette"
        now = form["now"]
        bad = {**now, "table": {**now["table"], "limits": [5, 1], "seats": [1, 1]}}
        status, answer = await dealer.post("setup", bad)
        assert status == 400
        assert "table.limits" in answer["says"]
        assert "table.seats" in answer["says"]
        good = {
            "language": "it",
            "table": {"game": "seven-and-a-half", "seats": [1, 2, 3, 4], "limits": [2, 8]},
            "house_rules": {"ties": "banker"},
        }
        assert (await dealer.post("setup", good))[0] == 200
        (wanted,) = served.wanted
        assert (wanted.game, wanted.language, wanted.limits) == ("seven-and-a-half", "it", (2, 8))
        _, sign = await dealer.get("api/sign")
        rules = {rule["says"]: rule["value"] for rule in sign["rules"]}
        assert rules["A parità si riprende la posta, o vince il banco."] == "banco"
        assert sign["limits"] == [2, 8]
        _, again = await dealer.get("api/setup")
        assert again["now"]["house_rules"] == {"ties": "banker"}

    told(served, script)


def test_the_deck_in_play_is_chosen_on_the_page(served: Served) -> None:
    async def script(room: Room) -> None:
        dealer = await room.dealer()
        _, form = await dealer.get("api/setup")
        listed = [deck["name"] for deck in form["decks"]]
        assert {"german", "neapolitan", "latin"} <= set(listed)
        assert form["now"]["deck"] == ""
        assert (await dealer.post("setup", {**form["now"], "deck": "neapolitan"}))[0] == 200
        assert served.wanted[-1].deck == "neapolitan"
        status, answer = await dealer.post("setup", {**form["now"], "deck": "klingon"})
        assert (status, len(served.wanted)) == (400, 1)
        assert "klingon" in answer["says"]

    told(served, script)


def test_another_deck_breaks_no_hand_off(dealt: Served) -> None:
    async def script(room: Room) -> None:
        dealer = await room.dealer()
        _, form = await dealer.get("api/setup")
        assert (await dealer.post("setup", {**form["now"], "deck": "german"}))[0] == 200
        assert dealt.wanted[-1].deck == "german"

    told(dealt, script)


def test_a_variant_is_chosen_on_the_page_if_the_game_has_any(served: Served) -> None:
    async def script(room: Room) -> None:
        dealer = await room.dealer()
        _, form = await dealer.get("api/setup")
        listed = {g["name"]: [v["name"] for v in g["variants"]] for g in form["games"]}
        assert listed["pineapple"] == ["crazy", "crazy-hi-lo"]
        assert not listed["soko"]
        table = {"game": "pineapple", "variant": "crazy", "seats": [1, 2], "limits": [2, 4]}
        assert (await dealer.post("setup", {"language": "en", "table": table}))[0] == 200
        (wanted,) = served.wanted
        assert wanted.rules().variant == "crazy"
        _, again = await dealer.get("api/setup")
        assert again["now"]["table"]["variant"] == "crazy"

    told(served, script)


def test_a_hand_in_play_is_abandoned_only_if_confirmed(dealt: Served) -> None:
    async def script(room: Room) -> None:
        dealer = await room.dealer()
        _, form = await dealer.get("api/setup")
        assert (await dealer.post("setup", form["now"]))[0] == 409
        assert dealt.wanted == []
        assert (await dealer.post("setup", {**form["now"], "break_off": True}))[0] == 200
        page = await dealer.live()
        await picture(page, lambda one: one["count"] == 0)

    told(dealt, script)


def test_health_reports_loop_journal_and_board(dealt: Served) -> None:
    async def script(room: Room) -> None:
        viewer = await room.viewer()
        await until(lambda: dealt.console.site.still_s < 1.0)
        _, health = await viewer.get("api/health")
        found = {check["name"]: check for check in health["checks"]}
        assert found["Loop"]["verdict"] == "ok"
        assert found["Journal"]["detail"] == "4 entries, intact"
        assert {"Disk", "Memory", "Temperature"} <= set(found)
        assert re.fullmatch("[0-9a-f]{64}", health["head"])

    told(dealt, script)
