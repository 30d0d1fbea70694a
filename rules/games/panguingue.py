"""Panguingue (Pan): a drawn card is melded or discarded, and conditions are paid at once.

Five to eleven packs of forty (without eights, nines and tens) and two to fifteen players; play goes
to the right. All ante; ten cards each are dealt, two at a time, and one is turned up. Before the
first draw anybody may drop out for two chips. In turn a player turns over a card of the stock,
which is melded or discarded, or takes the upcard to meld it at once; whoever melds then discards
from the hand. Others may force a player to take an upcard that can be melded. Melds on the table
are spreads (three or four of a rank, in different suits, or of one suit; aces and kings of any) and
ropes (three or more of a suit in sequence, the jack next to the seven, the ace low). Later cards
may repeat a suit of a mixed spread. A longer meld may be split, or lend cards for a new one, if
what stays is a meld; a new one borrows from one meld only. Conditions are paid by every player
still in, when they are laid, again for each card added, and again to the winner: spreads of threes,
fives and sevens (1; of one suit 2, spades 4), others of one suit (1, spades 2), ropes with A-2-3 or
J-Q-K (1, spades 2). Eleven cards melded win the pot and a chip from everybody still in. A card may
be kept only if the next player would go out with it. A card melded or discarded without a recorded
draw counts as having been drawn for it: no card has to rest anywhere.

The beginning of a hand's record (the dealer at seat 1; the ante is the lower limit)::

    [Game "panguingue"]
    [Seats "2"]
    [Dealer "1"]
    [Limits "1 20"]

    ante
    deal 2 ?? ??
    deal 1 ?? ??
    deal 2 ?? ??
    deal 1 ?? ??
    deal 2 ?? ??
    deal 1 ?? ??
    deal 2 ?? ??
    deal 1 ?? ??
    deal 2 ?? ??
    deal 1 ?? ??
    deal discards 4H
    2 draw stock 5S
    2 meld 5S 5D 5C
    2 discard KD
    1 draw stock QC
    1 discard QC

Verbs: ``ante``, ``deal``, ``fold`` (drop out), ``draw stock CARD``, ``draw discards CARD``,
``declare force``, ``meld CARD…``, ``lay SPOT CARD…``, ``move SPOT SPOT CARD…`` (borrow for a new
meld), ``discard CARD`` (the card turned over, or from the hand), ``pay SEAT AMOUNT`` (a payment for
a condition, to have it checked), ``shuffle`` (the discards but the upcard become the new stock),
``clear``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from rules.acts import Act, Verb
from rules.cards import Card, Deck
from rules.dealing import Batch, rounds
from rules.errors import ActError
from rules.frozen import replace
from rules.game import house_rule
from rules.melds.laying import is_meld_spot, meld_spots
from rules.melds.spreadgame import HAND, MELDED, PLACES, SpreadGame
from rules.melds.spreads import (
    FORCED,
    RULES,
    TURNED,
    Declined,
    SpreadState,
    additions,
    at_once,
    condition,
    conditions,
    due,
    fits_table,
    is_lending,
    judged,
    lender,
    parting,
    place_of,
    stands,
    straight,
    usable,
)
from rules.phrases import Phrase
from rules.resume import evened
from rules.scoring import ante_all, pay_counters
from rules.settlement import POT
from rules.spots import Shape, Spot, Table
from rules.start import LIMIT_MOST, Direction, Level, Start
from rules.stock import DISCARDS, RUMMY_VERBS, STOCK, known, stock_spots
from rules.turn import Awaited, Turn, anteing
from rules.verifying import need_seat

DROP = 2
FORCE = ("force",)
SAID = frozenset({Verb.MELD, Verb.LAY, Verb.FOLD, Verb.DECLARE, Verb.PAY})


@dataclass(frozen=True)
class Panguingue(SpreadGame):
    """Panguingue with its house rules.

    >>> [rule.text for rule in Panguingue().house_rules()]
    ['8', 'yes', 'yes', 'any']
    """

    name: ClassVar[str] = "panguingue"
    also: ClassVar[tuple[str, ...]] = ("pan",)
    players: ClassVar[range] = range(2, 16)
    direction: ClassVar[Direction] = Direction.RIGHT
    vocabulary: ClassVar[frozenset[Verb]] = RUMMY_VERBS - {Verb.SHOW} | {
        Verb.ANTE, Verb.FOLD, Verb.DECLARE, Verb.MELD, Verb.LAY, Verb.PAY,
    }  # fmt: skip
    busy: ClassVar[str] = "melding"

    packs: int = house_rule(8, "How many packs of forty there are.", choices=tuple(range(5, 12)))
    added_pays: bool = house_rule(True, "A condition is paid again for each card added.")
    rope_pays: bool = house_rule(True, "A rope that is a condition is paid again, too.")
    upcard: str = house_rule(
        "any",
        "Any upcard may be taken, or only one that was turned from the stock.",
        choices=("any", "stock"),
    )

    def deck(self, start: Start) -> Deck:
        """A deck of `packs` packs of forty."""
        return packs_of_forty(self.packs)

    def hand_size(self, start: Start) -> int:
        """Ten."""
        return HAND

    def batches(self, state: SpreadState) -> tuple[Batch, ...]:
        """Two at a time."""
        hands = rounds(state.order, *(2,) * (HAND // 2))
        return (*hands, Batch(DISCARDS, 1, down=False, says=Phrase("turn.upcard")))

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """Hands, stock, discards, the card turned over, and melds."""
        stock = stock_spots(start.seats, HAND + 1, len(self.deck(start)), shown=False)
        turned = Spot(TURNED, shape=Shape.SINGLE)
        return (*stock, turned, *meld_spots(start.seats, PLACES, MELDED))

    def open(self, start: Start) -> SpreadState:
        """Start before the antes."""
        self.check_start(start)
        anted = start.level is not Level.AMOUNTS
        return SpreadState(game=self, start=start, limits=start.limits, anted=anted)

    def phase(self, state: SpreadState) -> str:
        """Posting, dealing, drawing, melding or scored."""
        return super().phase(state) if state.anted else "posting"

    def turn(self, state: SpreadState) -> Turn:
        """The antes, the deal, then turns that others may interrupt."""
        if not state.anted:
            return anteing(self.ante(state), Phrase("turn.ante"))
        turn = super().turn(state)
        if not state.dealt or state.settled:
            return turn
        others, pays = tuple(self._others(state)), tuple(_paying(state))
        if state.start.level is Level.AMOUNTS:
            return replace(turn, interrupts=(*others, *pays))
        return replace(turn, interrupts=others, also=(*turn.also, *pays))

    def _others(self, state: SpreadState) -> Iterator[Awaited]:
        """Dropping out and forcing."""
        if not state.begun and len(state.live) > 1:
            yield Awaited(Verb.FOLD, Phrase("panguingue.turn.drop"), state.live, required=False)
        others = self._forcing(state)
        if others:
            says = Phrase.of("panguingue.turn.force", seat=state.actor, cards=state.upcards)
            yield Awaited(Verb.DECLARE, says, others, words=(FORCE,), required=False)

    def _forcing(self, state: SpreadState) -> tuple[int, ...]:
        """The seats that may force the actor to take the upcard."""
        if not self.takable(state) or state.drawn or state.forced:
            return ()
        return tuple(seat for seat in state.live if seat != state.actor)

    def takable(self, state: SpreadState) -> bool:
        """Whether the upcard may be taken; a house rule may require it to come from the stock."""
        return super().takable(state) and (state.fresh or self.upcard == "any")

    # What acts mean and where cards go.

    def verify(self, state: SpreadState, act: Act) -> None:
        """Melded cards are known; a payment names a seat and an amount."""
        super().verify(state, act)
        need_seat(act, *SAID)
        if act.verb is Verb.DECLARE and (act.words != FORCE or act.cards):
            raise ActError(f"'{act}': expected the word force")
        if act.verb is Verb.PAY and (
            len(act.numbers) != 2 or act.numbers[0] not in state.start.seats
        ):
            raise ActError(f"'{act}': expected a seat and an amount")
        unclear = act.down or not act.cards or not known(act.cards)
        if act.verb in (Verb.MELD, Verb.LAY, Verb.DRAW) and unclear:
            raise ActError(f"'{act}': expected cards with rank and suit, such as QS")
        if act.verb is Verb.LAY and not is_meld_spot(act.spot or ""):
            raise ActError(f"'{act}': expected a meld's place, such as {act.seat}.meld-1")
        if act.verb is Verb.MELD and act.seat is not None and not self.spot_for(state, act.seat):
            raise ActError(f"'{act}': no place is left for another meld")

    def contained(self, state: SpreadState, act: Act) -> Act | None:
        """The draw of a card played straight from the stock; which one of a meld, nobody saw."""
        source, card = straight(state, act, self.takable(state))
        if card is None or source != STOCK or len(act.cards) > 1:
            return None
        return Act(Verb.DRAW, seat=act.seat, spot=source, cards=(card,))

    def conceals(self, state: SpreadState, act: Act) -> str | None:
        """Whether a card that cannot be melded is forced, or one that can be melded is refused."""
        if act.verb is Verb.DECLARE and usable(state, state.upcards[0]) is False:
            return "panguingue.force"
        forced = state.forced and not state.drawn and act.seat == state.actor
        takable = self.takable(state)
        source = act.spot if act.verb is Verb.DRAW else straight(state, act, takable)[0]
        if forced and source == STOCK and state.top is not None:
            return FORCED if usable(state, state.top) else None
        return None

    def resumed(self, state: SpreadState, seat: int | None) -> SpreadState:
        """Take the discards from the table as it is; ten cards, and the drawn one, are each
        player's."""
        after = super().resumed(state, seat)
        if after.dealt and not after.ended:
            out = {one: after.melded(one) + (one == after.actor) * len(after.turned)
                   for one in after.live}  # fmt: skip
            sizes = {one: HAND + (after.drawn and one == after.actor) - out[one] for one in out}
            after = replace(after, table=evened(after.table, sizes))
        return replace(after, top=next(iter(after.upcards), None), piled=len(after.pile))

    def caught_up(self, state: SpreadState, before: Table) -> SpreadState:
        """Let conditions be paid that were laid unseen, and end the hand if somebody is out."""
        after, owed = state, state.owed
        for seat in state.live if state.dealt and not state.ended else ():
            for each, cards in self._unpaid(state.melds(seat), before):
                after = self._charged(after, seat, each, "panguingue.condition", cards)
                owed = (*owed, *after.owed)
            after = replace(after, owed=owed)
            after = after if after.begun_meld(seat) else self._out(after, seat)
        return after

    def _unpaid(
        self, melds: Mapping[str, tuple[Card, ...]], before: Table
    ) -> Iterator[tuple[int, tuple[Card, ...]]]:
        """What each opponent pays for melds that have grown since a table `before`, and for which.

        Of melds that have lent cards, more conditions than before are paid.
        """
        grown = [(self._due(act, cards), cards) for act, cards in additions(melds, before)]
        were = {place: before.cards(place) for place in melds}
        if any(Counter(were[place]) - Counter(cards) for place, cards in melds.items()):
            more = max(0, conditions(melds.values()) - conditions(were.values()))
            grown = [(more, cards) for _, cards in sorted(grown, key=lambda one: -one[0])[:1]]
        yield from (one for one in grown if one[0])

    def _due(self, act: Act, cards: tuple[Card, ...]) -> int:
        """What each opponent pays for what `act` has laid, by the house rules on additions."""
        fresh, again = due(act, cards)
        rope = len({card.rank for card in cards}) > 1
        return fresh + (again if self.added_pays and (self.rope_pays or not rope) else 0)

    def effect(self, state: SpreadState, act: Act) -> SpreadState:
        """Handle antes, drops, turns, conditions and going out."""
        if act.verb is Verb.ANTE and not state.anted:
            return ante_all(replace(state, anted=True), self.ante(state), "panguingue.ante")
        after = state
        if not state.dealt or state.settled:
            after = super().effect(state, act)
        else:
            after = self._done(judged(self._drew_straight(state, act), act), act)
        pile = after.table.at(DISCARDS)
        upcard = pile[-1].card if pile else None
        same = after.top == upcard and after.piled == len(pile)
        return after if same else replace(after, top=upcard, piled=len(pile))

    def _drew_straight(self, state: SpreadState, act: Act) -> SpreadState:
        """Note that a card melded or discarded at once must have been drawn first."""
        if not at_once(state, act):
            return state
        if len(state.table.at(DISCARDS)) >= state.piled:
            return self._refused(_drew(state, STOCK, act.card), act)
        after = _drew(state, DISCARDS, state.top or act.card)
        takable = state.fresh or self.upcard == "any"
        return after if takable else after.flag("wrong-place", seat=act.seat, cards=act.cards)

    def _refused(self, state: SpreadState, act: Act) -> SpreadState:
        """Judge a forced player who drew from the stock, as far as the hand is already seen."""
        if not state.forced or state.top is None or act.seat is None:
            return state
        if not fits_table(state, state.top):
            declined = Declined(act.seat, len(state.acts), state.top)
            return replace(state, declined=(*state.declined, declined))
        melds = act.verb in (Verb.MELD, Verb.LAY)
        return state.flag(FORCED, seat=act.seat, cards=(state.top,)) if melds else state

    def _done(self, state: SpreadState, act: Act) -> SpreadState:
        match act.verb:
            case Verb.FOLD if act.seat in state.live and not state.begun:
                return self._dropped(state, act.seat)
            case Verb.DECLARE if act.seat in self._forcing(state) and state.actor is not None:
                return replace(state, forced=True).call("panguingue.forced", seat=state.actor)
            case Verb.DRAW if act.seat == state.actor and not state.drawn:
                after = _drew(state, act.spot or STOCK, act.card)
                return self._refused(after, act) if after.source == STOCK else after
            case Verb.MELD | Verb.LAY | Verb.MOVE if act.seat is not None:
                return self._laid(state, act, act.seat)
            case Verb.DISCARD if act.seat == state.actor and state.drawn:
                return self._discarded(state, act)
            case Verb.PAY:
                return _payment(state, act)
        return state

    def ante(self, state: SpreadState) -> int:
        """The lower limit."""
        return state.limits[0] if state.limits else 1

    def _dropped(self, state: SpreadState, seat: int) -> SpreadState:
        after = pay_counters(state, seat, POT, DROP, "panguingue.drop")
        after = replace(after, dropped=state.dropped | {seat}).call("panguingue.dropped", seat=seat)
        if len(after.live) == 1:
            return self._won(after, after.live[0])
        # Whoever plays first instead has not been forced.
        forced = state.forced and seat != state.actor
        return replace(after, actor=after.live[0], forced=forced)

    def _laid(self, state: SpreadState, act: Act, seat: int) -> SpreadState:
        """Judge a meld, an addition or a loan as it is now, and charge what it pays."""
        spot = place_of(state, act)
        cards = state.table.cards(spot)
        after = state
        if not spot.startswith(f"{seat}."):
            return after.flag("melds.foreign", seat=seat, cards=act.cards)
        if state.drawn and not state.turned:
            after = replace(after, used=True)
        if act.verb is Verb.MOVE:
            return self._lent(after, act, seat, cards)
        fresh = act.verb is Verb.MELD or len(cards) - len(act.cards) in (1, 2)
        if (spot_lent := lender(state, spot)) and is_lending(state, spot):
            after = self._lends(after, spot_lent, seat)
        if len(cards) < 3 and len(cards) > len(act.cards):
            return after  # the rest of the meld is still to come
        if not (RULES.allows(cards) if fresh else stands(cards)):
            return self._out(after.flag("panguingue.meld", seat=seat, cards=act.cards), seat)
        owed = self._due(act, cards)
        return self._out(self._charged(after, seat, owed, "panguingue.condition", cards), seat)

    def _lent(
        self, state: SpreadState, act: Act, seat: int, cards: tuple[Card, ...]
    ) -> SpreadState:
        """Judge a loan: both parts must be melds, but one or two cards may wait for others.

        Cards that go one by one pay together what they would have paid at once.
        """
        rest = state.table.cards(act.spot or "")
        more = len(cards) < 3 < len(rest)  # may still be lent: what stays is judged afterwards
        after = state if more else self._lends(state, act.spot, seat)
        if len(cards) >= 3 and not RULES.allows(cards):
            return self._out(after.flag("panguingue.meld", seat=seat, cards=act.cards), seat)
        waiting = cards[: -len(act.cards)]
        paid = parting(waiting, (*rest, *act.cards)) if waiting else 0
        owed, made = max(0, parting(cards, rest) - paid), cards if condition(cards) else rest
        return self._out(self._charged(after, seat, owed, "panguingue.condition", made), seat)

    def _lends(self, state: SpreadState, spot: str | None, seat: int) -> SpreadState:
        """Judge what stays of a meld that has lent cards."""
        rest = state.table.cards(spot or "")
        return state if stands(rest) else state.flag("panguingue.borrow", seat=seat, cards=rest)

    def _charged(
        self, state: SpreadState, seat: int, due: int, reason: str, cards: tuple[Card, ...]
    ) -> SpreadState:
        """Let everybody else still in pay."""
        payers = [other for other in state.live if other != seat] if due else []
        after = state
        for payer in payers:
            after = pay_counters(after, payer, seat, due, reason)
        if not payers:
            return after
        owed = tuple((payer, seat, due) for payer in payers)
        called = after.call("panguingue.condition", seat=seat, count=due, cards=cards)
        return replace(called, owed=owed)

    def _discarded(self, state: SpreadState, act: Act) -> SpreadState:
        """Pass the turn on, noting whether the upcard came from the stock or from a hand."""
        assert state.actor is not None
        thrown = not state.used and act.card == state.card and state.source == STOCK
        kept = not state.used and not thrown and state.source == STOCK
        return replace(
            state,
            actor=state.next_live(state.actor),
            drawn=False,
            forced=False,
            fresh=thrown,
            declined=tuple(one for one in state.declined if not kept or one.seat != act.seat),
        )

    def _out(self, state: SpreadState, seat: int) -> SpreadState:
        if seat not in state.live or state.melded(seat) < MELDED:
            return state
        return self._won(state.call("melds.out", seat=seat), seat)

    def _won(self, state: SpreadState, seat: int) -> SpreadState:
        """Pay the winner the pot, a chip from everybody still in, and all conditions once more."""
        after = replace(state, out=seat, ended=True, settled=True)
        if state.start.level is Level.AMOUNTS:
            after = after.pay(POT, seat, self.pot(after), "panguingue.pot")
        else:
            after = after.pay(POT, seat, None, "panguingue.pot")
        for payer in [other for other in state.live if other != seat]:
            after = pay_counters(after, payer, seat, 1, "panguingue.out")
            if worth := state.conditions(seat):
                after = pay_counters(after, payer, seat, worth, "panguingue.again")
        return after


@cache
def packs_of_forty(count: int) -> Deck:
    """A deck of `count` packs without eights, nines and tens."""
    return Deck.italian(packs=count)


def _drew(state: SpreadState, source: str, card: Card) -> SpreadState:
    return replace(state, drawn=True, begun=True, source=source, card=card, used=False, owed=())


def _paying(state: SpreadState) -> Iterator[Awaited]:
    """What is owed for a condition, which the rules fix whether chips are counted or not."""
    if state.owed:
        payers = tuple(dict.fromkeys(payer for payer, _, _ in state.owed))
        says = Phrase.of("panguingue.turn.pay", seat=state.owed[0][1], count=state.owed[0][2])
        yield Awaited(Verb.PAY, says, payers, numbers=(1, LIMIT_MOST), required=False)


def _payment(state: SpreadState, act: Act) -> SpreadState:
    """Check a payment against what is owed."""
    paid = (act.seat or 0, *act.numbers)
    if paid not in state.owed:
        return state.flag("panguingue.payment", seat=act.seat)
    return replace(state, owed=tuple(one for one in state.owed if one != paid))
