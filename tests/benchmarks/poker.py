"""How fast hands are evaluated and played, compared with PokerKit and treys if installed."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any

from rules.acts import Act
from rules.cards import JOKER, Card, Deck
from rules.games import find_game
from rules.poker.hands import canadian, high, low, low_eight, two_cards, with_bug
from rules.poker.rows import Rows
from rules.start import Start
from rules.state import State
from tests.benchmarks.rules import Row
from tests.play import play_hand

DECK = Deck.standard().cards
HANDS = 20_000
GAMES = 30
SEATS = 6


def measure() -> Iterator[Row]:
    """Hands ranked per second, then whole hands, each with another implementation's figures."""
    for name, number in (*ours(), *theirs()):
        yield f"rank: {name}", number, "a second"
    yield from whole_hands()


def rate(work: Callable[[], object], count: int) -> float:
    """How many of `count` are done per second of processor time."""
    begun = time.process_time()
    work()
    return count / (time.process_time() - begun)


def sampled(size: int, deck: Sequence[Card] = DECK) -> list[list[Card]]:
    """Random hands, the same in every run."""
    dice = random.Random(size)
    return [dice.sample(deck, size) for _ in range(HANDS)]


def ours() -> Iterator[tuple[str, float]]:
    """The rankings of this project."""
    rankings: tuple[tuple[str, Callable[[list[Card]], object], list[list[Card]]], ...] = (
        ("high, five cards", high, sampled(5)),
        ("high, seven cards", high, sampled(7)),
        ("high, three in front", high, sampled(3)),
        ("two cards", two_cards, sampled(2)),
        ("four to a flush or straight", canadian, sampled(5)),
        ("with the bug", with_bug, sampled(5, (*DECK, JOKER))),
        ("low, ace to five", low, sampled(5)),
        ("low of seven, eight or better", low_eight, sampled(7)),
        ("thirteen cards in rows", lambda c: _rows(c).worths, sampled(13)),
    )
    for name, worth, hands in rankings:
        yield name, rate(lambda worth=worth, hands=hands: list(map(worth, hands)), HANDS)  # type: ignore[misc]


def _rows(cards: list[Card]) -> Rows:
    return Rows(tuple(cards[:3]), tuple(cards[3:8]), tuple(cards[8:]))


def theirs() -> Iterator[tuple[str, float]]:
    """The rankings of treys and PokerKit on the same hands."""
    treys, kit = _optional("treys"), _optional("pokerkit")
    worth = treys and treys.Evaluator()
    for size in (5, 7):
        texts = [[f"{c.rank}{c.suit.lower()}" for c in hand] for hand in sampled(size)]
        if treys:
            ids = [[treys.Card.new(text) for text in hand] for hand in texts]
            yield f"treys, {size} cards", rate(lambda ids=ids: _each(worth, ids), HANDS)  # type: ignore[misc]
        if kit:
            few = ["".join(hand) for hand in texts[:500]]
            play = kit.StandardHighHand.from_game
            yield f"PokerKit, {size} cards", len(few) / _seconds(play, few)


def _each(worth: Any, hands: list[list[int]]) -> list[int]:
    return [worth.evaluate([], hand) for hand in hands]


def _seconds(play: Callable[[str], object], texts: list[str]) -> float:
    begun = time.perf_counter()
    for text in texts:
        play(text)
    return time.perf_counter() - begun


def _optional(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        return None


def whole_hands() -> Iterator[Row]:
    """A six-player Pineapple hand, and a hold'em hand in PokerKit."""
    records = [_pineapple(seed) for seed in range(GAMES)]
    acts = sum(len(record) for record in records)
    seconds = GAMES / rate(lambda: [_replayed(record) for record in records], GAMES)
    yield f"Pineapple, six seats: a hand of {acts // GAMES} acts", 1000 * seconds / GAMES, "ms"
    yield "an act of it", 1e6 * seconds / acts, "us"
    kit = _optional("pokerkit")
    if kit:
        done = [_kit_hand(kit, seed) for seed in range(3)]
        begun = time.perf_counter()
        done = [_kit_hand(kit, seed) for seed in range(GAMES)]
        spent = time.perf_counter() - begun
        operations = sum(done)
        yield f"PokerKit: a hand of {operations // GAMES} operations", 1000 * spent / GAMES, "ms"
        yield "an operation of it", 1e6 * spent / operations, "us"


def _start() -> Start:
    stacks = tuple((seat, 200) for seat in range(1, SEATS + 1))
    return Start(seats=tuple(range(1, SEATS + 1)), dealer=SEATS, limits=(2, 4), stacks=stacks)


def _pineapple(seed: int) -> tuple[Act, ...]:
    return play_hand(find_game("pineapple"), _start(), random.Random(seed))[-1].acts


def _replayed(acts: tuple[Act, ...]) -> State:
    state: State = find_game("pineapple").open(_start())
    for act in acts:
        state = state.play(act)
        _ = state.turn  # what an appliance asks for after each act
    return state


def _kit_hand(kit: Any, seed: int) -> int:
    random.seed(seed)
    state = kit.FixedLimitTexasHoldem.create_state(
        tuple(kit.Automation), True, 0, (1, 2), 2, 4, (200,) * SEATS, SEATS
    )
    while state.status:
        if random.random() < 0.1 and state.checking_or_calling_amount:
            state.fold()
        elif random.random() < 0.2 and state.can_complete_bet_or_raise_to():
            state.complete_bet_or_raise_to()
        else:
            state.check_or_call()
    return len(state.operations)
