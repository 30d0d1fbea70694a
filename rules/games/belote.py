"""Belote: two sides, one of which takes and has to win more in tricks than the other.

Thirty-two cards; each player is dealt three and two, and a card is turned up. In turn each may take
(its suit becomes trumps) or pass; in a second round they may name another suit. The taker takes the
turned card, and all hands are filled to eight. Before the first trick combinations are declared:
only the side with the highest scores its own. Players must follow suit; those who cannot must trump
and overtrump, and trumps that are led must be headed, unless the partner is winning the trick.
Plain suits rank A 10 K Q J 9 8 7, trumps J 9 A 10 K Q 8 7. The tricks hold 152 points, the last one
ten more; a side that wins all of them scores 252. Takers who do not win more than the others lose
everything. King and queen of trumps played from one hand always score 20. Trick points are rounded
so that the hand comes to 160 (250); the first side with 1,000 wins.

A hand's record (the dealer at seat 4; seat 2 takes and declares a run up to the queen)::

    [Game "belote"]
    [Seats "4"]
    [Dealer "4"]

    deal 1 ?? ?? ??
    deal 2 ?? ?? ??
    deal 3 ?? ?? ??
    deal 4 ?? ?? ??
    deal 1 ?? ??
    deal 2 ?? ??
    deal 3 ?? ??
    deal 4 ?? ??
    deal board QH
    1 pass
    2 bid hearts
    2 draw board QH
    deal 1 ?? ?? ??
    deal 2 ?? ??
    deal 3 ?? ?? ??
    deal 4 ?? ?? ??
    1 pass
    2 declare run-of-three QH
    2 pass
    3 pass
    4 pass
    1 play AS
    2 play 7S
    3 play KS
    4 play TS
    gather

Verbs: ``deal``, ``bid SUIT``, ``pass`` (no bid; nothing more to declare), ``draw board`` (the
taker), ``declare KIND CARD`` (run-of-three to run-of-eight with the highest card, four-of-a-kind
with any; what players ask each other at the table is declared here at once; with the house rule
``show_second`` it is declared with the first card; ``belote`` and ``rebelote`` may be said at any
time, and score even if nobody says them), ``show CARD…`` (what was declared, if others ask for it;
with that house rule before the second card), ``play CARD``, ``gather``, ``clear``. Partners sit
opposite each other; a side's points are written at both seats.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rules.acts import Act, Verb
from rules.cards import Card, Deck
from rules.dealing import Batch, dealing, next_batch, rounds
from rules.errors import ActError
from rules.frozen import replace
from rules.game import house_rule
from rules.phrases import Phrase
from rules.scoring import arrived, fresh_sheet, told, totals
from rules.spots import Shape, Spot, Trace
from rules.start import Direction, Start
from rules.traces import TRACES
from rules.tricks.auctions import SUIT_WORDS
from rules.tricks.contracts import Count
from rules.tricks.declarations import ROYAL, declaration, overlaps
from rules.tricks.declaring import (
    FALSE,
    before_play,
    before_second_card,
    declared,
    early,
    exposed,
    on_request,
    royal_called,
    royal_said,
    royal_words,
    said_to_hold,
    seen,
    with_first_card,
)
from rules.tricks.play import WON, TrickGame, trick_spots
from rules.tricks.sides import SidedState, scored
from rules.tricks.trick import Duties, Order, Trick
from rules.turn import Awaited, Turn
from rules.verifying import need_seat

DECK = Deck.short("7")
FIRST, SECOND, HAND = 3, 2, 8
BOARD = "board"
PLAIN_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
TRUMP_POINTS = PLAIN_POINTS | {"J": 20, "9": 14}
LAST_TRICK = 10
GOAL = 1000
CARRIED = "carried"


@dataclass(frozen=True, kw_only=True)
class BeloteState(SidedState):
    """State of a hand of Belote."""

    opened: bool = False
    """Whether five cards each and the turned card have been dealt."""

    @property
    def bidder(self) -> int:
        """The seat that is to bid, until somebody takes."""
        return self.order[len(self.bids) % len(self.order)]

    @property
    def thrown_in(self) -> bool:
        """Whether everybody has passed twice."""
        return self.taker is None and len(self.bids) >= 2 * len(self.start.seats)

    def worth(self, card: Card) -> int:
        """The points that a card scores for whoever wins it."""
        points = TRUMP_POINTS if card.suit is self.trump else PLAIN_POINTS
        return points.get(str(card.rank), 0)

    def taken(self, side: tuple[int, ...]) -> int:
        """The points that a side has won in tricks, including the last trick's bonus."""
        won = zip(self.tricks, self.winners, strict=True)
        cards = sum(self.worth(p.card) for trick, seat in won if seat in side for p in trick)
        return cards + LAST_TRICK * (self.winners[-1:] != () and self.winners[-1] in side)


@dataclass(frozen=True)
class Belote(TrickGame[BeloteState]):
    """Belote with its house rules.

    >>> [rule for rule in Belote().house_rules() if rule.name == "declarations"][0].choices
    ('all', 'belote', 'none')
    """

    name: ClassVar[str] = "belote"
    players: ClassVar[range] = range(4, 5)
    goal: ClassVar[int | None] = GOAL
    dealt: ClassVar[bool] = True
    vocabulary: ClassVar[frozenset[Verb]] = frozenset(
        {Verb.DEAL, Verb.BID, Verb.PASS, Verb.DRAW, Verb.DECLARE, Verb.SHOW}
        | {Verb.PLAY, Verb.GATHER}
    )
    carries: ClassVar[frozenset[Verb]] = frozenset({Verb.SHOW})
    duties: ClassVar[Duties] = Duties(Order("ATKQJ987", "J9ATKQ87"), heads_trumps=True, trumps=True)

    declarations: str = house_rule(
        "all",
        "All declarations score, only belote and rebelote, or none.",
        choices=("all", "belote", "none"),
    )
    show_second: bool = house_rule(
        False, "Declarations are made with the first card and shown with the second."
    )
    direction: Direction = house_rule(  # type: ignore[misc]  # noqa: RUF009
        Direction.LEFT, "Deal and play go to the left, or to the right.", choices=tuple(Direction)
    )
    overtrump_partner_led: bool = house_rule(
        False, "Trumps that are led must be headed even if the partner is winning."
    )
    litige: bool = house_rule(
        False, "In a tie the defence scores its half; the takers' half goes to the next winners."
    )
    contract: str = house_rule(
        "tricks",
        "The contract is judged on tricks alone, or with declarations.",
        choices=("tricks", "all"),
    )
    belote_lost: bool = house_rule(False, "Takers who fail lose belote and rebelote as well.")
    rounding: str = house_rule(
        "sum",
        "Rounded points keep the hand's sum, or each side is rounded alone.",
        choices=("sum", "alone"),
    )
    both_reach: str = house_rule(
        "tie",
        "If both sides reach 1,000 in one hand, it is a tie, or the highest wins.",
        choices=("tie", "highest"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "direction", Direction(self.direction))

    @property
    def count(self) -> Count:
        """How a hand is counted by these house rules."""
        return Count(
            keeps_sum=self.rounding == "sum",
            everything=self.contract == "all",
            tie_put_off=self.litige,
            royal_lost=self.belote_lost,
            combinations=self.declarations == "all",
            shown_only=self.show_second,
            royal=self.declarations != "none",
        )

    def teams(self, state: BeloteState) -> tuple[tuple[int, ...], ...]:
        """Partners sit opposite each other."""
        first, second = state.start.seats[:2]
        return state.side(first), state.side(second)

    def deck(self, start: Start) -> Deck:
        """Thirty-two cards, from sevens to aces."""
        return DECK

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """Hands and tricks, a pile of tricks for each side, and the turned card."""
        piles = start.seats[:2]
        return (*trick_spots(start.seats, HAND, piles=piles), Spot(BOARD, shape=Shape.SINGLE))

    def open(self, start: Start) -> BeloteState:
        """Start before the first batch."""
        self.check_start(start)
        carry = start.number(CARRIED, 0)
        return BeloteState(game=self, start=start, limits=start.limits, carry=carry)

    def opener(self, state: BeloteState) -> int:
        """The player after the dealer leads."""
        return state.order[0]

    def friendly(self, state: BeloteState, seat: int, trick: Trick) -> bool:
        """Whether the partner is winning the trick, unless the lead has to be headed anyway."""
        if self.overtrump_partner_led and trick[0].card.suit is state.trump:
            return False
        return self.duties.order.winner(trick, state.trump) in state.side(seat)

    def pile(self, state: BeloteState, winner: int) -> str:
        """The side's pile, in front of one of the partners."""
        return f"{state.side(winner)[0]}.{WON}"

    def held(self, state: BeloteState, seat: int) -> tuple[Card, ...]:
        """The card taken up and the cards declared."""
        return (*state.showing(seat), *said_to_hold(state, seat))

    def phase(self, state: BeloteState) -> str:
        """Dealing, bidding, taking, filling, declaring, playing, gathering or scored."""
        if state.settled:
            return "scored"
        if not state.opened:
            return "dealing"
        if state.taker is None:
            return "bidding"
        if state.table.at(BOARD):
            return "taking"
        if not state.dealt:
            return "filling"
        before = self.declarations == "all" and not self.show_second
        if before and len(state.spoken) < len(state.order):
            return "declaring"
        return "gathering" if state.lying else "playing"

    def turn(self, state: BeloteState) -> Turn:
        """What is awaited in each phase."""
        match self.phase(state):
            case "scored":
                return self.ending(state)
            case "dealing" | "filling":
                return dealing(state, _batches(state))
            case "bidding":
                return Turn(tuple(_bidding(state)))
            case "taking":
                seat, cards = state.taker, state.table.cards(BOARD)
                assert seat is not None
                says = Phrase.of("belote.turn.take", seat=seat, cards=cards)
                return Turn(
                    (Awaited(Verb.DRAW, says, (seat,), spots=(BOARD,), pick=1, among=cards),)
                )
            case "declaring":
                seat = next(seat for seat in state.order if seat not in state.spoken)
                return Turn(tuple(before_play(state, seat)), also=self._royal(state))
        play, royal = self.playing(state), self._royal(state)
        if not self.show_second:
            return Turn(play.awaited, tuple(on_request(state)), also=royal)
        due = tuple(before_second_card(state, self.player(state))) or play.awaited
        return Turn(due, tuple(self._with_first_card(state)), also=(*early(state), *royal))

    def _royal(self, state: BeloteState) -> tuple[Awaited, ...]:
        """Belote and rebelote, which may be said at any time and score even if nobody says them."""
        return () if self.declarations == "none" else royal_words(state.order)

    def _with_first_card(self, state: BeloteState) -> Iterator[Awaited]:
        """What players may declare with their first card."""
        if self.declarations == "all":
            yield from with_first_card(state, self.player(state))

    def facts(self, state: BeloteState) -> Iterator[Phrase]:
        """Trumps and tricks, the taker, and what was declared."""
        yield from super().facts(state)
        if state.taker is not None:
            yield Phrase.of("facts.taker", seat=state.taker)
        for one in state.declared:
            yield Phrase.of("facts.declared", seat=one.seat, what=one.kind)

    def verify(self, state: BeloteState, act: Act) -> None:
        """A bid names a suit; a declared combination exists."""
        super().verify(state, act)
        need_seat(act, Verb.BID, Verb.DECLARE, Verb.PASS)
        if act.verb is Verb.BID and (len(act.words) != 1 or act.words[0] not in SUIT_WORDS):
            raise ActError(f"'{act}': expected one of {', '.join(SUIT_WORDS)} as a bid")
        royal = len(act.words) == 1 and act.words[0] in ROYAL and not act.cards
        if act.verb is Verb.DECLARE and not royal and not declaration(act, 0):
            raise ActError(f"'{act}': expected a run's highest card, or four of a kind over eights")
        turned_up = act.verb is Verb.DEAL and act.spot == BOARD and not act.down
        if turned_up and not all(card.known for card in act.cards):
            raise ActError(f"'{act}': the turned card may fix trumps; expected one such as QS")

    def trace(self, state: BeloteState, act: Act) -> Trace:
        """What is shown is turned up; the card taken from the table is face up already."""
        if act.verb is not Verb.SHOW:
            return super().trace(state, act)
        known = state.showing(act.seat) if act.seat is not None else ()
        hidden = act.with_cards([card for card in act.cards if card not in known])
        alone = bool(act.cards) and not hidden.cards
        return () if alone else tuple(TRACES[Verb.SHOW](state.table, state.spots, hidden))

    def effect(self, state: BeloteState, act: Act) -> BeloteState:
        """Apply the act's consequences."""
        after = self.when_full(self._done(state, act))
        if not after.opened:
            after = replace(after, opened=next_batch(after, _batches(after)) is None)
        elif after.taker and not after.dealt and not after.table.at(BOARD):
            after = replace(after, dealt=next_batch(after, _batches(after)) is None)
        after = exposed(seen(after))
        if after.thrown_in and not after.settled:
            return replace(after.call("belote.thrown-in"), settled=True)
        over = self.phase(after) in ("playing", "gathering") and self.played_out(after)
        return _concluded(self, after) if over else after

    def _done(self, state: BeloteState, act: Act) -> BeloteState:
        match act.verb:
            case Verb.BID if act.seat is not None and state.taker is None:
                suit = SUIT_WORDS[act.words[0]]
                taken = replace(state, bids=(*state.bids, (act.seat, suit)), trump=suit)
                return taken.call("belote.taker", seat=act.seat, suit=act.words[0])
            case Verb.PASS if act.seat == state.bidder and state.opened and state.taker is None:
                return replace(state, bids=(*state.bids, (state.bidder, None)))
            case Verb.PASS if act.seat is not None and state.dealt and not state.tricks:
                spoken = {*state.spoken, act.seat}
                return replace(state, spoken=tuple(s for s in state.order if s in spoken))
            case Verb.DECLARE if act.words[0] in ROYAL:
                return royal_said(state, act)
            case Verb.DECLARE:
                one = declaration(act, len(state.acts))
                assert one is not None
                first = any(self._with_first_card(state))
                late = not first if self.show_second else bool(state.tricks or state.trick)
                return state if late or not state.dealt else declared(state, one)
            case Verb.PLAY if state.belote is None and self.declarations != "none":
                after = self.took_place(state, act)
                holder = after.belote
                return after.call("belote.rebelote", seat=holder) if holder else after
        return self.took_place(state, act)

    def slip(self, state: BeloteState, act: Act, fault: str) -> str:
        """The suit of the turned card is offered first, then the others."""
        if act.verb is Verb.BID and fault == "wrong-word":
            first = len(state.bids) < len(state.order)
            return "belote.first-suit" if first else "belote.second-suit"
        if act.verb is Verb.PLAY and fault == "not-now":
            hides = any(
                one.verb is Verb.SHOW and act.seat in one.seats for one in state.turn.awaited
            )
            return "belote.not-shown" if hides else fault
        return fault

    def conceals(self, state: BeloteState, act: Act) -> str | None:
        """Whether declared cards are missing from the hand, out of sight."""
        if act.verb is not Verb.DECLARE or act.seat is None:
            return super().conceals(state, act)
        royal = act.words[0] in ROYAL
        one = royal_called(state, act) if royal else declaration(act, 0)
        hand = {*state.hand(act.seat), *state.played(act.seat)}
        if one is None or not set(one.cards) <= hand:
            return FALSE
        twice = not royal and overlaps(state.declared, one)
        return "belote.declared-twice" if twice else None

    def follow(self, state: BeloteState) -> Start:
        """Pass the deal on; at 1,000 points a new match begins, with nothing held over."""
        start = super().follow(state)
        if state.void:
            return start
        after = replace(start, dealer=start.after(state.dealer, self.direction))
        if match_winners(self, state):
            return fresh_sheet(after, CARRIED)
        return after.noting(carried=str(state.carry)) if state.carry or start.notes else after


def _batches(state: BeloteState) -> tuple[Batch, ...]:
    """Three and two to each and a card turned up; then eight for all, counting the taker's card."""
    if state.opened:
        return rounds(state.order, HAND)
    upcard = Batch(BOARD, 1, down=False, says=Phrase("belote.turn.upcard"))
    return (*rounds(state.order, FIRST, SECOND), upcard)


def _bidding(state: BeloteState) -> Iterator[Awaited]:
    """Offer the suit of the turned card to all first, then any other."""
    said, seat = len(state.bids), state.bidder
    offered = {card.suit for card in state.table.cards(BOARD)}
    first = said < len(state.order)
    words = tuple((w,) for w, suit in SUIT_WORDS.items() if (suit in offered) is first)
    says = Phrase.of("belote.turn.first" if first else "belote.turn.second", seat=seat)
    yield Awaited(Verb.PASS, says, (seat,))
    yield Awaited(Verb.BID, says, (seat,), words=words, required=False)


def _concluded(game: Belote, state: BeloteState) -> BeloteState:
    """Score the hand, and end the match if it is won."""
    assert state.taker is not None
    takers = state.side(state.taker)
    after = told(scored(state, game.count), (takers, state.others(takers)), GOAL)
    best = match_winners(game, after)
    return replace(after.call("belote.match", seats=best) if best else after, settled=True)


def match_winners(game: Belote, state: BeloteState) -> tuple[int, ...]:
    """Who has won the match with this hand: a side, everybody in a tie, or nobody yet."""
    sides = (state.start.seats[0::2], state.start.seats[1::2])
    return arrived(totals(state), sides, GOAL, highest_only=game.both_reach == "highest")
