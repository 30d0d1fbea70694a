"""Random hands of Belote, scored a second time from the rule document's sentences alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import product

from rules.acts import Act, Verb
from rules.cards import SUITS, Card, Suit
from rules.games import GAMES
from rules.tricks.declarations import declaration, highest
from tests.draws import NIGHTLY
from tests.play import play_hand, start_for

HANDS = 720 if NIGHTLY else 30
PLAIN, TRUMPS = "789JQKTA", "78QKTA9J"
"""How cards rank in a trick, from the lowest."""
SEQUENCE = "789TJQKA"
"""How they rank in a run."""
CARDS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
"""What they score; the jack of trumps twenty, the nine fourteen."""
RUNS = dict(zip(("three", "four", "five", "six", "seven", "eight"), range(3, 9), strict=True))
SIDES = ({1, 3}, {2, 4})
Play = tuple[int, Card]
SUITS_BY_NAME = {"clubs": "C", "diamonds": "D", "hearts": "H", "spades": "S"}


def winner(trick: Sequence[Play], trump: Suit) -> int:
    """The player of the highest trump; without one, of the highest card of the suit led."""
    ruffs = [play for play in trick if play[1].suit is trump]
    if ruffs:
        return max(ruffs, key=lambda play: TRUMPS.index(play[1].rank))[0]
    led = [play for play in trick if play[1].suit is trick[0][1].suit]
    return max(led, key=lambda play: PLAIN.index(play[1].rank))[0]


def points(card: Card, trump: Suit) -> int:
    if card.suit is trump and card.rank in "J9":
        return 20 if card.rank == "J" else 14
    return CARDS.get(card.rank, 0)


def worth(act: Act, trump: Suit) -> tuple[tuple[int, ...], int]:
    """How high a declaration is, and what it scores."""
    (said,), rank = act.words, act.card.rank
    if said == "four-of-a-kind":
        return (1, "QKTA9J".index(rank)), {"J": 200, "9": 150}.get(rank, 100)
    length = RUNS[said.removeprefix("run-of-")]
    height = (0, length, SEQUENCE.index(rank), int(act.card.suit is trump))
    return height, {3: 20, 4: 50}.get(length, 100)


def declared(acts: Sequence[Act], trump: Suit) -> list[int]:
    """What each side may score for declarations: all of its own if it holds the highest."""
    told = [(act.seat, *worth(act, trump)) for act in acts if act.verb is Verb.DECLARE]
    if not told:
        return [0, 0]
    best = max(told, key=lambda one: one[1])[0]  # of equals the first to speak
    return [sum(n for seat, _, n in told if seat in side) * (best in side) for side in SIDES]


def rounded(mine: int, theirs: int) -> list[int]:
    """Rounded to the nearest ten, the higher side first, together 160."""
    high = -(-(max(mine, theirs) - 5) // 10) * 10
    return [high, 160 - high] if mine >= theirs else [160 - high, high]


def reckoned(acts: Sequence[Act]) -> tuple[list[int], str]:
    """What the two sides score, and how the hand ended."""
    bids = [act for act in acts if act.verb is Verb.BID]
    if not bids:
        return [0, 0], "thrown in"
    trump = Suit(SUITS_BY_NAME[bids[0].words[0]])
    takers = 0 if bids[0].seat in SIDES[0] else 1
    plays = [(act.seat or 0, act.card) for act in acts if act.verb is Verb.PLAY]
    tricks = [plays[first : first + 4] for first in range(0, 32, 4)]
    winners = [winner(trick, trump) for trick in tricks]
    taken, won = [0, 0], Counter[int]()
    for number, (trick, seat) in enumerate(zip(tricks, winners, strict=True), 1):
        side = 0 if seat in SIDES[0] else 1
        taken[side] += sum(points(card, trump) for _, card in trick) + 10 * (number == 8)
        won[side] += 1
    assert sum(taken) == 162
    royal = {seat for seat, card in plays if card.suit is trump and card.rank in "KQ"}
    belote = [20 * (len(royal) == 1 and royal <= side) for side in SIDES]
    called, others = declared(acts, trump), 1 - takers
    tricks_score = rounded(*taken)
    how = "made"
    if won[takers] == 8:
        tricks_score[takers], tricks_score[others], how = 250, 0, "capot"
        called[others] = 0
    elif taken[takers] <= taken[others]:
        how = "lost" if won[takers] else "lost every trick"
        tricks_score[others] = 160 if won[takers] else 250
        tricks_score[takers], called[others], called[takers] = 0, sum(called), 0
    return [sum(each) for each in zip(tricks_score, called, belote, strict=True)], how


def rich(seed: int) -> Sequence[Card]:
    """For some hands, cards with which one side will win every trick or nearly so."""
    strong = [Card.parse(f"{rank}{suit}") for suit in "HS" for rank in "JQK9TA"]
    weak = [Card.parse(f"{rank}{suit}") for suit in "DC" for rank in "789JQ"]
    random.Random(seed).shuffle(strong)
    random.Random(seed).shuffle(weak)
    front = []
    for size in (3, 2):
        for place in range(4):
            cards = (strong, weak)[(place + seed // 4) % 2]
            front += [cards.pop() for _ in range(size)]
    return [*front, strong.pop()] if seed % 4 == 0 else ()


def test_a_hand_scores_tricks_declarations_and_belote_by_who_made_what() -> None:
    ended: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    game = GAMES["belote"]()
    for seed in range(HANDS):
        state = play_hand(game, start_for(game), random.Random(f"belote {seed}"), rich(seed))[-1]
        due, how = reckoned(state.acts)
        scored = state.settlement.scores
        assert [[scored.get(seat, 0) for seat in side] for side in SIDES] == [
            [points] * 2 for points in due
        ], seed
        ended[how] += 1
        seen.update(act.words[0] for act in state.acts if act.verb is Verb.DECLARE)
    assert {"made", "lost", "capot", "lost every trick"} <= set(ended), ended
    assert {"run-of-three", "run-of-four", "four-of-a-kind"} <= set(seen), seen
    assert set(SUITS_BY_NAME.values()) == set(SUITS)


def test_every_declaration_ranks_as_the_document_lists_them() -> None:
    """Against each other, in every suit of trumps; of equal ones the first to speak."""
    lines = [f"{seat} declare four-of-a-kind {rank}?" for seat in (1, 2) for rank in "QKTA9J"]
    lines += [
        f"{seat} declare run-of-{name} {rank}{suit}"
        for seat in (1, 2)
        for name, length in RUNS.items()
        for rank in SEQUENCE[length - 1 :]
        for suit in SUITS
    ]
    told = [(act, declaration(act, number)) for number, act in enumerate(map(Act.parse, lines))]
    for trump, (mine, one), (theirs, other) in product(SUITS, told, told):
        if mine.seat == 1 and theirs.seat == 2 and one and other:
            better = worth(theirs, trump)[0] > worth(mine, trump)[0]
            assert highest((one, other), trump) is (other if better else one)
            assert one.points == worth(mine, trump)[1]
