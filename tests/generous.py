"""A deliberately generous reading of the rule documents: whatever they leave open, somebody does.

Any order that a document does not fix, any number that it does not limit, every liberty that it
gives is drawn from what lies on the table and not from what the engine waits for; none may be
flagged. 500 matches of every game and variant, in one command::

    python -m tests.generous --matches 500
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from rules.acts import Act
from rules.cards import Card, Rank
from rules.errors import ActError
from rules.game import Game
from rules.games import GAMES
from rules.games.eleusis import Eleusis
from rules.games.mille import Mille, MilleState
from rules.games.oklahoma_rummy import OklahomaRummy, OklahomaState
from rules.games.pif_paf import PifPafState
from rules.games.rams import RamsState
from rules.games.three_thirteen import ThreeThirteenState
from rules.judged import JudgedState
from rules.spreads import RULES, SpreadState, stands
from rules.start import Start
from rules.state import State
from rules.stock import DISCARDS, StockState
from tests.play import ACTS_MOST, Dealer, start_for, variations

OFTEN = 0.6
"""How often a liberty is taken where a document gives one; otherwise play goes its usual way."""
Acts = Iterator[Act]


def act(text: str, cards: Sequence[Card] = ()) -> Act:
    """An act line with cards after it."""
    return Act.parse(" ".join([text, *map(str, cards)]))


def rules_of(game: Game[Any]) -> Iterator[tuple[str, str]]:
    """The house rules with their values."""
    return ((rule.name, rule.text) for rule in game.house_rules())


# What each document leaves open.


def going_out(state: StockState, size: int, melds: Callable[[tuple[Card, ...]], bool]) -> Acts:
    """Out is said, or the hand shown, before, with or after the discard (until the next draw)."""
    seat = state.actor if state.drawn else state.discarder
    if seat is None or state.ended:
        return
    hand = state.hand(seat)
    if state.covered(seat) != hand:
        return
    if len(hand) == size and not state.drawn and melds(hand):
        yield act(f"{seat} declare out")
        yield act(f"{seat} show", hand)
    if len(hand) == size + 1 and state.drawn:
        for place in range(len(hand)):
            rest = (*hand[:place], *hand[place + 1 :])
            if melds(rest):
                yield act(f"{seat} declare out")
                yield act(f"{seat} show", rest)
                return


def upcard(state: StockState) -> Acts:
    """The upcard is taken, also where the stock is out and not made anew yet."""
    if state.actor is not None and not state.drawn and state.upcards and not state.ended:
        yield act(f"{state.actor} draw {DISCARDS}", state.upcards)


def pif_paf(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """They discard and then reveal, or reveal and then discard."""
    if isinstance(state, PifPafState) and state.phase == "melding" and state.out is None:
        yield from going_out(state, 9, state.melds)
        if not state.claims:
            yield from upcard(state)


def three_thirteen(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """They discard as normal, announcing as they do so."""
    if isinstance(state, ThreeThirteenState) and state.dealt and not state.settled:
        seat = state.actor if state.drawn else state.discarder
        if seat is not None and not state.is_out(seat):
            yield from going_out(state, state.size, lambda hand: not state.best(hand).points)
        yield from upcard(state)


def panguingue(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """Cards go straight from the stock or the discards, and several are laid at once."""
    if not isinstance(state, SpreadState) or not state.dealt or state.settled or not state.actor:
        return
    seat, hand = state.actor, state.hand(state.actor)
    if state.drawn or state.begun_meld(seat):
        yield from _several(state, seat, (*hand, *state.turned))
        return
    if state.forced:
        return
    takable = state.fresh or dict(rules_of(state.game))["upcard"] == "any"
    for drawn in (deck[:1], state.upcards if takable else ()):
        for pair in combinations(hand, 2) if drawn else ():
            if RULES.allows((*drawn, *pair)) and drawn[0] not in pair:
                yield act(f"{seat} meld", (*drawn, *pair))
        for spot, laid in state.melds(seat).items() if drawn else ():
            if stands((*laid, *drawn)):
                yield act(f"{seat} lay {spot}", drawn)
    if deck:
        yield act(f"{seat} discard", deck[:1])


def _several(state: SpreadState, seat: int, cards: tuple[Card, ...]) -> Acts:
    """Two or three cards on one meld; what was taken from the discards is among the first."""
    if state.begun_meld(seat) or (state.turned and state.source == DISCARDS):
        return
    for spot, laid in state.melds(seat).items():
        for size in (2, 3):
            for more in combinations(cards, size):
                if stands((*laid, *more)):
                    yield act(f"{seat} lay {spot}", more)
                    break


def mille(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """Melds of three or more, up to all of a rank and all twos, at once or card by card."""
    if not isinstance(state, MilleState) or not state.dealt or state.ended or not state.actor:
        return
    seat, hand = state.actor, state.hand(state.actor)
    least = state.game.naturals if isinstance(state.game, Mille) else 1
    twos = [card for card in hand if card.rank is Rank.TWO]
    for rank in dict.fromkeys(card.rank for card in hand if card.rank is not Rank.TWO):
        same = [card for card in hand if card.rank is rank]
        laid = state.table.cards(f"{seat}.meld-{rank.lower()}")
        some = twos[: dice.randint(0, len(twos))]
        if not state.drawn:
            if state.upcards and state.upcards[0].rank is rank and len(same) >= 2:
                yield act(f"{seat} meld", (*state.upcards, *same, *some))
            continue
        if len(same) + len(some) >= 3 and len(same) >= least:
            yield act(f"{seat} meld", (*same, *some))
        if laid:
            yield act(f"{seat} lay {seat}.meld-{rank.lower()}", (*same, *some))


def oklahoma(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """Any three or four that are a meld, at once; what a two stands for may be said."""
    if not isinstance(state, OklahomaState) or not state.dealt or state.ended or not state.actor:
        return
    seat, game = state.actor, state.game
    assert isinstance(game, OklahomaRummy)
    if not state.drawn:
        return
    hand = state.hand(seat)
    few = dice.sample(hand, min(8, len(hand)))
    if len(hand) > 6 and game.spot_for(state, seat, ()):
        for size in (3, 4):
            for meld in combinations(few, size):
                if game.makes(meld):
                    yield act(f"{seat} meld", meld)
    named = list(game.readings(state.table.cards(state.newest))) if state.newest else []
    if named and state.newest not in dict(state.named):
        yield act(f"{seat} declare as", dice.choice(named))


def eleusis(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """Strings of any length, guesses by anybody, a rule sealed late, kept or never spoken of."""
    if not isinstance(state, JudgedState) or not isinstance(state.game, Eleusis):
        return
    if state.unplayed and not state.sealed and not state.own and not state.void:
        yield act("declare own")
    if state.phase == "playing" and state.actor is not None and state.exposed is None:
        hand = state.hand(state.actor)
        most = 1 if state.game.express else state.game.string_most or len(hand)
        if hand and not state.owes:
            count = dice.randint(1, min(most, len(hand)))
            yield act(f"{state.actor} play", dice.sample(hand, count))
    anybody = state.game.express and state.just_right and state.game.guess == "any"
    if anybody and state.guessing is None and not state.owes and state.guessed is None:
        for seat in set(state.players) - state.guessers:
            yield act(f"{seat} declare guess")


def rams(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """After Rams a pass leaves the widow, or the first card is led; the turn-up comes first."""
    if not isinstance(state, RamsState) or not state.dealt or state.settled:
        return
    if state.phase == "bidding" and state.declarer is not None:
        seat = next(s for s in state.order if state.bid(s) is None)
        yield act(f"{seat} pass")
        left = dict(rules_of(state.game))["rams_leads"] == "left"
        leads = state.order[0] if left else state.declarer
        yield act(f"{leads} play", [dice.choice(state.hand(leads))])
    if state.phase == "turn-up" and len(state.hand(state.dealer)) == 5:
        yield act(f"{state.dealer} draw board", state.table.cards("board"))


READINGS: dict[str, Callable[[State, Sequence[Card], random.Random], Acts]] = {
    "pif-paf": pif_paf,
    "three-thirteen": three_thirteen,
    "panguingue": panguingue,
    "mille": mille,
    "oklahoma-rummy": oklahoma,
    "eleusis": eleusis,
    "rams": rams,
}
"""What somebody may do at each of these tables besides the usual."""


@dataclass
class Generous(Dealer):
    """A table where every liberty is taken that a document gives."""

    taken: int = 0
    refused: list[str] = field(default_factory=list)

    def choose(self, state: State) -> Act:
        """A liberty, any amount between two bounds, or what usually comes."""
        reading = READINGS.get(state.game.name)
        found = list(reading(state, self.deck, self.dice)) if reading else []
        if found and self.dice.random() < OFTEN:
            self.taken += 1
            return self.dice.choice(found)
        return self._amount(state, super().choose(state))

    def _amount(self, state: State, usual: Act) -> Act:
        """Any number that lies between the least and the greatest."""
        ranges = [one.numbers for one in state.turn if one.admits(usual) and one.numbers]
        if not ranges or len(usual.numbers) != 1 or usual.words:
            return usual
        other = replace(usual, numbers=(self.dice.randint(*ranges[0]),))
        return other if state.allows(other) else usual


def flagged(game: Game[Any], start: Start, dice: random.Random) -> tuple[list[str], int]:
    """Everything that was flagged in one hand, with what led to it, and how many liberties."""
    table = Generous(dice)
    table.shuffle(game, start)
    state: State = game.open(start)
    while not state.over and len(state.acts) < ACTS_MOST:
        chosen = table.choose(state)
        try:
            after = state.play(chosen)
        except ActError as error:
            return [f"{game}: {error}"], table.taken
        if after.open_violations:
            rules = ", ".join(one.rule for one in after.open_violations)
            return [f"{game}, {state.phase}: '{chosen}' is flagged as {rules}"], table.taken
        table.follow(state, chosen)
        state = after
    return [] if state.over else [f"{game}: no end after {ACTS_MOST} acts"], table.taken


def tables(name: str, matches: int) -> Iterator[tuple[Game[Any], Start, random.Random]]:
    """That many tables of a game, over all its variations and numbers of players."""
    games = list(variations(name))
    games += [GAMES[name](**rules) for rules in GAMES[name].variants.values()]
    for number in range(matches):
        dice = random.Random(f"{name}{number}")
        game = games[number % len(games)]
        more: dict[str, Any] = {}
        if name == "three-thirteen":
            more["notes"] = (("cards", str(dice.randint(3, 13))),)
        if name == "rams":
            more["pot"] = 5 * dice.randint(0, 4)
        yield game, start_for(game, seats=dice.randint(2, 6), **more), dice


def main() -> int:
    """Play and tell; the exit status is 1 where anything was flagged."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=500, help="tables of each game")
    parser.add_argument("--game", action="append", choices=sorted(GAMES), help="these only")
    options = parser.parse_args()
    wrong = 0
    for name in options.game or sorted(GAMES):
        found, liberties = [], 0
        for game, start, dice in tables(name, options.matches):
            faults, taken = flagged(game, start, dice)
            found += faults
            liberties += taken
        wrong += len(found)
        print(f"{name:24} {options.matches} hands, {liberties} liberties, {len(found)} flagged")
        for one in found[:3]:
            print(f"    {one}")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
