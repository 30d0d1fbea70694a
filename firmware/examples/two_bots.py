"""A table of bots: ``python firmware/examples/two_bots.py GAME [SEED]``.

The bots choose among the acts that the rules await, and pass them to the loop as people would type
them: each is verified, stored and answered with the next prompt.
"""

from __future__ import annotations

import random
import sys

from firmware.follow.loop import Loop
from firmware.store.journal import Journal
from firmware.store.ledger import Ledger
from firmware.texts import Texts
from rules.acts import Act
from rules.cards import Card
from rules.games import find_game
from rules.match import Match
from rules.spots import DECK
from rules.start import Level, Start


def main(name: str, seed: int = 1) -> None:
    """Play one hand and print each prompt with the act that answers it."""
    game, dice = find_game(name), random.Random(seed)
    seats = tuple(range(1, max(2, game.players.start) + 1))
    start = Start(seats=seats, level=Level.AMOUNTS, limits=(1, 10), banker=1, dealer=1)
    if not game.banked:
        start = Start(seats=seats, level=Level.AMOUNTS, limits=(1, 10), dealer=1)
    loop = Loop(Ledger(Match(game, start), Journal(":memory:"), now=lambda: 0.0), Texts.load("en"))
    deck = list(game.deck(start))
    dice.shuffle(deck)
    while len(loop.match.hands) == 1:
        act = chosen(loop, deck, dice)
        print(f"{loop.prompt.sentence:60} {act}")
        loop.type(str(act))
    print("settled:", loop.match.settlements[0].net)


def chosen(loop: Loop, deck: list[Card], dice: random.Random) -> Act:
    """One of the acts that are possible now; the cards that it takes leave the deck."""
    state = loop.state
    act = dice.choice(list(state.options(deck)))
    for move in state.trace(act):
        if move.source == DECK:
            deck.remove(move.card)
        elif move.target == DECK:
            deck.append(move.card)
    return act


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:3]))
