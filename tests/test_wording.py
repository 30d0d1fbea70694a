"""The language of secret rules: published rules expressed in it, in our words, and read back."""

from __future__ import annotations

import random

import pytest

from rules.cards import RANKS, SUITS, Card, parse_cards
from rules.errors import SecretError
from rules.secret import PRESETS
from rules.wording import Secret
from rules.wording.saying import sentence

DOCUMENT = "the rule document"
GARDNER = "Gardner's columns on Eleusis, 1959 and 1977"
ABBOTT = "Abbott's game, as Gardner and Wikipedia tell its rules"
GOLDEN = "Golden's Eleusis Express"
OTHERS = "examples of other pages on the game"

PUBLISHED = [
    (DOCUMENT, "If the last card played was red, play a black card, and vice-versa.",
     "5H", "AC KS", "AD KH"),
    (DOCUMENT, "Each card played must have a value of two less or two more than the last card "
     "played.", "5H", "3S 7H", "5C 4D 6H KS"),
    (DOCUMENT, "Two consecutive cards of the same color must be played, then three consecutive "
     "cards of the other color, and so on.", "5H 6D 7S 8C", "9S", "9H"),
    (DOCUMENT, "The cards must cycle through the suits in the order ♠♣♦♥.", "5S 5C 5D", "AH", "AC"),
    (GARDNER, "a color different from the color of the last card", "5H", "2S", "2D"),
    (GARDNER, "if the last card is prime then not prime else prime", "5H", "4C 9S", "7S 2D"),
    (GARDNER, "alternate odd and even", "5H", "6C QD", "7C KD"),
    (GARDNER, "if last divided by 4 leaves 1 then spades else if last divided by 4 leaves 2 then "
     "hearts else if last divided by 4 leaves 3 then diamonds else clubs", "5H", "2S", "2H 2D 2C"),
    (GARDNER, "the same suit or the same value as the last card", "5H", "KH 5S", "KS"),
    (GARDNER, "if the last two cards are the same color then from ace to seven else from eight to "
     "king", "5H 6D", "AS 7C", "8S KD"),
    (GARDNER, "the sum of the last card and the card is even", "5H", "3S KD", "4S QD"),
    (ABBOTT, "If the last card was odd, play a black card; otherwise play a red card", "5H", "2S",
     "2D"),
    (ABBOTT, "If the last card is black, play higher or equal; otherwise play lower or equal",
     "5S", "5D 9H", "4D"),
    (ABBOTT, "higher than last, or last is a face card and the card is a number card", "KS",
     "2C TD", "QS"),
    (ABBOTT, "at least 4 from last", "7C", "3D JD", "4D TH"),
    (ABBOTT, "if the last card is higher than the second last then lower than last else higher "
     "than last", "5H 7D", "6C", "8C"),
    (ABBOTT, "(red and even) or (black and odd)", "5H", "6D 7S", "7D 6S"),
    (GOLDEN, "a different color", "5H", "2C", "2D"),
    (GOLDEN, "a different suit than the last card", "5H", "2C 2D", "2H"),
    (GOLDEN, "one higher than last", "5H", "6C", "4C 7C"),
    (GOLDEN, "one higher or one lower than the last card", "5H", "6C 4D", "5C 7C"),
    (GOLDEN, "if last is a spade, play a heart; if last is a heart, play a diamond; if last is a "
     "diamond, play a club; else a spade", "5H", "2D", "2S 2H 2C"),
    (GOLDEN, "1, 2 or 3 higher than last around", "QS", "KD AH 2C", "3C JC"),
    (GOLDEN, "if last is even then diamonds or spades else hearts or clubs", "6H", "2S KD",
     "2H KC"),
    (GOLDEN, "if last is between ace and 7, play between 8 and king; otherwise play between ace "
     "and 7", "5H", "8C KD", "7C AD"),
    (GOLDEN, "alternate red and black", "5H", "2C", "2D"),
    (OTHERS, "within three of last and not the same value as last", "7C", "4D TH", "7S 3D JD"),
    (OTHERS, "if last is even and red, play a heart; if last is even and black, play a diamond; if "
     "last is odd and red, play a spade; else a club", "6S", "2D", "2H 2S 2C"),
    (OTHERS, "if last is a diamond, play a different suit; if last is a club, play red; if last is "
     "a spade, play black; else the same rank as last",
     "5H", "5C", "6H 6S"),
    (OTHERS, "higher than last and a different color", "5H", "6S", "6D 4S"),
    (OTHERS, "prime", "5H", "2C 3D JS", "AC 4D 9S"),
    (OTHERS, "a multiple of 3", "5H", "3C QS", "4C KS"),
    (OTHERS, "difference between card and last is at most 3", "7C", "4D TH", "3D JD"),
    (OTHERS, "card plus last is above 10", "5H", "6C KS", "5C AD"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "rule", "line", "right", "wrong"), PUBLISHED)
def test_published_rules_can_be_expressed(
    source: str, rule: str, line: str, right: str, wrong: str
) -> None:
    secret, before = Secret.parse(rule), parse_cards(line)
    assert [card for card in parse_cards(right) if not secret.allows(before, card)] == [], source
    assert [card for card in parse_cards(wrong) if secret.allows(before, card)] == [], source


def test_thirty_published_rules_are_in_the_table() -> None:
    assert len({rule for source, rule, *_ in PUBLISHED if source != DOCUMENT}) >= 30


@pytest.mark.parametrize(
    ("rule", "means"),
    [
        ("one or two from last", "one or two from last"),
        ("if last is ace or king then red", "if last is ace or last is king then red"),
        ("higher", "above last"),
        ("higher than last", "above last"),
        ("10 or higher", "at-least ten"),
        ("face card", "court"),
        ("different suit", "other suit than last"),
        ("sum of the last two is even", "sum of last and second-last is even"),
        ("remainder of last by 3 is 0", "remainder of last by three is equal zero"),
        ("(red or even) and not (king or ace)",
         "begin red or even end and not begin king or ace end"),
        ("same color as the last two", "same color as last and same color as second-last"),
        ("Se l'ultima è rossa, gioca nera, altrimenti rossa", PRESETS["alternating"]),
        ("due distante da ultima", "two from last"),
        ("più alta dell'ultima o dello stesso seme dell'ultima",
         "above last or same suit as last"),
        ("la somma delle ultime due è pari", "sum of last and second-last is even"),
        ("se la penultima è una figura, gioca fiori o picche, altrimenti quadri o cuori",
         "if second-last is court then clubs or spades else diamonds or hearts"),
        ("ciclo picche fiori quadri cuori", PRESETS["suits"]),
        ("serie due tre per colore", PRESETS["twos-and-threes"]),
        ("7 o più", "at-least seven"),
        ("tra 4 e 9", "at-least four and at-most nine"),
        ("l'ultima diviso per quattro dà resto uno", "remainder of last by four is equal one"),
        ("colore diverso dall'ultima", "other color than last"),
    ],
)  # fmt: skip
def test_what_people_write_is_read_as_they_mean_it(rule: str, means: str) -> None:
    assert Secret.parse(rule).text == means


@pytest.mark.parametrize(
    "rule",
    [
        "one or two from last red",
        "fourteen from last",
        "red unless last is red",
        "if last is red then black or",
        "the sum of last is even",
        "last is same color",
        "higher than",
        "between four",
        "last divided by zero leaves one",
        "if black and vice versa",
        "two three from last",
        "pattern red",
        "red, black",
    ],
)
def test_nothing_is_silently_read_as_something_else(rule: str) -> None:
    with pytest.raises(SecretError):
        Secret.parse(rule)


@pytest.mark.parametrize("rule", [rule for _, rule, *_ in PUBLISHED])
def test_the_words_of_a_record_mean_the_same_again(rule: str) -> None:
    """What is sealed and revealed is words only, and judges every card alike."""
    secret = Secret.parse(rule)
    again = Secret.parse(secret.text)
    assert again.text == secret.text
    assert again.meaning == secret.meaning
    assert all(word.replace("-", "").isalpha() for word in secret.text.split())


@pytest.mark.parametrize("rule", [rule for _, rule, *_ in PUBLISHED])
def test_a_rule_is_said_back_as_one_sentence_in_both_languages(rule: str) -> None:
    meaning = Secret.parse(rule).meaning
    english, italian = sentence(meaning, "en"), sentence(meaning, "it")
    for said in (english, italian):
        assert said.endswith(".")
        assert "{" not in said
        assert "  " not in said
    assert english != italian


def test_if_the_line_is_too_short_any_card_may_follow() -> None:
    """Even if a rule says what must not be."""
    starter = parse_cards("5H")
    for rule in ("not same color as second-last", "same color as second-last",
                 "higher than the third last", "the sum of the last two is even",
                 "if second last is red then black else red"):  # fmt: skip
        secret = Secret.parse(rule)
        assert all(secret.allows(starter, Card(rank, suit)) for suit in SUITS for rank in RANKS)


def test_a_rule_allows_the_same_whatever_it_is_called() -> None:
    dice = random.Random(7)
    cards = [Card(rank, suit) for suit in SUITS for rank in RANKS]
    pairs = [
        ("two from last", "2 apart from last"),
        ("higher than last", "card > last"),
        ("at least four from last", "the difference of card and last is at least 4"),
        ("court", "jack or higher"),
        ("even", "a multiple of two"),
        ("not red", "black"),
        ("between 4 and 6", "4 or 5 or 6"),
    ]
    for one, other in pairs:
        first, second = Secret.parse(one), Secret.parse(other)
        for _ in range(20):
            line = dice.sample(cards, 3)
            assert [first.allows(line, card) for card in cards] == [
                second.allows(line, card) for card in cards
            ], (one, other)
