"""Random hands of tricks, scored a second time from the rule documents' sentences alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from rules.acts import Act, Verb
from rules.cards import Card, Rank, Suit
from rules.games import GAMES
from rules.settlement import POT
from rules.state import State
from tests.draws import NIGHTLY
from tests.play import play_hand, start_for

HEIGHT = "23456789TJQKA"
Play = tuple[int, Card]


def hand(game: str, seed: int, **start: Any) -> State:
    rules = GAMES[game]()
    return play_hand(rules, start_for(rules, **start), random.Random(seed))[-1]


def plays(acts: Sequence[Act]) -> list[Play]:
    return [(act.seat or 0, act.card) for act in acts if act.verb is Verb.PLAY]


def turned_up(acts: Sequence[Act], spot: str) -> Suit | None:
    """The suit of the card that was turned up there."""
    cards = [act.card for act in acts if act.spot == spot and act.cards and not act.down]
    return cards[0].suit if cards else None


def tricks(played: Sequence[Play], players: int, trump: Suit | None) -> Iterator[int]:
    """Who wins each trick: "the highest card of the suit led, unless a trump was played"."""
    for first in range(0, len(played) - players + 1, players):
        trick = played[first : first + players]
        led = trick[0][1].suit

        def height(play: Play, led: Suit = led) -> tuple[bool, bool, int]:
            card = play[1]
            return card.suit is trump, card.suit is led, HEIGHT.index(card.rank)

        yield max(trick, key=height)[0]


def won(state: State) -> dict[int, int]:
    """What each seat has won or lost, if anything."""
    return {seat: n for seat, n in state.settlement.net.items() if n and seat != POT}


@pytest.mark.parametrize("seed", range(80))
def test_each_player_takes_one_fifth_of_the_pot_for_each_trick_of_rams(seed: int) -> None:
    left_over = 5 * random.Random(seed).randint(0, 4)
    state = hand("rams", seed, seats=3 + seed % 3, pot=left_over)
    seats, acts, pot = state.start.seats, state.acts, left_over + 5
    declarer = next((act.seat for act in acts if "rams" in act.words), None)
    chosen = {act.seat for act in acts if act.verb in (Verb.BID, Verb.DRAW)}
    passed = {act.seat for act in acts if act.verb is Verb.PASS} - chosen
    playing = [seat for seat in seats if declarer or seat not in passed]
    taken = Counter(tricks(plays(acts), len(playing), turned_up(acts, "board")))
    due = Counter({1: -5})
    if declarer:
        made = taken[declarer] == 5
        due[declarer] += pot if made else -pot
        for other in set(seats) - {declarer}:
            due[other] += -5 if made else 5
            due[declarer] += 5 if made else -5
    elif len(playing) == 1:
        due.update({1: 5, seats[-1]: -5})
    else:
        for seat in playing:
            due[seat] += taken[seat] * pot // 5 or -5
    assert won(state) == {seat: chips for seat, chips in due.items() if chips}


@pytest.mark.parametrize("deal", range(1, 13))
def test_players_score_one_point_for_each_trick_in_excess_of_their_contract(deal: int) -> None:
    for seed in range(4):
        state = hand("tribello", seed, notes=(("deal", str(deal)),))
        trump = state.trump  # type: ignore[attr-defined]
        assert (trump is None) is (deal > 6)
        taken = Counter(tricks(plays(state.acts), 3, trump))
        last = deal > 9
        contracts = {1: 3, 2: 4, 3: 6} if last else {1: 6, 2: 4, 3: 3}
        due = {s: (taken[s] - wanted) * (-1 if last else 1) for s, wanted in contracts.items()}
        assert {seat: state.settlement.scores.get(seat, 0) for seat in due} == due


POINTS = {"5": 5, "4": 4, "3": 3, "A": 3, "K": 2, "Q": 2, "J": 2, "6": 0}
"""What a card counts; tens to sevens one."""
VOTES = "6789TJQKA345"


def vote(cards: Sequence[Play], trump: Suit | None) -> int | None:
    """The winner; None if two cards of different suits tie for highest."""
    ours = {card.rank: seat for seat, card in cards if card.suit is trump and trump}
    if ours:
        if {Rank("5"), Rank("6")} <= set(ours):
            return ours[Rank("6")]
        return ours[max(ours, key=VOTES.index)]
    worth = {
        seat: VOTES.index("5" if card.rank is Rank.JOKER else card.rank) for seat, card in cards
    }
    best = [seat for seat in worth if worth[seat] == max(worth.values())]
    return best[0] if len(best) == 1 else None


@pytest.mark.parametrize("players", range(2, 7))
def test_capturing_thirteen_or_more_points_of_a_suit_scores_that_tribe(players: int) -> None:
    tribes = 0
    for seed in range(12 if NIGHTLY else 6):
        state = hand("democracy", seed, seats=players)
        captured: dict[int, Counter[Suit]] = {seat: Counter() for seat in state.start.seats}
        upcard, votes = None, list[Play]()
        for act in state.acts:
            if act.verb is Verb.TURN and act.spot == "pool":
                upcard, votes = act.card, []
            elif act.verb is Verb.TURN and act.spot:
                votes.append((int(act.spot.split(".")[0]), act.card))
            if upcard is None or len(votes) < players:
                continue
            joker = upcard.rank is Rank.JOKER
            winner = vote(votes, None if joker else upcard.suit)
            lying = [*votes, *([(winner, upcard)] if winner else [])]
            for seat, card in lying:
                if card.rank is not Rank.JOKER:
                    captured[winner or seat][card.suit] += POINTS.get(card.rank, 1)
            upcard = None
        due = {seat: sum(n >= 13 for n in suits.values()) for seat, suits in captured.items()}
        assert {seat: state.settlement.scores.get(seat, 0) for seat in due} == due
        tribes += sum(due.values())
    assert tribes
