"""Guts: two cards, in or out, and whoever is in and loses matches the pot.

All ante, and everybody gets two cards. In turn from the dealer's left each says whether they are in
or out; those out discard their cards. A single player in takes the pot unseen. Of several the best
hand takes it: the higher pair, or else the higher card, then the lower one; equal hands share, and
an odd remainder stays in the pot. Every loser pays the amount of the pot, which makes the pot of
the next hand. Players ante again when the pot has been won and nobody had to pay.

A hand's record (a pot of 25 from earlier hands; ``fold`` says out)::

    [Game "guts"]
    [Seats "3"]
    [Dealer "3"]
    [Pot "25"]

    deal 1 (AS)
    deal 2 (7C)
    deal 3 (TD)
    deal 1 (9H)
    deal 2 (2D)
    deal 3 (TH)
    1 declare in
    2 fold
    3 declare in
    1 show AS 9H
    3 show TD TH
    clear

Verbs: ``ante`` (all antes are in), ``deal``, ``declare in``, ``fold`` (out, discarding the cards;
``declare out`` says it alone: if the best hand pays when all are out, cards are kept until then),
``show``, ``clear``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from rules.acts import Act, Verb
from rules.cards import Card, Deck
from rules.chips import POT_PLACE, BettingPlace, Stake, with_pot
from rules.dealing import lacking
from rules.errors import ActError
from rules.frozen import replace
from rules.game import Game, house_rule
from rules.phrases import Phrase
from rules.poker.hands import Strength, two_cards
from rules.scoring import ante_all
from rules.settlement import POT
from rules.showing import willing
from rules.spots import Face, Spot
from rules.start import Level, Start
from rules.state import CLEARING, State
from rules.turn import Awaited, Turn, anteing
from rules.verifying import need_seat, need_whole_cards

CARDS = 2
DECK = Deck.standard()
FLAVOR = "flavor"
"""Key of the note that the pot holds only an odd remainder."""


@dataclass(frozen=True, kw_only=True)
class GutsState(State):
    """State of a hand of Guts."""

    anted: bool = False
    inside: frozenset[int] = frozenset()
    """The seats that have said in."""
    outside: frozenset[int] = frozenset()
    """The seats that have said out."""
    settled: bool = False
    left: int = 0
    """The pot of the next hand."""
    matched: bool = False
    """Whether somebody has paid into it."""

    @property
    def undecided(self) -> tuple[int, ...]:
        """The seats that have said neither in nor out, in order."""
        return tuple(s for s in self.order if s not in self.inside | self.outside)

    @property
    def contenders(self) -> tuple[int, ...]:
        """Who shows at the end: those in, or everybody if all are out and one has to pay."""
        if self.inside or self.undecided or not _kept(self):
            return tuple(seat for seat in self.order if seat in self.inside)
        return self.order

    @property
    def to_show(self) -> tuple[int, ...]:
        """The seats that have to show cards now."""
        if len(self.contenders) < 2:
            return ()
        return tuple(seat for seat in self.contenders if self.covered(seat))


@dataclass(frozen=True)
class Guts(Game[GutsState]):
    """Guts with its house rules.

    >>> Guts(maximum=50).house_rules()[1].text
    '50'
    """

    name: ClassVar[str] = "guts"
    players: ClassVar[range] = range(2, 23)
    vocabulary: ClassVar[frozenset[Verb]] = frozenset(
        {Verb.ANTE, Verb.DEAL, Verb.DECLARE, Verb.FOLD, Verb.SHOW}
    )

    ante_chips: int = house_rule(1, "What each puts in when a pot begins.", least=1)
    maximum: int = house_rule(0, "The pot that caps what a loser pays; 0 for no cap.", least=0)
    literal_cap: bool = house_rule(
        False, "Losers pay in full, from the dealer's left, until the pot exceeds the maximum."
    )
    ante_each_deal: bool = house_rule(False, "All ante in every deal.")
    all_out: str = house_rule(
        "stays",
        "When all are out the pot stays, or the best hand matches it.",
        choices=("stays", "best-pays"),
    )
    together: bool = house_rule(False, "All say in or out at once.")

    def deck(self, start: Start) -> Deck:
        """Fifty-two cards."""
        return DECK

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """Two cards for each seat."""
        return tuple(
            Spot("cards", owner=seat, capacity=CARDS, face=Face.EITHER) for seat in start.seats
        )

    def betting_places(self, start: Start) -> tuple[BettingPlace, ...]:
        """Antes are placed in front of the seats, and go into the pot from there."""
        return with_pot(start.seats)

    def stakes_lying(self, state: GutsState) -> Iterator[Stake]:
        """The pot; after the showdown it includes what the losers matched."""
        pot = self.pot(state)
        yield Stake(POT_PLACE, pot if state.start.level is Level.AMOUNTS else None)

    def open(self, start: Start) -> GutsState:
        """Start with the antes in if more than a remainder is left in the pot."""
        self.check_start(start)
        stands = start.pot > 0 and not start.note(FLAVOR) and not self.ante_each_deal
        anted = stands or start.level is not Level.AMOUNTS
        return GutsState(game=self, start=start, limits=start.limits, anted=anted)

    def phase(self, state: GutsState) -> str:
        """Anteing, dealing, declaring, showdown or paying."""
        if state.settled:
            return "paying"
        if not state.anted:
            return "posting"
        if _lacking(state):
            return "dealing"
        return "declaring" if state.undecided else "showdown"

    def turn(self, state: GutsState) -> Turn:
        """What is awaited in each phase."""
        match self.phase(state):
            case "posting":
                return anteing(self.ante_chips, Phrase("turn.ante"))
            case "dealing":
                return Turn(tuple(_dealing(state)))
            case "declaring":
                seats = state.undecided if self.together else state.undecided[:1]
                each = tuple(one for seat in seats for one in self._declaring(seat))
                also = tuple(map(_out, seats)) if not _kept(state) else ()
                return Turn(each, tuple(_leaving(state)), together=self.together, also=also)
            case "showdown":
                return Turn(tuple(_shows(state)), tuple(_leaving(state)), together=True)
        return Turn((CLEARING,), (*willing(state), *_leaving(state)))

    def _declaring(self, seat: int) -> Iterator[Awaited]:
        says = Phrase.of("guts.turn.declare", seat=seat)
        words: tuple[tuple[str, ...], ...] = (("in",),)
        if self.all_out == "best-pays":
            yield Awaited(Verb.DECLARE, says, (seat,), words=(*words, ("out",)))
            return
        yield Awaited(Verb.DECLARE, says, (seat,), words=words)
        yield Awaited(Verb.FOLD, says, (seat,), required=False)

    def verify(self, state: GutsState, act: Act) -> None:
        """A player says in or out; cards shown are known in full."""
        need_seat(act, Verb.DECLARE, Verb.FOLD)
        if act.verb is Verb.DECLARE and (act.words not in (("in",), ("out",)) or act.cards):
            raise ActError(f"'{act}': expected in or out")
        if act.verb in (Verb.SHOW, Verb.TURN, Verb.DEAL):
            need_whole_cards(act)

    def slip(self, state: GutsState, act: Act, fault: str) -> str:
        """A second declaration, as only the first counts."""
        said = act.seat in (*state.inside, *state.outside)
        return "guts.said" if act.verb in (Verb.DECLARE, Verb.FOLD) and said else fault

    def effect(self, state: GutsState, act: Act) -> GutsState:
        """Apply the act's consequences."""
        if state.settled:
            return state
        match act.verb:
            case Verb.ANTE if not state.anted:
                return ante_all(replace(state, anted=True), self.ante_chips, "guts.ante")
            case Verb.FOLD if act.seat is not None:
                return _said(state, act.seat, inside=False)
            case Verb.DECLARE if act.seat is not None:
                return _said(state, act.seat, inside=act.words == ("in",))
        return state

    def concluded(self, state: GutsState) -> GutsState:
        """Give the pot away, once everybody has declared and who is in has shown."""
        if state.settled or not state.anted or _lacking(state) or state.undecided or state.to_show:
            return state
        return self._settled(state)

    def _settled(self, state: GutsState) -> GutsState:
        """Give the pot to the best hand, and let all others who are in match it."""
        pot = self.pot(state)
        state = replace(state, settled=True)
        if not state.inside:
            return self._all_out(state, pot)
        winners = best(state)
        counted = state.start.level is Level.AMOUNTS
        part, left = divmod(pot, len(winners))
        state = replace(state, left=left)
        for seat in winners:
            rate = Fraction(1, len(winners))
            if part or not counted:
                amount = part if counted else None
                state = state.pay(
                    POT, seat, amount, "guts.pot", rate=rate, cards=_shown(state, seat)
                )
        state = _called(state, winners)
        losers = [seat for seat in state.contenders if seat not in winners]
        return self._matched(state, pot, losers)

    def _matched(self, state: GutsState, pot: int, losers: list[int]) -> GutsState:
        for seat in losers:
            chips = self._due(pot, state.left) if state.start.level is Level.AMOUNTS else None
            if chips == 0:
                continue
            state = state.pay(seat, POT, chips, "guts.match", cards=_shown(state, seat))
            state = replace(state, left=state.left + (chips or 0), matched=True)
        return state

    def _due(self, pot: int, next_pot: int) -> int:
        """The amount that a loser pays."""
        if not self.maximum:
            return pot
        if self.literal_cap:
            return pot if next_pot <= self.maximum else 0
        return min(pot, self.maximum)

    def _all_out(self, state: GutsState, pot: int) -> GutsState:
        """Leave the pot; the best hand may have to match it for not playing."""
        state = replace(state, left=pot, matched=True).call("guts.all-out")
        if self.all_out == "stays":
            return state
        return self._matched(state, pot, list(best(state)))

    def follow(self, state: GutsState) -> Start:
        """Pass the deal to the left, and note whether the pot was won but for a remainder."""
        start = super().follow(state)
        if state.void:
            return start
        notes = tuple((name, note) for name, note in start.notes if name != FLAVOR)
        start = replace(start, dealer=start.after(start.dealing_seat), notes=notes)
        return start.noting(**{FLAVOR: "yes"}) if state.left and not state.matched else start


def _kept(state: GutsState) -> bool:
    game = state.game
    return isinstance(game, Guts) and game.all_out == "best-pays"


def _lacking(state: GutsState) -> list[int]:
    """The seats that have not been dealt two cards."""
    return [seat for seat in state.undecided if len(state.table.at(str(seat))) < CARDS]


def _dealing(state: GutsState) -> Iterator[Awaited]:
    for spots, missing in lacking(state, map(str, state.undecided), CARDS):
        says = Phrase.of("turn.deal-each", seat=int(spots[0]), count=1)
        yield Awaited(Verb.DEAL, says, spots=spots, pick=1, counts=(1, missing), down=True)


def _shows(state: GutsState) -> Iterator[Awaited]:
    for seat in state.to_show:
        hidden = state.covered(seat)
        says = Phrase.of("turn.show", seat=seat)
        counts = (1, len(hidden))
        yield Awaited(Verb.SHOW, says, (seat,), pick=len(hidden), counts=counts, among=hidden)


def _out(seat: int) -> Awaited:
    """A player may say out first, and discard the cards later."""
    return Awaited(
        Verb.DECLARE, Phrase.of("guts.turn.declare", seat=seat), (seat,), words=(("out",),)
    )


def _leaving(state: GutsState) -> Iterator[Awaited]:
    """The cards of those who have said out."""
    if _kept(state):
        return
    for seat in state.order:
        if seat in state.outside and state.table.at(str(seat)):
            yield Awaited(Verb.FOLD, Phrase("turn.folds"), (seat,), required=False)


def _said(state: GutsState, seat: int, *, inside: bool) -> GutsState:
    """Note a declaration; only the first one counts."""
    if seat not in state.undecided:
        return state
    if inside:
        return replace(state, inside=state.inside | {seat})
    return replace(state, outside=state.outside | {seat})


def _shown(state: GutsState, seat: int) -> tuple[Card, ...]:
    return tuple(laid.card for laid in state.table.at(str(seat)) if laid.up)


def best(state: GutsState) -> tuple[int, ...]:
    """The seats with the best hand among those who show."""
    if len(state.contenders) == 1:
        return state.contenders
    worth = {seat: _worth(state, seat) for seat in state.contenders}
    return tuple(seat for seat in state.contenders if worth[seat] == max(worth.values()))


def _worth(state: GutsState, seat: int) -> Strength:
    return two_cards(state.table.cards(str(seat))[:CARDS])


def _called(state: GutsState, winners: tuple[int, ...]) -> GutsState:
    if len(state.contenders) == 1:
        return state.call("guts.alone", seat=winners[0])
    worth = _worth(state, winners[0])
    kind = "pair" if worth.kind else "high"
    return state.call(f"guts.{kind}", seats=winners, cards=worth.cards)
