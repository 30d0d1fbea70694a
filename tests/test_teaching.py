"""Decks without an index: taught once, kept in a file, and read from then on."""

from __future__ import annotations

import io
import json
import re
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.commands.cli import main
from firmware.console.picture import Artist
from firmware.errors import UsageError
from firmware.rehearsal.demo import demo
from firmware.settings.settings import Settings
from firmware.table.known_decks import path_of, texts_of
from firmware.table.taught_decks import italian_name, shown_live
from hardware.camera import CallableCamera
from hardware.errors import EndOfPicturesError
from rules.cards import BACK, Card, Deck, parse_cards
from rules.games import find_game
from tests.draws import mostly_nightly
from tests.teaching import table, taught, trials
from vision.decide.latin import FINE, LatinDeck, order_shown
from vision.decide.profiles import Profile, laid_out, learned
from vision.errors import ProfileError
from vision.measure import Score
from vision.picture.geometry import Frame, Polygon
from vision.read.fingerprint import straight
from vision.reader import CardReader
from vision.scene.faces import DrawnDeck, drawn_styles
from vision.scene.items import CardItem, Item, Pose, chip_item, flat_item
from vision.scene.light import Lens, Light, Surface
from vision.scene.portraits import portraits
from vision.scene.regional import Kind, RegionalDeck, forty
from vision.scene.render import Canvas, render
from vision.scene.view import View
from vision.track.tracker import Tracker

ORDER = forty()


@pytest.mark.slow
@pytest.mark.parametrize("kind", Kind)
def test_a_taught_deck_is_read_in_other_lights_and_places(kind: Kind) -> None:
    deck, rng = RegionalDeck(kind, seed=2), np.random.default_rng(3)
    score = sum(trials(deck, taught(deck, rng), rng, 1), Score())
    assert score.cards == 20
    assert score.wrong == 0
    assert score.right >= 19


def test_forty_cards_go_by_their_italian_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MAZZIERE_DECKS", str(tmp_path / "decks"))
    deck, rng = RegionalDeck(), np.random.default_rng(0)
    for number, first in enumerate((0, 20)):
        picture = table(deck, ORDER[first : first + 20], rng, tidy=True)
        cv2.imwrite(str(tmp_path / f"{number}.png"), picture)
    photos = [str(tmp_path / f"{number}.png") for number in range(2)]
    assert main(["teach", "mine", *photos, "--italian", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["cards"]["KD"] == "re di denari"
    assert found["cards"]["QC"] == "cavallo di bastoni"
    assert len(set(found["cards"].values())) == 40
    cv2.imwrite(str(tmp_path / "hand.png"), table(deck, parse_cards("KD 7S JC"), rng, tidy=False))
    assert main(["read", str(tmp_path / "hand.png"), "--deck", "mine", "--json"]) == 0
    assert sorted(json.loads(capsys.readouterr().out)["cards"]) == ["7S", "JC", "KD"]
    assert main(["read", photos[0], "--deck", "yours"]) == 2
    assert re.search("german, .*brescian, latin, mine", capsys.readouterr().err)


@pytest.mark.parametrize("suits", ["DHSC", "SCDH"])
@pytest.mark.parametrize("step", [1, -1], ids=["from the ace", "from the king"])
def test_the_signs_reveal_the_order_in_which_the_suits_of_an_italian_deck_are_shown(
    suits: str, step: int
) -> None:
    deck = RegionalDeck(Kind.BRESCIAN)
    order = [card for suit in suits for card in parse_cards(suit_of(suit))[::step]]
    faces = [straight(*next(portraits(deck, card, 2.0))[1:], FINE) for card in order]
    assert order_shown(LatinDeck.load(), faces, Deck.italian().cards) == tuple(order)


def test_if_no_signs_reveal_the_order_of_the_suits_it_is_the_one_given() -> None:
    deck = RegionalDeck(Kind.CHILDREN)
    faces = [straight(*next(portraits(deck, card, 2.0))[1:], FINE) for card in forty()]
    assert order_shown(LatinDeck.load(), faces, forty()) is None


def suit_of(letter: str) -> str:
    """The ten cards of a suit, from ace to king."""
    return " ".join(f"{rank}{letter}" for rank in "A234567JQK")


@pytest.mark.parametrize("name", ["../evil", "/tmp/evil", "..", "", "deep/evil", ".hidden"])
@pytest.mark.parametrize("chips", [(), ("--chips", "1 5")])
def test_a_name_leads_to_no_other_folder(
    name: str,
    chips: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("MAZZIERE_DECKS", str(tmp_path / "decks"))
    picture = str(tmp_path / "cards.png")
    cv2.imwrite(picture, np.full((60, 80, 3), 90, np.uint8))
    assert main(["teach", name, picture, *chips]) == 2
    assert main(["read", picture, "--deck", name or "/"]) == 2
    assert "expected a name without /" in capsys.readouterr().err.splitlines()[0]
    assert [path.name for path in tmp_path.iterdir()] == ["cards.png"]


def test_the_forty_cards_are_those_that_italian_games_are_played_with() -> None:
    game = find_game("seven-and-a-half")
    wild = Card.parse("KD")
    assert italian_name(wild) == "re di denari"
    assert set(ORDER) == set(Deck.italian().cards)
    assert wild in Deck.italian()
    assert "matta" in " ".join(rule.name for rule in game.house_rules())


def lone(card: str, x: float = 0.0, turn: float = 3.0) -> Frame:
    view = View.above((960, 540), px_per_mm=1.6)
    items = [CardItem(RegionalDeck(), Card.parse(card), Pose(x, 0, turn))] if card else []
    rng = np.random.default_rng(0)
    light = Light(brightness=0.9)
    return np.asarray(render(items, Surface(), view, light, Lens(), rng=rng), np.uint8)


@pytest.mark.slow
def test_cards_are_taught_one_by_one_under_a_camera() -> None:
    cards = parse_cards("6D 7D KS")
    frames = iter([frame for card in cards for frame in (lone(""), *[lone(str(card), turn=5)] * 5)])

    def take() -> Frame:
        try:
            return next(frames)
        except StopIteration:
            raise EndOfPicturesError("no more") from None

    asked: list[str] = []
    words = tuple(map(italian_name, cards))
    profile = shown_live(
        "live", CallableCamera(take), cards, words, lambda word, *_: asked.append(word)
    )
    assert asked == ["sei di denari", "sette di denari", "re di spade"]
    assert profile.cards == cards
    reader = CardReader(known=profile)
    for card in cards:
        assert reader.read(lone(str(card), x=40, turn=190)).cards == (card,)


def test_a_film_that_ends_too_early_teaches_nothing() -> None:
    frames = iter([lone("6D")] * 6)

    def take() -> Frame:
        try:
            return next(frames)
        except StopIteration:
            raise EndOfPicturesError("no more") from None

    with pytest.raises(ProfileError, match="expected 2 cards: the pictures end after 1"):
        shown_live("x", CallableCamera(take), parse_cards("6D 7D"), (), lambda *_: None)


@pytest.mark.slow
def test_other_things_on_the_table_are_not_cards_of_the_deck() -> None:
    deck, rng = RegionalDeck(Kind.CHILDREN), np.random.default_rng(1)
    profile = taught(deck, rng)
    french = DrawnDeck(drawn_styles()[0])
    phone = np.array([(115.0, -70.0), (185.0, -70.0), (185.0, 70.0), (115.0, 70.0)])
    items: list[Item] = [
        CardItem(french, Card.parse("7C"), Pose(-150, 0, 8)),
        CardItem(deck, Card.parse("7C"), Pose(0, 0, 8)),
        flat_item(phone, (20, 20, 20)),
        chip_item(60, 90, (40, 40, 200)),
    ]
    view = View.above((960, 540), px_per_mm=1.6)
    picture = render(items, Surface(), view, Light(), Lens(), rng=rng)
    reading = CardReader(known=profile).read(np.asarray(picture, np.uint8))
    assert reading.cards == parse_cards("7C")
    (sure,) = [seen for seen in reading.sightings if not seen.doubtful]
    assert abs(sure.centre[0] - 480) < 10


@pytest.mark.slow
def test_a_back_shown_after_the_last_card_is_learned_too() -> None:
    cards = parse_cards("AC 2C 3C")
    deck = RegionalDeck()
    picture = table(deck, (*cards, BACK), np.random.default_rng(0), tidy=True)
    profile = learned("backs", [picture], cards)
    assert profile.cards == (*cards, BACK)
    seen = CardReader(known=profile).read(
        table(deck, (BACK, Card.parse("2C"), BACK), np.random.default_rng(4), tidy=False)
    )
    assert sorted(map(str, seen.cards)) == ["2C", "??", "??"]


def test_cards_are_taken_row_by_row() -> None:
    picture = table(RegionalDeck(), ORDER[:14], np.random.default_rng(0), tidy=True)
    middles = [corners.mean(axis=0) for corners in laid_out(picture)]
    assert len(middles) == 14
    assert all(one[0] < other[0] for one, other in pairwise(middles[:7]))
    assert middles[7][1] > middles[6][1] + 100


def test_a_wrong_number_of_cards_is_refused() -> None:
    picture = table(RegionalDeck(), ORDER[:13], np.random.default_rng(0), tidy=True)
    with pytest.raises(ProfileError, match=r"expected 40 cards .* found 13"):
        learned("short", [picture], ORDER)


def test_a_file_holds_a_complete_deck_or_is_refused(tmp_path: Path) -> None:
    deck = RegionalDeck()
    profile = taught(deck, np.random.default_rng(0))
    path = tmp_path / "deep" / "deck.npz"
    profile.save(path)
    again = Profile.load(path)
    assert (again.cards, again.words, again.name) == (profile.cards, profile.words, profile.name)
    assert np.abs(again.prints - profile.prints).max() < 1e-3
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(ProfileError, match=r"deck\.npz"):
        Profile.load(path)
    with pytest.raises(ProfileError, match="no taught deck"):
        Profile.load(tmp_path / "none.npz")
    assert path_of(str(path)) == path


def test_a_table_is_followed_with_a_taught_deck() -> None:
    deck = RegionalDeck()
    profile = taught(deck, np.random.default_rng(0))
    polygons = {
        "left": Polygon.rectangle(250, 120, 200, 300),
        "right": Polygon.rectangle(550, 120, 200, 300),
    }
    tracker = Tracker(CardReader(index_height=17 * 1.6, known=profile), polygons)
    view, time = View.above((960, 540), px_per_mm=1.6), 0.0
    canvas = Canvas(view, Surface(), Light(brightness=0.9), Lens())
    seen: dict[str, list[str]] = {}
    for laid in ("", "KD", "KD 7S"):
        spots = zip(parse_cards(laid), (-82.0, 106.0), strict=False)
        canvas.settle([CardItem(deck, card, Pose(x, 0, 4)) for card, x in spots])
        for _ in range(8):
            time += 0.1
            found = tracker.update(canvas.frame(), time)
        assert not found.busy
        seen = {name: [str(one.card) for one in lying] for name, lying in found.spots.items()}
    assert seen == {"left": ["KD"], "right": ["7S"], "": []}


def test_what_is_said_at_the_table_uses_the_deck_s_own_card_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAZZIERE_DECKS", str(tmp_path))
    deck = RegionalDeck()
    cards = Deck.italian().cards
    corners = np.array([(0, 0), (70, 0), (70, 110), (0, 110)], np.float32)
    pictures = [(card, deck.face(card, 2.0)[:110, :70, :3].copy(), corners) for card in cards]
    words = tuple(map(italian_name, cards))
    Profile.taught("piacentine", pictures, words).save(path_of("piacentine"))
    settings = Settings.from_mapping({"language": "it", "camera": {"deck": "piacentine"}})
    texts = texts_of(settings)
    assert texts.cards(parse_cards("KD QC")) == "re di denari e cavallo di bastoni"
    assert texts.card(Card.parse("Q?")) == "cavallo"
    assert texts.card(Card.parse("9H")) == "nove di cuori", "no card of that deck"
    picture = Artist.of(settings)
    assert picture.texts.card(Card.parse("7S")) == "sette di spade"


@pytest.mark.parametrize("seed", mostly_nightly(range(1, 8)))
def test_a_hand_is_followed_with_a_deck_without_indices(seed: int) -> None:
    out = io.StringIO()
    settings = Settings.from_mapping(
        {"language": "it", "table": {"game": "ziginette", "level": "none"}}
    )
    assert demo(settings, hands=1, seed=seed, headless=True, deck=Kind.ITALIAN, out=out) == 0
    assert "wrong commits 0; followed = dealt: yes" in out.getvalue()


def test_a_deck_of_forty_is_refused_if_the_game_needs_more() -> None:
    settings = Settings.from_mapping({"table": {"game": "guts"}})
    with pytest.raises(UsageError, match="needs cards that a deck of forty does not have"):
        demo(settings, hands=1, headless=True, deck=Kind.ITALIAN)


def test_settings_name_the_deck() -> None:
    settings = Settings.from_mapping({"camera": {"deck": "mine"}})
    assert settings.deck == "mine"
    assert settings.camera == "pi"
