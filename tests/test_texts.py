from __future__ import annotations

import re
import string
import warnings
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random

import pytest

import firmware.texts as texts_module
import rules
from firmware.errors import TextsError
from firmware.texts import DEFAULT, Texts, languages
from firmware.texts.identifiers import fits, identifiers, mentioned
from firmware.texts.words import Words
from rules.acts import Act, Verb
from rules.cards import BACK, JOKER, RANKS, SUITS, Card, Rank, Suit
from rules.games import GAMES, find_game
from rules.phrases import Phrase
from rules.settlement import POT, Payment
from rules.start import Level
from rules.state import State
from rules.violations import Violation
from tests.draws import NIGHTLY
from tests.play import play_hand, start_for

LANGUAGES = languages()
SOURCES = [*Path(rules.__file__).parent.glob("**/*.py")]


@pytest.fixture(params=LANGUAGES)
def texts(request: pytest.FixtureRequest) -> Texts:
    return Texts.load(request.param, strict=True)


def test_both_languages_are_there() -> None:
    assert set(LANGUAGES) >= {"en", "it"}
    with pytest.raises(TextsError, match=r"no texts in the language 'xx'; there are en, it"):
        Texts.load("xx")


def test_every_identifier_has_a_sentence(texts: Texts) -> None:
    missing = [
        wanted
        for wanted in identifiers()
        if not any(fits(known, wanted) for known in texts.sentences)
    ]
    gap = f"{texts.language}: no sentence for {sorted(missing)}"
    if missing and texts.language != DEFAULT and not NIGHTLY:
        warnings.warn(f"{gap}; said in English", stacklevel=1)
    else:
        assert not missing, gap


def test_identifiers_are_found_where_they_are_made() -> None:
    """By a call, by what a function returns, and put together at run time."""
    told = {one for one in identifiers() if one.startswith("rule.deck.")}
    assert told == {"rule.deck.double", "rule.deck.foreign"}
    assert any("*" in one for one in identifiers())


@pytest.mark.parametrize("language", LANGUAGES)
def test_why_has_a_sentence_for_every_rule_that_a_slip_can_break(language: str) -> None:
    written = Words.load(language).rules
    text = "\n".join(path.read_text() for path in SOURCES)
    pattern = r'"((?:eleusis|panguingue|mille|oklahoma|big|three|pif|melds)\.[a-z-]+)"'
    said = {name.removeprefix("rule.") for name in identifiers() if name.startswith("rule.")}
    broken = set(re.findall(pattern, text)) & said
    assert len(broken) >= 15
    assert broken - set(written) == set()


def test_no_sentence_is_unused(texts: Texts) -> None:
    known = set(texts.sentences) - mentioned()
    left = [one for one in known if not any(fits(one, wanted) for wanted in identifiers())]
    assert not left, f"{texts.language}: {sorted(left)}"


def test_the_languages_say_the_same_values() -> None:
    def values(text: str) -> set[str]:
        plain = text.replace("[", "").replace("]", "")
        return {name for _, name, _, _ in string.Formatter().parse(plain) if name}

    english, *others = (Texts.load(language) for language in LANGUAGES)
    for other in others:
        for identifier, text in english.sentences.items():
            assert values(text) == values(other.sentences[identifier]), identifier


def test_what_is_not_translated_yet_is_said_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    read = texts_module._read

    def gapped(language: str) -> tuple[dict[str, str], Mapping[str, Mapping[str, str]]]:
        sentences, words = read(language)
        left = {key: text for key, text in sentences.items() if key != "turn.nothing"}
        return (left if language == "it" else sentences), words

    monkeypatch.setattr(texts_module, "_read", gapped)
    assert Texts.load("it").say(Phrase("turn.nothing")) == "Nothing to do now."
    assert Texts.load("it").say(Phrase("turn.clear")) != Texts.load("en").say(Phrase("turn.clear"))
    with pytest.raises(TextsError, match="has no text"):
        Texts.load("it", strict=True).say(Phrase("turn.nothing"))


def test_all_cards_are_distinguished(texts: Texts) -> None:
    cards = [Card(rank, suit) for rank in RANKS for suit in SUITS]
    cards += [Card(rank, Suit.UNKNOWN) for rank in RANKS]
    cards += [Card(Rank.UNKNOWN, suit) for suit in SUITS]
    cards += [JOKER, BACK]
    assert len({texts.card(card) for card in cards}) == len(cards)


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "QS", "queen of spades"),
        ("it", "QS", "donna di picche"),
        ("en", "TD", "ten of diamonds"),
        ("it", "JC", "fante di fiori"),
        ("it", "AH", "asso di cuori"),
        ("en", "6?", "six"),
        ("en", "?H", "a heart"),
        ("it", "KD", "re di quadri"),
    ],
)
def test_cards_are_named_as_players_name_them(language: str, text: str, expected: str) -> None:
    assert Texts.load(language).card(Card.parse(text)) == expected


def test_seats_pot_and_nobody() -> None:
    english, italian = Texts.load("en"), Texts.load("it")
    assert english.seat(2) == "seat 2"
    assert english.seats((2,)) == "seat 2"
    assert english.seats((2, 3, 5)) == "seats 2, 3 and 5"
    assert italian.seats((1, 4)) == "posti 1 e 4"
    assert english.seat(POT) == "the pot"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("deal 2 ??", "carta coperta al posto 2"),
        ("deal board QS", "donna di picche in tavola"),
        ("take 2.front QS", "donna di picche via dalla fila davanti del posto 2"),
        ("1 draw stock ??", "posto 1 pesca carta coperta dal tallone"),
        ("1 draw discards QS", "posto 1 pesca donna di picche dagli scarti"),
        ("2 pay 3 5", "posto 2 paga al posto 3 5"),
    ],
)
def test_italian_joins_prepositions_with_their_articles(line: str, expected: str) -> None:
    assert Texts.load("it").act(Act.parse(line)) == expected


def test_italian_pays_to_the_seat_and_to_the_pot() -> None:
    italian = Texts.load("it")
    said = [italian.payment(Payment(1, payee, 5, "poker.bet")) for payee in (2, POT)]
    assert [text.split(",")[0] for text in said] == ["Posto 1 al posto 2", "Posto 1 al piatto"]
    texts = [text for text in italian.sentences.values() if "a posto" in text]
    assert not texts


def test_a_number_takes_the_noun_that_fits() -> None:
    english = Texts.load("en")
    one, five = (english.payment(Payment(3, 1, amount, "ziginette.cut")) for amount in (1, 5))
    assert "1 chip " in one
    assert "5 chips " in five


def test_payments_without_amounts_state_the_rate(texts: Texts) -> None:
    text = texts.payment(Payment(1, None, None, "ziginette.paid", Fraction(2), (Card.parse("5D"),)))
    assert texts.words["seat"]["anyone"] in text
    assert "2 " in text


@pytest.mark.parametrize(
    ("reason", "english", "italian"),
    [
        ("rows.compared", "Seat 2 pays seat 4 6 units: the hands compared.",
         "Posto 2 al posto 4, 6 unità: il confronto delle mani."),
        ("ziginette.cut", "Seat 2 pays the house: its cut of what was collected.",
         "Posto 2 alla casa: la parte della casa sull'incasso."),
    ],
)  # fmt: skip
def test_units_are_no_odds_and_the_house_is_no_pot(reason: str, english: str, italian: str) -> None:
    payment = Payment(2, 4, None, reason, Fraction(6))
    assert Texts.load("en").payment(payment) == english
    assert Texts.load("it").payment(payment) == italian


def test_a_secret_rule_is_put_into_a_sentence() -> None:
    told = Phrase.of("eleusis.revealed", rule="if last is red then black else red")
    assert Texts.load("en").say(told) == (
        "The rule was: if the last card is red, the card must be black; otherwise the card must be "
        "red."
    )
    assert Texts.load("it").say(told).startswith("La regola era: se l'ultima carta è rossa, ")
    unread = Phrase.of("eleusis.revealed", rule="whatever I like")
    assert Texts.load("en").say(unread) == "The rule was: whatever I like."
    act = Act.parse("declare reveal quill two from last")
    assert Texts.load("it").act(act) == (
        "la regola è rivelata: la carta dev'essere a due di distanza dall'ultima carta"
    )


def test_a_question_to_a_seat_names_it_first(texts: Texts) -> None:
    asked = {
        name: text
        for name, text in texts.sentences.items()
        if text.endswith("?") and "{seat" in text
    }
    assert asked
    assert not {n: t for n, t in asked.items() if not t.startswith(("{seat", "[{seat"))}


def test_parts_in_brackets_vanish_with_their_values() -> None:
    english = Texts.load("en", strict=True)
    assert english.say(Phrase("rule.out-of-turn")) == "Out of turn."
    seat = english.say(Phrase.of("rule.out-of-turn", seat=3, cards=()))
    assert seat == "Seat 3 is out of turn."


def test_values_are_never_mistaken_for_templates() -> None:
    error = "expected {seat} [as {cards}]"
    assert Texts.load("en", strict=True).say(Phrase.of("typed.refused", error=error)) == (
        f"Not accepted: {error}"
    )


def test_a_gap_is_an_error_in_tests_and_shows_its_identifier_at_the_table() -> None:
    unknown = Phrase.of("no.such-thing", seat=2)
    assert Texts.load("en").say(unknown) == "no.such-thing"
    with pytest.raises(TextsError, match=r"'no\.such-thing' .* has no text"):
        Texts.load("en", strict=True).say(unknown)
    with pytest.raises(TextsError, match="needs a value cards"):
        Texts.load("en", strict=True).say(Phrase("rule.deck.foreign"))


ACT_LINES = (
    "deal board QS", "deal 2 ??", "take board QS QD", "put 2.front 5D", "move 1 2.front QS",
    "2 show QS", "turn board 5D", "burn ??", "2 play QS", "3 discard ??", "1 draw stock",
    "1 draw discard QS", "2 meld QS QD QC", "2 lay 3.melds QS", "2 pass-cards 3 ??", "gather",
    "clear", "shuffle", "cut QS", "cut", "limits 1 20", "2 ante", "2 ante 1", "2 bet 5", "2 bet",
    "2 bet 5 QS", "2 withdraw", "2 withdraw 5 QS",
    "3 check", "3 call", "3 raise 10", "3 fold", "close", "1 hit", "1 stand",
    "1 pass", "1 bid 80 hearts", "1 declare low QS", "judge right", "2 pay 3 5", "end", "join 4",
    "join 4 100", "leave 4", "sit-out 4", "chips 4 50", "new-deck", "banker 2", "dealer 2",
    "unit 1 2 5", "rule 3 stand", "rule 3 correct 2 play QD", "misdeal",
    "resume 3 board QS 2 ??", "pot 35",
)  # fmt: skip
"""An act of each verb and form."""


def test_every_act_can_be_said(texts: Texts) -> None:
    assert {Act.parse(line).verb for line in ACT_LINES} == set(Verb)
    said = [texts.act(Act.parse(line)) for line in ACT_LINES]
    assert len(set(said)) == len(said)
    assert not any("{" in text or "[" in text or "  " in text for text in said)


def test_places_are_named() -> None:
    english = Texts.load("en")
    assert english.act(Act.parse("move 2 3.front-row QS")) == (
        "queen of spades from seat 2 to front row of seat 3"
    )


# Whatever a game yields while it is played can be said.


def said(states: list[State], texts: Texts) -> Iterator[str]:
    """Every sentence of a hand: what is awaited, called, paid and found irregular."""
    for state in states:
        yield from (texts.say(awaited.says) for awaited in state.turn)
        yield from map(texts.say, state.calls)
    yield from map(texts.payment, states[-1].settlement.payments)
    yield from map(texts.violation, states[-1].violations)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_game_can_be_talked_through(name: str) -> None:
    game = GAMES[name]()
    for level in Level:
        for seed in range(3 if NIGHTLY else 1):
            states = play_hand(game, start_for(game, level), Random(seed))
            for language in LANGUAGES:
                sentences = set(said(states, Texts.load(language, strict=True)))
                assert sentences
                assert [one for one in sentences if not one.strip() or "{" in one] == []


def test_a_violation_is_said_with_seat_and_cards() -> None:
    violation = Violation(rule="wrong-card", since=4, found=4, seat=2, cards=(Card.parse("QS"),))
    assert Texts.load("en").violation(violation) == "Wrong card: queen of spades."


@cache
def phases(name: str, variant: str) -> set[str]:
    """The phases of a hand at each level."""
    game = find_game(name, variant=variant)
    hands = (play_hand(game, start_for(game, level), Random(1)) for level in Level)
    return {state.phase for states in hands for state in states} - {""}


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_place_and_phase_has_its_word(name: str, texts: Texts) -> None:
    for variant in ("", *GAMES[name]().variants):
        game = find_game(name, variant=variant)
        roles = {spot.name.rpartition(".")[2] for spot in game.spots(start_for(game))}
        for role in roles:
            known = texts.words["spot"]
            assert role.isdecimal() or role in known or role.rpartition("-")[0] in known, role
        assert phases(name, variant) <= set(texts.words["phase"])


SAID_BY_NAME = frozenset({"hand", "ruten", "durch", "kieker", "rams"})
"""What players say in the game's own language, everywhere."""


@pytest.mark.parametrize("name", sorted(set(GAMES) - {"eleusis"}))
def test_every_word_of_an_act_is_translated(name: str) -> None:
    """Eleusis is left out: its rules are sentences in a language of their own."""
    words = Texts.load("it").words
    for variant in ("", *GAMES[name]().variants):
        game = find_game(name, variant=variant)
        for seed in range(4 if NIGHTLY else 2):
            for state in play_hand(game, start_for(game), Random(seed)):
                for one in state.turn:
                    said = {word for choice in one.words or () for word in choice}
                    own = {word for word in said if f"{one.verb}-{word}" in words["verb"]}
                    left = said - own - set(words["word"]) - SAID_BY_NAME
                    assert not {word for word in left if not word.isdecimal()}, one
