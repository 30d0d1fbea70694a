"""The rule language: each rule with cards that it allows and cards that it does not."""

from __future__ import annotations

import hashlib
import re

import pytest

from rules.cards import parse_cards
from rules.errors import SecretError
from rules.secret import OPEN, PRESETS, Secrets, seal
from rules.wording import Secret

TABLE = [
    # The rule sheet's four examples.
    (PRESETS["alternating"], "5H", "AC KS 5S", "AD KH 5H"),
    (PRESETS["alternating"], "5H 6S", "2D 9H", "2C 9S"),
    (PRESETS["two-apart"], "5H", "3S 7H", "5C 4D 6H KS"),
    (PRESETS["two-apart"], "KS", "JD JC", "2D QS AH"),  # it does not wrap: only the jack
    (PRESETS["two-apart"], "AS", "3C", "QD KH 2S"),
    (PRESETS["twos-and-threes"], "5H", "6D 7H", "6S 7C"),  # the starter counts as the first
    (PRESETS["twos-and-threes"], "5H 6D", "7S 8C", "9D"),
    (PRESETS["twos-and-threes"], "5H 6D 7S 8C", "9S", "9H"),
    (PRESETS["twos-and-threes"], "5H 6D 7S 8C 9C", "9H", "9S"),
    (PRESETS["twos-and-threes"], "5H 6D 7S 8C 9C 2D 3D", "9S", "9H"),
    (PRESETS["suits"], "5S", "AC", "AD AH AS"),
    (PRESETS["suits"], "5S 5C 5D", "AH", "AC AD AS"),
    (PRESETS["suits"], "5H", "KS", "KC KD KH"),
    # Ten more.
    ("same suit as last or same rank as last", "5S", "KS 5D", "KD 6H"),
    ("if last is odd then above last else below last", "5S", "6H KD", "4H 5D AC"),
    ("if last is odd then above last else below last", "6S", "5H AD", "7H 6D KC"),
    ("at-most three from last and other suit than last", "7C", "7H TD 4S", "7C JD 3H 8C"),
    ("one above last around", "KS", "AD", "QD 2C KH"),
    ("one above last around", "4S", "5D", "3D 6C"),
    ("pattern red black black", "5H", "6S", "6D"),
    ("pattern red black black", "5H 6S 7S", "8D", "8C"),
    ("not court", "5H", "AS TD", "JS QD KH"),
    ("if last is court then clubs or spades else diamonds or hearts", "QH", "2C 3S", "2D 3H"),
    ("if last is court then clubs or spades else diamonds or hearts", "2H", "2D KH", "2C KS"),
    ("same parity as second-last", "5H 6S", "7D KC", "8D QC"),
    ("same parity as second-last", "5H", "7D 8D", ""),  # before there is one, any card
    ("at-least four from last", "7C", "3D JD KH AS", "4D TH 7S"),
    ("if second-last is red and last is red then spades else any", "5H 6D", "AS", "AC AH"),
    ("if second-last is red and last is red then spades else any", "5H 6S", "AS AC AH", ""),
    ("if last is above seven then even else odd", "9D", "2C QS", "3C"),
    ("cycle odd even", "5H", "6S 8D", "7S AD"),
    ("runs three of suit", "5H 6H", "7H", "7S"),
    ("runs three of suit", "5H 6H 7H", "7S", "8H"),
]


@pytest.mark.parametrize(
    ("rule", "line", "right", "wrong"), [row for row in TABLE if " if last is red" not in row[0]]
)
def test_a_rule_says_which_cards_are_right(rule: str, line: str, right: str, wrong: str) -> None:
    secret = Secret.parse(rule)
    before = parse_cards(line)
    assert [card for card in parse_cards(right) if not secret.allows(before, card)] == []
    assert [card for card in parse_cards(wrong) if secret.allows(before, card)] == []


def test_the_four_examples_and_ten_more_are_in_the_table() -> None:
    rules = {rule for rule, *_ in TABLE}
    assert set(PRESETS.values()) <= rules
    assert len(rules) >= 14


@pytest.mark.parametrize(
    ("rule", "where", "lists"),
    [
        ("", "the rule ends after word 0", ("if", "not", "a color", "a rank", "cycle", "last")),
        ("if last is purple then black", "'purple' (word 4)", ("a color", "a rank", "above")),
        ("if last is red than black", "'than' (word 5)", ("then", "and", "or")),
        ("if last red then black", "'red' (word 3)", ("is",)),
        ("red black", "'black' (word 2)", ("and", "or")),
        ("fourteen from last", "'fourteen' (word 1)", ("a number up to twelve",)),
        ("two from", "the rule ends after word 2", ("card", "last", "second last")),
        ("same tint as last", "'tint' (word 2)", ("suit, color, rank, parity",)),
        ("cycle spades", "the rule ends after word 2", ("a color, a suit", "a rank")),
        ("runs two three in color", "'in' (word 4)", ("of",)),
        ("red and", "the rule ends after word 2", ("not", "a color", "a rank")),
        ("if last is red then black else", "the rule ends after word 7", ("if", "a color")),
        ("(red or black", "the rule ends after word 3", (")",)),
        ("sum of the last two", "the rule ends after word 5", ("is",)),
        ("last divided by four leaves red", "'red' (word 6)", ("a number",)),
        ("se ultima è viola allora nera", "'viola' (word 4)", ("a color",)),
    ],
)
def test_an_error_points_at_the_word_and_lists_what_could_stand_there(
    rule: str, where: str, lists: tuple[str, ...]
) -> None:
    with pytest.raises(SecretError, match="^" + re.escape(where)) as caught:
        Secret.parse(rule)
    for one in lists:
        assert one in str(caught.value)


def test_a_string_is_right_if_each_card_fits_those_before_it() -> None:
    secret = Secret.parse(PRESETS["alternating"])
    line = parse_cards("5H")
    assert secret.allows_all(line, parse_cards("6S 7D 8C"))
    assert not secret.allows_all(line, parse_cards("6S 7D 8H"))


def test_a_seal_is_the_sha_256_hash_in_letters() -> None:
    digest = hashlib.sha256(b"quill two from last").hexdigest()
    letters = {"0123456789abcdef"[n]: "abcdefghijklmnop"[n] for n in range(16)}
    assert seal("quill", "  two from  last ") == "".join(letters[digit] for digit in digest)
    assert seal("quill", "two from last") != seal("feather", "two from last")


def test_only_someone_who_was_given_a_rule_knows_it_by_its_seal() -> None:
    sealed = seal("told", "two from last")
    assert Secrets().opened(sealed) is None
    rule = Secrets().told("told", "two from last").opened(sealed)
    assert rule is not None
    assert rule.text == "two from last"
    assert Secrets().opened(seal(OPEN, PRESETS["suits"])) == Secret.parse(PRESETS["suits"])
