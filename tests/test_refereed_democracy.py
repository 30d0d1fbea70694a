"""Democracy followed by a referee who knows the document's sentences alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from rules.acts import Act, Verb
from rules.cards import JOKER, Card
from rules.games.democracy import Democracy
from rules.start import Start
from rules.state import State
from tests.play import start_for
from tests.refereeing import Deal, match_refereed, seeded

ORDER = "6789TJQKA345"
"""Rank of cards, the lowest first."""
WORTH = {"5": 5, "4": 4, "3": 3, "A": 3, "K": 2, "Q": 2, "J": 2, "6": 0}
HANDS = {2: 8, 3: 6, 4: 5, 5: 4, 6: 3}
"""Cards a day for each player and the pool, as ruled in place of the numbers printed."""
JOKERS = {4: 2, 6: 1}


@dataclass
class Referee:
    """The day, the upcards, what lies in front of everybody and what everybody has won."""

    game: Democracy
    start: Start
    deal: Deal = field(init=False)
    day: int = 1
    hands: dict[int, list[Card]] = field(default_factory=dict)
    pool: list[Card] = field(default_factory=list)
    upcards: list[Card] = field(default_factory=list)
    votes: dict[int, Card] = field(default_factory=dict)
    faced: set[int] = field(default_factory=set)
    won: dict[int, list[Card]] = field(default_factory=dict)
    tied: bool = False

    def __post_init__(self) -> None:
        seats = self.start.seats
        assert self.start.dealer is not None
        self.dealer = self.start.dealer
        pack = Counter(f"{rank}{suit}" for rank in "3456789TJQKA" for suit in "CDHS")
        pack[str(JOKER)] += JOKERS.get(len(seats), 0)
        assert Counter(map(str, self.game.deck(self.start).cards)) == +pack
        self.hands = {seat: [] for seat in seats}
        self.won = {seat: [] for seat in seats}
        self.begin()

    def begin(self) -> None:
        """Deal amongst the players and the voting pool."""
        count = HANDS[len(self.start.seats)]
        self.deal = Deal(Counter(dict.fromkeys([*map(str, self.start.seats), "pool"], count)))

    @property
    def over(self) -> bool:
        return self.day > 2

    @property
    def turning(self) -> bool:
        """Whether the dealer is to turn a card of the pool, the first or one after a joker."""
        again = self.game.joker_upcard == "next" and self.upcards[-1:] == [JOKER]
        return bool(self.pool) and not self.votes and (not self.upcards or again)

    @property
    def trump(self) -> str:
        return "" if not self.upcards or self.upcards[-1] == JOKER else str(self.upcards[-1].suit)

    def allows(self, act: Act) -> bool:
        if self.over:
            return act.verb is Verb.CLEAR
        if not self.deal.done:
            return self.deal.allows(act)
        if self.turning:
            top = act.spot == "pool" and list(act.cards) == self.pool[-1:]
            return act.verb is Verb.TURN and top and not act.down
        if len(self.votes) < len(self.hands):
            free = act.seat in self.hands and act.seat not in self.votes
            mine = free and len(act.cards) == 1 and act.card in self.hands[act.seat or 0]
            return act.verb is Verb.PLAY and mine and act.down
        if len(self.faced) < len(self.hands):
            covered = {
                f"{s}.trick": [card] for s, card in self.votes.items() if s not in self.faced
            }
            mine = covered.get(act.spot or "") == list(act.cards)
            return act.verb is Verb.TURN and mine and not act.down
        return act.verb is Verb.GATHER

    def stands(self, act: Act) -> bool:
        return False

    def see(self, act: Act) -> None:
        match act.verb:
            case Verb.DEAL:
                self.deal.see(act)
                to = self.pool if act.spot == "pool" else self.hands[int(act.spot or "")]
                to.extend(act.cards)
            case Verb.TURN if act.spot == "pool":
                self.upcards.append(self.pool.pop())
            case Verb.TURN if act.spot is not None:
                self.faced.add(int(act.spot.split(".")[0]))
            case Verb.PLAY if act.seat is not None:
                self.hands[act.seat].remove(act.card)
                self.votes[act.seat] = act.card
            case Verb.GATHER:
                self.gathered()

    def height(self, card: Card) -> int:
        """A joker is any card but a trump, and so a plain five."""
        return ORDER.index("5" if card == JOKER else str(card.rank))

    def best(self) -> list[int]:
        trumps = [s for s, card in self.votes.items() if card != JOKER and card.suit == self.trump]
        if trumps and self.trump:
            lying = {str(self.votes[seat].rank): seat for seat in trumps}
            five = "5" in lying or (self.game.upcard_five and str(self.upcards[-1].rank) == "5")
            if "6" in lying and five:
                return [lying["6"]]
        among = trumps or list(self.votes)
        top = max(self.height(self.votes[seat]) for seat in among)
        return [seat for seat in among if self.height(self.votes[seat]) == top]

    def gathered(self) -> None:
        best = self.best()
        if len(best) == 1:
            self.won[best[0]] += [*self.votes.values(), *self.upcards]
        else:
            self.tied = True
            for seat in best if self.game.tie_keeps == "tied" else self.votes:
                self.won[seat].append(self.votes[seat])
        self.votes, self.faced, self.upcards = {}, set(), []
        if not any(self.hands.values()):
            self.day, self.pool = self.day + 1, []
            self.begin()

    def result(self) -> Counter[int]:
        """A tribe for thirteen or more points of a suit."""
        tribes = Counter[int]()
        for seat, cards in self.won.items():
            for suit in "CDHS":
                own = [card for card in cards if card != JOKER and card.suit == suit]
                tribes[seat] += sum(WORTH.get(str(card.rank), 1) for card in own) >= 13
        return tribes

    def following(self) -> dict[str, Any]:
        totals = Counter(dict(self.start.scores)) + self.result()
        most = max(totals.values(), default=0)
        won = most >= 5 and list(totals.values()).count(most) == 1
        return {
            "dealer": self.start.after(self.dealer),
            "scores": () if won else tuple(sorted(totals.items())),
        }


def hands(seed: int) -> Iterator[tuple[Referee, State]]:
    """Two islands somewhere in a match."""
    dice = random.Random(f"democracy {seed}")
    game = Democracy(
        tie_keeps=dice.choice(("all", "tied")),
        upcard_five=dice.random() < 0.4,
        joker_upcard=dice.choice(("none", "next")),
    )
    start = start_for(game, seats=dice.randint(2, 6))
    scores = tuple((seat, dice.randint(0, 5)) for seat in start.seats)
    start = start.having(dealer=dice.choice(start.seats), scores=scores)
    return match_refereed(game, start, lambda start: Referee(game, start), seed)


def kinds(referee: Referee, last: State) -> Iterator[str]:
    """What happened on an island."""
    yield f"{min(2, referee.result().total())} tribes"
    if referee.tied:
        yield "a tie"
    if not dict(last.game.follow(last).scores):
        yield "match won"
    if referee.start.scores and max(dict(referee.start.scores).values()) >= 5:
        yield "five tribes are not enough"


@pytest.mark.parametrize("seeds", seeded(3, 150), ids=str)
def test_votes_ties_tribes_and_match_are_the_document_s(seeds: range) -> None:
    seen = Counter(kind for seed in seeds for hand in hands(seed) for kind in kinds(*hand))
    assert len(seen) >= 5 or len(seeds) < 150
