"""Cards, acts and records as text: what is written reads back, and errors name the place."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.acts import RULINGS, SYNTAX, Act, Part, Verb
from rules.cards import BACK, JOKER, RANKS, SUITS, Card, Deck, Rank, Suit, parse_cards
from rules.errors import ActError, CardError, RecordError, StartError
from rules.phrases import Phrase
from rules.records import parse_record
from rules.settlement import Payment, Settlement
from rules.start import Direction, Start
from rules.turn import Awaited, Turn

RECORDS = sorted((Path(__file__).parent / "records").glob("*/*.txt"))
CARDS = [*Deck.standard(jokers=1).cards, *(Card(rank, Suit.UNKNOWN) for rank in RANKS)]
CARDS += [Card(Rank.UNKNOWN, suit) for suit in SUITS]
cards = st.sampled_from(CARDS)
handfuls = st.lists(cards, min_size=1, max_size=5).map(tuple)
spots = st.sampled_from(["board", "2", "14.front", "3.meld-1", "side-2"])
numbers = st.lists(st.integers(0, 999_999_999), max_size=3).map(tuple)
words = st.lists(st.sampled_from(["in", "out", "no-play", "hearts"]), max_size=2).map(tuple)


@st.composite
def acts(draw: st.DrawFn, deep: bool = True) -> Act:
    """Any act that a line can express."""
    act = Act(draw(st.sampled_from(list(Verb))), draw(st.none() | st.integers(1, 22)))
    parts = SYNTAX.get(act.verb, ())
    if Part.SPOT in parts:
        act = replace(act, spot=draw(spots))
    if parts.count(Part.SPOT) == 2:
        act = replace(act, to=draw(spots))
    if Part.CARDS in parts:
        down = draw(st.booleans())
        chosen = draw(st.just((BACK, BACK)) | handfuls) if down else draw(handfuls | st.just(()))
        act = replace(act, cards=chosen, down=down and bool(chosen))
    if Part.NUMBERS in parts:
        act = replace(act, numbers=draw(numbers))
    if Part.LAYOUT in parts:
        lying = st.lists(cards | st.just(BACK), max_size=4).map(tuple)
        layout = draw(st.dictionaries(spots, lying, max_size=4))
        return replace(act, numbers=(draw(st.integers(0, 999)),), layout=tuple(layout.items()))
    if act.verb is Verb.RULE:
        then = draw(st.none() | acts(deep=False)) if deep else None
        return replace(act, words=(draw(st.sampled_from(RULINGS)),), then=then)
    return replace(act, words=draw(words)) if Part.WORDS in parts else act


@given(acts())
def test_an_act_reads_back_from_its_line(act: Act) -> None:
    assert Act.parse(str(act)) == act


@given(acts())
def test_what_the_table_shows_of_an_act_names_no_face_down_card(act: Act) -> None:
    seen = act.observed()
    assert Act.parse(str(seen)) == seen
    assert not act.down or all(card.hidden for card in seen.cards)
    assert len(seen.cards) == len(act.cards)


WORDS = st.sampled_from(["1", "12", "deal", "bet", "show", "board", "QS", "(KD)", "??", "0", "2."])


@given(
    st.text(alphabet="12 dealbtshowQDKS?()0.-#\t\n", max_size=30)
    | st.lists(WORDS, max_size=5).map(" ".join)
)
def test_any_text_is_an_act_or_a_one_line_error(text: str) -> None:
    try:
        act = Act.parse(text)
    except ActError as error:
        message = str(error)
        assert "\n" not in message
    else:
        assert Act.parse(str(act)) == act


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "'' is not a verb"),
        ("2", "'' is not a verb"),
        ("2 leap", "'leap' is not a verb"),
        ("deal", "deal expects a spot"),
        ("deal board 8X", "'8X' does not fit; deal takes a spot, cards"),
        ("deal 2 (KD) QS", "all face up or all face down"),
        ("2 hit 5", "'5' does not fit; hit takes nothing more"),
        ("2 bet 1234567890", "'1234567890' does not fit; bet takes numbers, cards"),
        ("rule 3 perhaps", "rule expects stand or misdeal or correct, got 'perhaps'"),
        ("rule 3 correct deal", "deal expects a spot"),
    ],
)
def test_a_line_that_is_not_an_act_says_which_word_does_not_fit(line: str, message: str) -> None:
    with pytest.raises(ActError, match=message.replace("(", r"\(").replace(")", r"\)")):
        Act.parse(line)


@given(cards)
def test_a_card_reads_back_from_its_text(card: Card) -> None:
    assert Card.parse(str(card)) == card


@given(cards, cards)
def test_covering_is_symmetric_and_a_back_may_be_anything(one: Card, other: Card) -> None:
    assert one.covers(other) is other.covers(one)
    assert one.covers(one)
    assert BACK.covers(one)
    assert one.known or one.rank is Rank.UNKNOWN or one.suit is Suit.UNKNOWN


@pytest.mark.parametrize("text", ["", "Q", "QX", "10S", "qs", "JOKER?", "?", "QSS"])
def test_what_is_not_a_card_is_refused(text: str) -> None:
    with pytest.raises(CardError, match="is not a card"):
        Card.parse(text)


@pytest.mark.parametrize(
    ("deck", "size", "queens", "hearts"),
    [
        (Deck.standard(), 52, 4, 13),
        (Deck.standard(jokers=2), 54, 4, 13),
        (Deck.standard(packs=2, jokers=1), 106, 8, 26),
        (Deck.italian(), 40, 4, 10),
        (Deck.italian(packs=8), 320, 32, 80),
        (Deck.short("7"), 32, 4, 8),
        (Deck.short("9"), 24, 4, 6),
    ],
)
def test_decks_hold_what_their_packs_hold(deck: Deck, size: int, queens: int, hearts: int) -> None:
    assert len(deck) == size
    assert deck.count(Card.parse("Q?")) == queens
    assert deck.count(Card.parse("?H")) == hearts
    assert deck.count(BACK) == size
    assert JOKER not in Deck.italian()


# Corrupted records.


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(RECORDS), st.integers(0, 2**32))
def test_a_damaged_record_is_read_or_names_its_line(path: Path, seed: int) -> None:
    text = _damaged(path.read_text(), random.Random(seed))
    try:
        record = parse_record(text)
    except RecordError as error:
        message = str(error)
        assert message.startswith("line ")
        assert "\n" not in message
    else:
        assert parse_record(record.record()).record() == record.record()


def _damaged(text: str, dice: random.Random) -> str:
    lines = text.splitlines()
    for _ in range(dice.randint(1, 3)):
        place = dice.randrange(len(lines))
        words = lines[place].split()
        match dice.randrange(5):
            case 0:
                del lines[place]
            case 1:
                lines.insert(place, dice.choice(lines))
            case 2:
                lines[place] = lines[place][: dice.randrange(len(lines[place]) + 1)]
            case 3 if words:
                words[dice.randrange(len(words))] = dice.choice(("99", "QS", "", "[", "??", "0"))
                lines[place] = " ".join(words)
            case _:
                other = dice.randrange(len(lines))
                lines[place], lines[other] = lines[other], lines[place]
        lines = lines or [""]
    return "\n".join(lines)


@pytest.mark.parametrize(
    "tag",
    [
        '[Seats "999999999999"]',
        '[Seats "2 1"]',
        '[Seats "-3"]',
        '[Seats "3"]\n[Hand "0"]',
        '[Seats "3"]\n[Pot "-1"]',
        '[Seats "3"]\n[Stacks "1:5 1:6"]',
        '[Seats "3"]\n[Stacks "1"]',
        '[Seats "3"]\n[Amounts "some"]',
        '[Seats "3"]\n[Shoe "QS"]',
    ],
)
def test_an_impossible_header_is_refused(tag: str) -> None:
    with pytest.raises(RecordError, match="line "):
        parse_record(f'[Game "ziginette"]\n[Banker "1"]\n{tag}\n\nend\n')


# Turns and starts.

BETS = Awaited(Verb.BET, Phrase("turn.bet"), (2, 3), pick=1, among=parse_cards("QS 5D"))
SAYS = replace(BETS, verb=Verb.DECLARE, pick=0, among=None, words=(("in",), ("out",)))
DEALS = Awaited(Verb.DEAL, Phrase("turn.deal"), spots=("2",), pick=2, down=True)


@pytest.mark.parametrize(
    ("awaited", "line", "fault"),
    [
        (BETS, "2 bet QS", None),
        (BETS, "2 bet Q?", None),
        (BETS, "2 bet KS", "wrong-card"),
        (BETS, "2 bet 5 QS", "beyond-limits"),
        (BETS, "4 bet QS", "out-of-turn"),
        (BETS, "bet QS", "out-of-turn"),
        (BETS, "2 hit", "not-now"),
        (replace(BETS, rule="mine"), "2 bet KS", "mine"),
        (SAYS, "3 declare out", None),
        (SAYS, "3 declare maybe", "wrong-word"),
        (SAYS, "3 declare in QS", "wrong-card"),
        (DEALS, "deal 2 ?? ??", None),
        (DEALS, "deal 2 (QS) (QD)", None),
        (DEALS, "deal 2 ??", "wrong-count"),
        (DEALS, "deal 2 QS QD", "face-up"),
        (DEALS, "deal 3 ?? ??", "wrong-place"),
    ],
)
def test_an_act_that_is_not_awaited_breaks_the_rule_of_its_first_misfit(
    awaited: Awaited, line: str, fault: str | None
) -> None:
    assert awaited.fault(Act.parse(line)) == fault
    assert Turn((awaited,)).fault(Act.parse(line)) == fault


def test_of_several_things_awaited_the_closest_names_the_fault() -> None:
    turn = Turn((SAYS, BETS, DEALS))
    assert turn.fault(Act.parse("2 bet KS")) == "wrong-card"
    assert turn.fault(Act.parse("3 declare loud")) == "wrong-word"
    assert Turn().fault(Act.parse("2 hit")) == "not-now"


def test_each_card_of_a_hand_can_be_named_once() -> None:
    hand = replace(BETS, pick=2, among=parse_cards("QS QS 5D"))
    assert hand.admits(Act.parse("2 bet QS QS"))
    assert not hand.admits(Act.parse("2 bet 5D 5D"))
    assert len(list(hand.acts())) == 2 * 3


def test_ok_does_what_is_required_and_leaves_nothing_open() -> None:
    stand = Awaited(Verb.STAND, Phrase("turn.stand"), (2,))
    hit = Awaited(Verb.HIT, Phrase("turn.hit"), (2,), required=False)
    assert Turn((hit, stand)).due == Act.parse("2 stand")
    assert Turn((hit,)).due is None
    assert Turn((SAYS,)).due is None
    assert Turn((hit, stand)).seats == (2,)


def test_play_follows_the_direction_and_skips_empty_seats() -> None:
    start = Start(seats=(1, 3, 4, 7))
    assert start.following(3) == (4, 7, 1)
    assert start.following(3, Direction.RIGHT) == (1, 7, 4)
    assert start.following(5) == (7, 1, 3, 4)
    assert start.after(7) == 1
    assert Start(seats=(2,)).after(2) == 2


def test_everything_wrong_with_a_start_is_reported_at_once() -> None:
    with pytest.raises(StartError) as refused:
        Start(seats=(2, 1), dealer=9, limits=(5, 1), hand=0)
    assert str(refused.value).count(";") == 3


def test_a_payment_to_oneself_or_of_unknown_size_moves_no_chips() -> None:
    payments = (Payment(1, 1, 5, "x"), Payment(1, 2, None, "x"), Payment(None, 1, None, "x"))
    assert all(chips == 0 for chips in Settlement(payments).net.values())
