"""Resuming a hand from the table as it is.

When nobody can reconstruct what happened at a table, the dealer states what lies where, and the
hand goes on from there. Cards in sight are where the dealer stated. Cards out of sight (in hands,
under the top of a pile, out of play) stay as they were, except those that have come to light since.
Face-down cards that a player had laid out, and that are seen nowhere now, are in that hand again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rules.acts import Act
from rules.cards import BACK, Card
from rules.errors import ActError
from rules.settlement import POT
from rules.spots import DECK, GONE, Laid, Move, Shape, Spot, Table, out_of_play
from rules.start import Level

if TYPE_CHECKING:
    from rules.state import State


def verify_layout(state: State, act: Act) -> None:
    """Raise `ActError` unless `act` states the cards at spots of this hand, each spot once."""
    if len(act.numbers) != 1 or act.numbers[0] > len(state.acts):
        raise ActError(f"'{act}': expected a number of acts from 0 to {len(state.acts)}")
    names = [spot for spot, _ in act.layout]
    for name in names:
        if name not in state.spots or not state.spots[name].in_sight:
            open_spots = (spot.name for spot in state.spots.values() if spot.in_sight)
            raise ActError(f"'{act}': no spot {name} in sight; there are {', '.join(open_spots)}")
        if names.count(name) > 1:
            raise ActError(f"'{act}': the cards at {name} are stated twice")


def verify_pot(state: State, act: Act) -> None:
    """Raise `ActError` unless the dealer can count the pot of `state`, and `act` says how much.

    As long as a hand was followed from its beginning, the pot follows from the bets.
    """
    if not state.game.potted or state.start.level is not Level.AMOUNTS:
        raise ActError(f"'{act}': there is no pot whose chips are counted")
    if len(act.numbers) != 1:
        raise ActError(f"'{act}': expected one amount, got {len(act.numbers)}")
    if not state.anew:
        raise ActError(f"'{act}': the pot follows from the bets, as the hand was not resumed")
    if any(one.payer == POT for one in state.settlement.payments):
        raise ActError(f"'{act}': the pot has been paid out; undo that to count it anew")
    placed = state.game.pot(state) - state.carried
    if act.numbers[0] < placed:
        raise ActError(f"'{act}': expected at least the {placed} chips that were bet in this hand")


def taken_up(state: State, act: Act) -> Table:
    """The table of `state` with the cards placed as `act` states.

    >>> from rules.games import GAMES, find_game
    >>> from rules.start import Start
    >>> game = find_game("ziginette")
    >>> state = game.open(Start(seats=(1, 2), banker=1)).play(Act.parse("deal board QS"))
    >>> state.play(Act.parse("resume 1 board 5D banker 7C")).table.view("board")
    (<5D>,)
    """
    relaid = _Relaid(state)
    for name, cards in act.layout:
        relaid.match(state.spots[name], cards)
    return relaid.laid()


def discarded_unseen(table: Table, seat: int | None) -> Table:
    """`table` after a player has discarded one of the hidden cards, which nobody saw.

    A known card among them may have been that one.

    >>> table = Table({"1": (Laid(BACK, up=False), Laid(Card.parse("5D"), up=False))})
    >>> discarded_unseen(table, 1).cards("1"), discarded_unseen(table, 2) == table
    ((<??>,), True)
    """
    hidden = sorted((laid.card for laid in table.at(str(seat)) if not laid.up), key=_named)
    return table.moved([Move(card, str(seat), GONE, up=False) for card in hidden[:1]])


def evened(table: Table, sizes: Mapping[int, int]) -> Table:
    """`table` with as many cards in each hand as `sizes` says by seat, where nobody sees them.

    While a hand was lost, draws and discards were followed that never happened, or were missed: a
    card too many is still in the deck, and one that lacks has come from it. With a wrong number
    every later draw would break a rule.

    >>> table = Table({"1": (Laid(BACK, up=False),) * 3, "2": (Laid(BACK, up=False),)})
    >>> even = evened(table, {1: 2, 2: 2})
    >>> len(even.at("1")), len(even.at("2"))
    (2, 2)
    """
    moves: list[Move] = []
    for seat, size in sizes.items():
        lying = table.at(str(seat))
        hidden = sorted((laid.card for laid in lying if not laid.up), key=_named)
        over = len(lying) - size
        moves += (Move(card, str(seat), DECK, up=False) for card in hidden[: max(0, over)])
        moves += [Move(BACK, DECK, str(seat), up=False)] * max(0, -over)
    return table.moved(moves)


def _named(card: Card) -> bool:
    return card != BACK


class _Relaid:
    """A table being rebuilt: the cards lifted off it, those that players may have taken back into
    their hands, and those that have arrived at each spot."""

    def __init__(self, state: State) -> None:
        self.spots = state.spots
        self.deck = state.game.deck(state.start)
        self.table = {name: list(cards) for name, cards in state.table.spots.items()}
        self.lifted: list[Laid] = []
        self.taken_back: dict[str, list[Laid]] = {}
        self.arrived: list[tuple[Spot, Card]] = []

    def match(self, spot: Spot, cards: Sequence[Card]) -> None:
        """Keep the cards at `spot` that were stated, lift the rest, and note what has arrived."""
        lying = self.table.get(spot.name, [])
        if spot.held:
            cards = [card for card in cards if not card.hidden]
        find = _top if spot.shape is Shape.PILE and not spot.held else _matched
        kept, off, more = find(lying, cards)
        if spot.held:  # the unseen cards of a hand are still there
            kept, off = [*kept, *(one for one in off if not one.up)], [o for o in off if o.up]
        self.table[spot.name] = kept
        if not spot.held and spot.shape is not Shape.PILE and self._holds(spot.owner):
            hidden = [one for one in off if not one.up]
            self.taken_back.setdefault(str(spot.owner), []).extend(hidden)
            off = [one for one in off if one.up]
        self.lifted += off
        self.arrived += [(spot, card) for card in more]

    def laid(self) -> Table:
        """The table with all that arrived; cards that are no longer anywhere are out of play."""
        for spot, card in self.arrived:
            source = next(self._sources(spot, card), None)
            came = source[0].pop(source[1]) if source else Laid(card, up=False)
            known = came.card if card.hidden else card
            self.table.setdefault(spot.name, []).append(Laid(known, up=not card.hidden))
        for hand, cards in self.taken_back.items():
            self.table.setdefault(hand, []).extend(cards)
        gone = sorted([*self.table.get(GONE, []), *self.lifted], key=out_of_play)
        spots = {**self.table, GONE: gone}
        return Table({name: tuple(cards) for name, cards in spots.items() if cards})

    def _sources(self, spot: Spot, card: Card) -> Iterator[tuple[list[Laid], int]]:
        """Where `card` may have come from, likeliest first; if nowhere, it came from the deck."""
        yield from _places(self.taken_back.get(str(spot.owner), []), card)
        yield from _places(self.lifted, card)
        for hidden in self.taken_back.values():
            yield from _places(hidden, card)
        hand = self.table.get(str(spot.owner), []) if self._holds(spot.owner) else []
        yield from _places(hand, card, down=True)
        if card.hidden:
            return
        yield from _places(hand, BACK, down=True)
        for other in self.spots.values():
            if other.held and other.owner is not None:
                yield from _places(self.table.get(other.name, []), card, down=True)
        out = [laid.card for cards in self.table.values() for laid in cards]
        if out.count(card) >= self.deck.count(card):
            yield from _places(self.table.get(GONE, []), card)

    def _holds(self, owner: int | None) -> bool:
        spot = self.spots.get(str(owner))
        return spot is not None and spot.held


def _places(
    cards: list[Laid], card: Card, *, down: bool = False
) -> Iterator[tuple[list[Laid], int]]:
    """The places of `card` among `cards`, last laid first; a back matches any covered card."""
    for place in range(len(cards) - 1, -1, -1):
        laid = cards[place]
        fits = not laid.up if card.hidden else laid.card == card
        if fits and not (down and laid.up):
            yield cards, place


Found = tuple[list[Laid], list[Laid], list[Card]]
"""The cards that stay at a spot, those no longer there, and those that have arrived."""


def _top(lying: Sequence[Laid], cards: Sequence[Card]) -> Found:
    """For a pile, cards above the one now on top have gone, unless the top card has just arrived.

    Partly visible cards under the top one have also arrived if they were not there before.
    """
    if not cards:
        return [], list(lying), []
    views = [laid.view for laid in lying]
    if cards[-1] not in views:
        return list(lying), [], [card for card in cards if card not in views]
    height = _height(views, cards[-1])
    if new := [card for card in cards if card not in views]:  # slid under the topmost one
        return list(lying[: height - 1]), list(lying[height - 1 :]), [*new, cards[-1]]
    if any(card not in views[:height] for card in cards):
        height = max(_height(views, card) for card in cards)  # the others show from under it
    return list(lying[:height]), list(lying[height:]), []


def _height(views: Sequence[Card], card: Card) -> int:
    """The height of the uppermost such card in a pile, counted from 1."""
    return len(views) - views[::-1].index(card)


def _matched(lying: Sequence[Laid], cards: Sequence[Card]) -> Found:
    """The cards still there, perhaps turned over, in the order in which they came."""
    kept: dict[int, Laid] = {}
    left = list(cards)
    for fits in (_same, _alike, _turned_up, _turned_down):
        for place, laid in enumerate(lying):
            card = next((card for card in left if place not in kept and fits(laid, card)), None)
            if card is not None:
                left.remove(card)
                kept[place] = _as_seen(laid, card)
    off = [laid for place, laid in enumerate(lying) if place not in kept]
    return [kept[place] for place in sorted(kept)], off, left


def _same(laid: Laid, card: Card) -> bool:
    return laid.view == card


def _alike(laid: Laid, card: Card) -> bool:
    return laid.up and not card.hidden and laid.card.covers(card)


def _turned_up(laid: Laid, card: Card) -> bool:
    return not laid.up and not card.hidden and laid.card.covers(card)


def _turned_down(laid: Laid, card: Card) -> bool:
    return laid.up and card.hidden


def _as_seen(laid: Laid, card: Card) -> Laid:
    if card.hidden:
        return Laid(laid.card, up=False)
    return Laid(laid.card if laid.card.known else card, up=True)
