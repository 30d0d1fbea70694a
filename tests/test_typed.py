"""Lines typed in Italian are understood as the same lines in a record's words."""

from __future__ import annotations

import random

import pytest

from firmware.texts import Texts
from firmware.texts.typed import SMALL, VERBS, understood
from rules.acts import Act, Verb
from rules.cards import RANKS, SUITS, Card
from rules.games import GAMES
from tests.play import play_hand, start_for

BETWEEN_TABLES = {Verb.PASS_CARDS, Verb.RESUME}
"""Verbs that nobody types: Anaconda's cards are moved, a lost hand is resumed by a press."""
TERMS = {"hand", "durch", "ruten", "kieker", "rams"}
"""Words that are the same in every language."""
WITH_A_RULE = {Verb.DECLARE: ("seal", "open", "reveal", "guess")}
"""What may be followed by a rule, whose language has words of its own."""


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("2 punta 5 su donna di picche", "2 bet 5 QS"),
        ("Il posto 2 punta 5 sulla Donna di Picche", "2 bet 5 QS"),
        ("posto 3 punta 10 gettoni su 6 di quadri", "3 bet 10 6D"),
        ("limiti da 1 a 20", "limits 1 20"),
        ("dai in tavola asso di fiori", "deal board AC"),
        ("dai al banco 10 di cuori", "deal banker TH"),
        ("dai al posto 3 carta coperta", "deal 3 ??"),
        ("togli dalla tavola QS QD", "take board QS QD"),
        ("si mescola", "shuffle"),
        ("chiuse", "close"),
        ("2 carta", "2 hit"),
        ("2 chiede carta", "2 hit"),
        ("2 sta", "2 stand"),
        ("2 passo", "2 pass"),
        ("2 prende cuori", "2 bid hearts"),
        ("2 dichiaro 3 hand ruten", "2 bid 3 hand ruten"),
        ("2 dice parola", "2 check"),
        ("3 vedo", "3 call"),
        ("4 rilancia a 8", "4 raise 8"),
        ("1 lascia", "1 fold"),
        ("1 pesca dal tallone ??", "1 draw stock ??"),
        ("1 pesca dagli scarti re di quadri", "1 draw discards KD"),
        ("1 cala 5 di cuori, 6 di cuori".replace(",", ""), "1 meld 5H 6H"),
        ("1 annuncia fuori", "1 declare out"),
        ("2 annuncio dentro", "2 declare in"),
        ("giudica sbagliato", "judge wrong"),
        ("tra il posto 1 e il posto 2".replace("tra", "unità") + " 5", "unit 1 2 5"),
        ("2 passo; 3 passo", "2 pass; 3 pass"),
    ],
)
def test_italian_lines_are_understood(typed: str, line: str) -> None:
    assert understood(typed) == line
    for part in line.split(";"):
        Act.parse(part)


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("2 dice belote", "2 belote"),
        ("il posto 3 dice cuori", "3 hearts"),
        ("4 dice terza alla donna di cuori", "4 run-of-three QH"),
        ("1 dentro", "1 in"),
    ],
)
def test_what_is_said_alone_needs_no_verb(typed: str, line: str) -> None:
    assert understood(typed) == line


@pytest.mark.parametrize(
    "line",
    ["2 bet 5 QS", "deal 2 (KD)", "declare seal " + "a" * 64, "2 declare in", "rule 3 stand", ""],
)
def test_a_line_of_a_record_stays_as_it_is(line: str) -> None:
    assert understood(line) == line


def test_a_line_that_begins_with_no_verb_stays_as_it_is() -> None:
    """The refusal quotes what was typed."""
    assert understood("2 saltella cuori") == "2 saltella cuori"


def test_there_is_a_word_for_every_verb() -> None:
    assert set(Texts.load("it").words["typed"]) - {SMALL} == VERBS - set(map(str, BETWEEN_TABLES))


def test_no_word_means_two_things() -> None:
    words = Texts.load("it").words
    for table in (words["typed"], words["typed-words"]):
        typed = [word for thing, said in table.items() if thing != SMALL for word in said.split()]
        assert len(typed) == len(set(typed))
        assert not VERBS & {word for word in typed if word not in ("sta",)}


TYPED = [
    (verb, word)
    for verb, words in Texts.load("it").words["typed"].items()
    for word in words.split()
    if verb != SMALL
]


@pytest.mark.parametrize(("verb", "word"), TYPED)
def test_every_verb_is_understood_by_each_of_its_words(verb: str, word: str) -> None:
    assert understood(f"{word} 5 di cuori") == f"{verb} 5H"
    assert understood(f"il posto 3 {word} 4 in tavola") == f"3 {verb} 4 board"


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("2 annuncia terza alla donna di cuori", "2 declare run-of-three QH"),
        ("2 annuncia quattro uguali", "2 declare four-of-a-kind"),
        ("3 annuncia tre scale", "3 declare three-straights"),
        ("3 annuncia un drago", "3 declare dragon"),
        ("2 dichiara gioco", "2 bid play"),
        ("4 annuncia entrambi", "4 declare both"),
    ],
)
def test_verbs_of_several_words_are_understood(typed: str, line: str) -> None:
    assert understood(typed) == line
    Act.parse(line)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_there_is_a_word_for_everything_that_a_game_lets_people_say(name: str) -> None:
    """What a game offers in words over some hands, except secret rules."""
    game = GAMES[name]()
    states = [
        state
        for seed in range(4)
        for state in play_hand(game, start_for(game), random.Random(seed))
    ]
    said = {
        word
        for state in states
        for one in state.turn
        for words in one.words
        if not {*words[:1]} & {*WITH_A_RULE.get(one.verb, ())}
        for word in words
        if not word.isdecimal()
    }
    assert said <= {*Texts.load("it").words["typed-words"], *TERMS}


@pytest.mark.parametrize("suit", SUITS)
def test_every_card_may_be_named_in_full(suit: str) -> None:
    italian = Texts.load("it")
    for rank in RANKS:
        card = Card(rank, suit)  # type: ignore[arg-type]
        assert understood(f"dai in tavola {italian.card(card)}") == f"deal board {card}"
