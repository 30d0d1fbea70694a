"""Seven and a Half: draw as near to 7½ as you dare, against the banker.

Aces to sevens count their number, face cards a half; the king of diamonds is wild and stands for
whatever whole number serves its holder best. Every player bets, gets one card face down and draws
face up. A player who busts (eight or more) shows the card and loses the bet and the cards at once;
7½ in two cards is shown at once, stands, and is paid two to one. Then the banker shows, draws and
stands, and all others show: lower hands pay, higher hands are paid even money, equal totals push,
and a banker who busts pays everybody still in. Once the deck is out nobody can draw. The bank
passes to the first holder of a two-card 7½, unless the banker has one. In Italy it is *sette e
mezzo*, the game of Christmas.

A hand's record (the banker at seat 1; seat 3 busts; a card dealt face down is in brackets)::

    [Game "seven-and-a-half"]
    [Seats "3"]
    [Banker "1"]
    [Limits "1 20"]

    2 bet 5
    3 bet 10
    close
    deal 2 (5C)
    deal 3 (6H)
    deal 1 (4S)
    2 stand
    3 hit
    deal 3 4D
    3 show 6H
    take 3 6H 4D
    1 show 4S
    deal 1 2C
    1 stand
    2 show 5C
    clear

Verbs: ``limits``, ``bet AMOUNT``, ``close`` (no more bets), ``deal``, ``hit``, ``stand``, ``show
CARD`` (a bust or a two-card 7½ at once, everything else at the end), ``take`` (a busted hand),
``clear``. The banker draws without saying so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import ClassVar

from rules.acts import Act, Verb
from rules.banks.bankgame import BANKING, BankGame
from rules.banks.banking import CLOSE, LIMITS, limits_wanted, verify_bet
from rules.banks.drawing import DrawState
from rules.cards import Card, Deck, Rank
from rules.errors import ActError
from rules.frozen import replace
from rules.game import house_rule
from rules.phrases import Phrase
from rules.showing import willing
from rules.spots import Shape, Spot
from rules.start import Level, Start
from rules.state import CLEARING
from rules.turn import Awaited, Turn

DECK = Deck.italian()
WILD = Card.parse("KD")
GOAL = 15
"""Seven and a half, counted in halves like all totals here."""
HALVES = {Rank(str(pip)): 2 * pip for pip in range(2, 8)} | {Rank.ACE: 2}
"""The value of a card in halves; face cards count one."""
NATURAL_CARDS = 2
CARDS_MOST = 11
"""Room for more cards than a hand will hold: eleven without a bust almost never occur."""
CARDS_LIMIT = 14
"""The most that a hand can hold: eleven face cards and two aces are 7½, and one more busts."""


def total(cards: tuple[Card, ...], matta_half: bool = False) -> int:
    """The total of `cards` in halves, with the best choice for the wild card.

    >>> from rules.cards import parse_cards
    >>> [total(parse_cards(hand)) for hand in ("7S QH", "KD QH", "KD", "7S KD", "KD 5C QH")]
    [15, 15, 14, 16, 15]
    >>> total(parse_cards("7S KD"), matta_half=True)
    15
    """
    plain = sum(HALVES.get(card.rank, 1) for card in cards if card != WILD)
    if WILD not in cards:
        return plain
    values = range(1 if matta_half else 2, GOAL)
    allowed = [value for value in values if value == 1 or value % 2 == 0]
    return max((plain + v for v in allowed if plain + v <= GOAL), default=plain + allowed[0])


def natural(cards: tuple[Card, ...], matta_half: bool = False) -> bool:
    """Whether `cards` are 7½ in two cards.

    >>> from rules.cards import parse_cards
    >>> natural(parse_cards("KD JC")), natural(parse_cards("6D AC JC"))
    (True, False)
    """
    return len(cards) == NATURAL_CARDS and total(cards, matta_half) == GOAL


@dataclass(frozen=True, kw_only=True)
class SevenState(DrawState):
    """State of a hand of Seven and a Half."""

    heir: int | None = None
    """The seat that takes over the bank."""


@dataclass(frozen=True)
class SevenAndAHalf(BankGame[SevenState]):
    """Seven and a Half with its house rules.

    >>> [rule.name for rule in SevenAndAHalf().house_rules()]
    ['matta_half', 'ties', 'natural_pays_on_bust']
    """

    name: ClassVar[str] = "seven-and-a-half"
    also: ClassVar[tuple[str, ...]] = ("sette-e-mezzo",)
    players: ClassVar[range] = range(2, 11)
    vocabulary: ClassVar[frozenset[Verb]] = BANKING | {Verb.DEAL, Verb.HIT, Verb.STAND, Verb.SHOW}

    matta_half: bool = house_rule(
        False, "The king of diamonds may also count a half, as other kings do."
    )
    ties: str = house_rule(
        "push", "Equal totals push, or the banker takes them.", choices=("push", "banker")
    )
    natural_pays_on_bust: bool = house_rule(
        True, "A two-card 7½ is paid two to one even when the banker busts."
    )

    def deck(self, start: Start) -> Deck:
        """Forty cards, without eights, nines and tens."""
        return DECK

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """A row of cards for each seat: the hole card, then the cards drawn."""
        return tuple(
            Spot("cards", owner=seat, capacity=CARDS_MOST, shape=Shape.ROW, limit=CARDS_LIMIT)
            for seat in start.seats
        )

    def open(self, start: Start) -> SevenState:
        """Start before any bets; if bets are unknown, the deal begins at once."""
        self.check_start(start)
        closed = start.level is Level.NONE
        return SevenState(game=self, start=start, limits=start.limits, closed=closed)

    def phase(self, state: SevenState) -> str:
        """Limits, betting, dealing, playing, drawing, removing, banker, reveal or paying."""
        if state.removable:
            return "removing"
        if state.settled:
            return "paying"
        if not state.closed:
            return "limits" if limits_wanted(state) and not state.bets else "betting"
        if state.to_deal:
            return "dealing"
        if state.hitting is not None:
            return "drawing"
        if state.acting is not None:
            return "playing"
        return "reveal" if state.banker in state.stood else "banker"

    def turn(self, state: SevenState) -> Turn:
        """What is awaited in each phase."""
        match self.phase(state):
            case "limits":
                return Turn((LIMITS,))
            case "betting":
                bets = self.placeable(state)
                return Turn((*bets, replace(CLOSE, required=bool(state.bets))), together=True)
            case "dealing":
                return Turn((_hole(state, state.to_deal),), also=(_hole(state, state.unserved),))
            case "drawing":
                assert state.hitting is not None
                return Turn((_draw(state.hitting),))
            case "playing":
                assert state.acting is not None
                return Turn(tuple(self._playing(state, state.acting)))
            case "removing":
                return Turn(tuple(_removing(state, state.removable[0])))
            case "banker":
                return Turn(tuple(_banking(state)))
            case "reveal":
                return Turn(tuple(_reveals(state)), together=True)
        return Turn((CLEARING,), tuple(willing(state)))

    def _playing(self, state: SevenState, seat: int) -> Iterator[Awaited]:
        visible, says = state.showing(seat), Phrase.of("seven.turn.bust", seat=seat)
        among = _declared(visible, self.matta_half)
        show = Awaited(Verb.SHOW, says, (seat,), pick=1, among=among, rule="seven.exposed")
        if _least(visible, self.matta_half) >= GOAL:
            yield show
            # Perhaps shown under a hand; while the open cards lie there, so does the hole card.
            open_ones = (one for one in _removing(state, seat) if not one.down)
            yield from (replace(one, required=False) for one in open_ones)
            return
        says = Phrase.of("seven.turn.player", seat=seat)
        yield Awaited(Verb.STAND, says, (seat,))
        if state.remaining:
            yield Awaited(Verb.HIT, says, (seat,), required=False)
        if visible and state.covered(seat):
            yield replace(show, says=Phrase.of("seven.turn.declare", seat=seat), required=False)

    def verify(self, state: SevenState, act: Act) -> None:
        """The banker does not bet; cards that count must be known as far as they count."""
        if act.verb is Verb.BET:
            verify_bet(state, act)
        if act.down or act.verb not in (Verb.DEAL, Verb.SHOW, Verb.TURN):
            return
        for card in act.cards:
            if card.rank is Rank.UNKNOWN or (card.covers(WILD) and not card.known):
                raise ActError(
                    f"'{act}': the rank of {card} counts, and of a king the suit; expected a card "
                    f"with both, such as QS, 6? or KD"
                )

    def resumed(self, state: SevenState, seat: int | None) -> SevenState:
        """Judge the hands that are face up, and those that are gone before they stood: bust.

        Nothing else is taken away before the hand is settled.
        """
        for one in state.undecided if state.closed and not state.settled else ():
            if not state.table.at(str(one)) and one != state.banker:
                state = _collected(state, one, ())
            elif state.hand(one):
                state = self._judged(state, one)
        return state

    def effect(self, state: SevenState, act: Act) -> SevenState:
        """Apply the act's consequences."""
        match act.verb:
            case Verb.DEAL:
                return self._dealt(state, act)
            case Verb.HIT if act.seat != state.banker:
                return replace(state, hitting=act.seat)
            case Verb.STAND if act.seat is not None:
                return _stood(state, act.seat)
            case Verb.SHOW if act.seat is not None:
                return self._shown(state, act.seat)
            case Verb.TURN if act.spot is not None:
                return self._shown(state, int(act.spot))
            case Verb.TAKE if act.spot is not None:
                return _taken(state, int(act.spot))
        return self.betting(state, act)

    def concluded(self, state: SevenState) -> SevenState:
        """Let the bank collect and pay, once every card that must be shown is face up."""
        return state if state.settled or not state.finished else self._settled(state)

    def _dealt(self, state: SevenState, act: Act) -> SevenState:
        assert act.spot is not None
        seat, number = int(act.spot), len(state.acts)
        after = replace(
            state,
            dealt=(*state.dealt, *((seat, number) for _ in act.cards)),
            hitting=None if state.hitting == seat else state.hitting,
        )
        return after if act.down else self._judged(_told(after, seat), seat)

    def _shown(self, state: SevenState, seat: int) -> SevenState:
        """Judge a hand with its hole card turned up, flagging what was declared too late."""
        cards, stood = state.hand(seat), seat in state.stood
        if state.covered(seat) or seat == state.banker:
            return self._judged(_told(state, seat), seat)
        over = next((n for n in range(1, len(cards) + 1) if self._bust(cards[:n])), None)
        after = _told(state, seat)
        if natural(cards[:2], self.matta_half) and (stood or len(cards) > NATURAL_CARDS):
            since = state.act_of_card(seat, NATURAL_CARDS)
            after = after.flag("seven.undeclared-natural", since=since, seat=seat, cards=cards)
        if over is not None and (stood or over < len(cards)):
            since = state.act_of_card(seat, over)
            after = after.flag("seven.undeclared-bust", since=since, seat=seat, cards=cards)
        return after if stood else self._judged(after, seat)

    def _bust(self, cards: tuple[Card, ...]) -> bool:
        return total(cards, self.matta_half) > GOAL

    def _judged(self, state: SevenState, seat: int) -> SevenState:
        """End the turn of a face-up hand that is bust or a two-card 7½."""
        cards = state.hand(seat)
        if state.covered(seat) or seat in state.busted:
            return state
        if natural(cards, self.matta_half):
            return _stood(state, seat).call("seven.natural", seat=seat)
        if not self._bust(cards):
            return state
        if seat == state.banker:
            return _stood(state, seat).call("seven.banker-busts", seat=seat)
        return _collected(state, seat, cards)

    def _settled(self, state: SevenState) -> SevenState:
        after, banker = state, natural(state.hand(state.banker), self.matta_half)
        for seat in state.active:
            after = self._paid(after, seat)
        heirs = [s for s in state.active if natural(state.hand(s), self.matta_half)]
        heir = heirs[0] if heirs and not banker else None
        if heir is not None:
            after = after.call("seven.new-banker", seat=heir)
        return replace(after, settled=True, heir=heir)

    def _paid(self, state: SevenState, seat: int) -> SevenState:
        """Settle one standing hand with the bank."""
        banker, stake, cards = state.banker, state.stake(seat), state.hand(seat)
        mine, theirs = self._worth(cards), self._worth(state.hand(banker))
        if mine < 0:
            return state.pay(seat, banker, stake, "seven.bust", cards=cards)
        if mine < theirs:
            nearer = total(cards, self.matta_half) < min(theirs, GOAL)
            reason = "seven.collect" if nearer else "seven.banker-natural"
            return state.pay(seat, banker, stake, reason, cards=cards)
        if mine == theirs:
            if self.ties == "banker":
                return state.pay(seat, banker, stake, "seven.tie", cards=cards)
            return state.call("seven.push", seat=seat)
        if natural(cards, self.matta_half) and (theirs >= 0 or self.natural_pays_on_bust):
            double = None if stake is None else 2 * stake
            rate = Fraction(2)
            return state.pay(banker, seat, double, "seven.natural", rate=rate, cards=cards)
        reason = "seven.paid" if theirs >= 0 else "seven.banker-bust"
        return state.pay(banker, seat, stake, reason, cards=cards)

    def _worth(self, cards: tuple[Card, ...]) -> int:
        """The total as compared: 7½ in two cards beats all others, a bust loses."""
        if self._bust(cards):
            return -1
        return total(cards, self.matta_half) + natural(cards, self.matta_half)

    def slip(self, state: SevenState, act: Act, fault: str) -> str:
        """An act that comes too early, or a card that nobody has asked for."""
        phase, seat = self.phase(state), int(act.spot) if act.spot else act.seat
        if act.verb is Verb.TAKE and phase != "removing":
            given_up = seat is not None and seat == state.due and state.drawn(seat)
            return "seven.unseen" if given_up else "seven.early"
        if phase == "removing":
            return "seven.remove"
        if act.verb is Verb.DEAL and phase == "playing":
            return "seven.unasked" if seat == state.acting else "out-of-turn"
        return self.bet_slip(state, act, fault)

    def conceals(self, state: SevenState, act: Act) -> str | None:
        """Whether a bust or a two-card 7½ is kept hidden by hitting or standing."""
        if act.verb not in (Verb.HIT, Verb.STAND) or act.seat is None or act.seat == state.banker:
            return None
        cards = state.hand(act.seat)
        if natural(cards, self.matta_half):
            return "seven.undeclared-natural"
        return "seven.undeclared-bust" if self._bust(cards) else None

    def follow(self, state: SevenState) -> Start:
        """Pass the bank to the first two-card 7½ on the banker's left."""
        start = super().follow(state)
        return start if state.void or state.heir is None else start.having(banker=state.heir)


def _hole(state: SevenState, seats: tuple[int, ...]) -> Awaited:
    says = Phrase.of("seven.turn.hole", seat=seats[0])
    return Awaited(Verb.DEAL, says, spots=tuple(map(str, seats)), pick=1, down=True)


def _draw(seat: int) -> Awaited:
    return Awaited(Verb.DEAL, Phrase.of("seven.turn.draw", seat=seat), spots=(str(seat),), pick=1)


def _removing(state: SevenState, seat: int) -> Iterator[Awaited]:
    """The cards of a busted hand to remove; one never seen leaves face down."""
    for cards, down in ((state.showing(seat), False), (state.covered(seat), True)):
        if cards:
            says, counts = Phrase.of("seven.turn.remove", seat=seat, cards=cards), (1, len(cards))
            yield Awaited(
                Verb.TAKE, says, spots=(str(seat),), pick=len(cards), counts=counts, among=cards,
                down=down, rule="seven.remove",
            )  # fmt: skip


def _taken(state: SevenState, seat: int) -> SevenState:
    """Remove a busted hand; one taken before its hole card was seen counts as busted."""
    if seat == state.due and state.closed and state.drawn(seat):
        state = _collected(state, seat, state.showing(seat))
    return state if state.removable else state.put_right("seven.remove")


def _collected(state: SevenState, seat: int, cards: tuple[Card, ...]) -> SevenState:
    """Let the bank collect the bet of a busted hand."""
    hitting = None if state.hitting == seat else state.hitting
    after = replace(state, busted=state.busted | {seat}, hitting=hitting)
    after = after.call("seven.bust", seat=seat)
    if seat not in state.entered:
        return after
    return after.pay(seat, state.banker, state.stake(seat), "seven.bust", cards=cards)


def _banking(state: SevenState) -> Iterator[Awaited]:
    seat, hidden = state.banker, state.covered(state.banker)
    if hidden:
        yield _show(seat, hidden, Phrase.of("seven.turn.banker-shows", seat=seat))
        return
    yield Awaited(Verb.STAND, Phrase.of("seven.turn.banker", seat=seat), (seat,))
    if state.remaining:
        yield replace(_draw(seat), required=False)


def _reveals(state: SevenState) -> Iterator[Awaited]:
    for seat in (*state.active, state.banker):
        if hidden := state.covered(seat):
            yield _show(seat, hidden, Phrase.of("seven.turn.reveal", seat=seat))


def _show(seat: int, hidden: tuple[Card, ...], says: Phrase) -> Awaited:
    return Awaited(Verb.SHOW, says, (seat,), pick=len(hidden), among=hidden)


def _stood(state: SevenState, seat: int) -> SevenState:
    hitting = None if state.hitting == seat else state.hitting
    after = replace(state, stood=state.stood | {seat}, hitting=hitting)
    return _told(after, seat) if seat == state.banker else after


def _told(state: SevenState, seat: int) -> SevenState:
    """Call the face-up total of `seat`; a hole card stays its holder's secret.

    Next to a hidden card the wild king may still become anything; in a face-up hand it counts.
    """
    visible, game = state.showing(seat), state.game
    assert isinstance(game, SevenAndAHalf)
    if WILD in visible and state.covered(seat):
        rest = tuple(card for card in visible if card != WILD)
        beside = _text(total(rest)) if rest else None
        return state.call("seven.total-wild", seat=seat, total=beside)
    counted = total(visible, game.matta_half)
    return state.call("seven.total", seat=seat, total=_text(counted))


def _text(halves: int) -> str:
    whole = str(halves // 2) if halves != 1 else ""
    return f"{whole}½" if halves % 2 else whole


def _least(visible: tuple[Card, ...], matta_half: bool) -> int:
    """The lowest possible total of the cards in sight."""
    plain = tuple(card for card in visible if card != WILD)
    wild = (1 if matta_half else 2) if WILD in visible else 0
    return total(plain) + wild


@cache
def _declared(visible: tuple[Card, ...], matta_half: bool) -> tuple[Card, ...]:
    """The hole cards that must be shown at once with these visible: a bust or a two-card 7½."""
    return tuple(
        card
        for card in DECK
        if card not in visible
        and (total((card, *visible), matta_half) > GOAL or natural((card, *visible), matta_half))
    )
