"""What is owed to a trick, by the rule sheets and a public engine, and what proves a revoke."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.cards import Card, Deck, Suit
from rules.frozen import replace
from rules.games import GAMES
from rules.games.belote import Belote
from rules.tricks.play import NEGLECTED, TrickGame
from rules.tricks.trick import Played
from tests.crooked import BELOTE_PLAIN, BELOTE_TRUMPS, MAY, PLAIN, Laid, crooked_hand, guilty
from tests.crooked import winner as brute_winner
from tests.play import start_for

GAMES_OF_TRICKS = sorted(MAY)
DECKS = {
    "tribello": Deck.standard(),
    "fipsen": GAMES["fipsen"]().deck(start_for(GAMES["fipsen"]())),
}
SHORT = Deck.short("7")


def trick_game(name: str) -> TrickGame[Any]:
    game = GAMES[name](**({"declarations": "belote"} if name == "belote" else {}))
    assert isinstance(game, TrickGame)
    return game


def random_trick(name: str, dice: random.Random) -> tuple[list[Card], list[Laid], Suit | None]:
    """A hand, the cards played before it, and trumps."""
    cards = list(DECKS.get(name, SHORT))
    dice.shuffle(cards)
    size = dice.randint(1, 8)
    before = [(seat, cards.pop()) for seat in range(1, dice.randint(1, 3) + 1)]
    return cards[:size], before, dice.choice([*Suit][:4])


@pytest.mark.parametrize("name", GAMES_OF_TRICKS)
def test_legal_cards_are_those_of_the_rule_sheet(name: str) -> None:
    dice = random.Random(name)
    duties = trick_game(name).duties
    for _ in range(1500):
        hand, before, trump = random_trick(name, dice)
        seat = len(before) + 1
        trick = tuple(Played(s, card, s) for s, card in before)
        plain, trumps = (BELOTE_PLAIN, BELOTE_TRUMPS) if name == "belote" else (PLAIN, PLAIN)
        best = brute_winner(before, trump, plain, trumps)
        assert duties.order.winner(trick, trump) == best
        friendly = name == "belote" and (best - seat) % 2 == 0
        legal = duties.legal(hand, trick, trump, friendly=friendly)
        assert set(legal) == MAY[name](hand, before, trump, seat), (hand, before, trump)


def test_overtrumping_a_partner_who_led_trumps_is_a_house_rule() -> None:
    """Belote: "as long as one of their opponents are winning the trick"; others always ask it."""
    trick = tuple(Played(seat, Card.parse(card), seat) for seat, card in ((1, "AS"), (2, "7S")))
    start = start_for(Belote())
    for asked in (False, True):
        game = Belote(overtrump_partner_led=asked)
        state = replace(game.open(start), trump=Suit.SPADES)
        found = game.neglected(state, 3, Card.parse("8S"), (Card.parse("JS"),), trick)
        assert (found is not None) is asked


def test_the_first_phases_of_tribello_allow_what_a_public_engine_allows() -> None:
    """Oh Hell for three players and thirteen tricks has the same rules of play."""
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("oh_hell(players=3,num_tricks_fixed=13)")
    ours = trick_game("tribello").duties
    for seed in range(40):
        dice = random.Random(seed)
        other = game.new_initial_state()
        deal = [dice.choice(other.legal_actions())]
        other.apply_action(deal[0])
        other.apply_action(0)
        hands: dict[int, list[Card]] = {0: [], 1: [], 2: []}
        for number in range(39):
            action = dice.choice(other.legal_actions())
            hands[number % 3].append(named(other.action_to_string(-1, action)))
            other.apply_action(action)
        action = dice.choice(other.legal_actions())
        trump = named(other.action_to_string(-1, action)).suit
        other.apply_action(action)
        for _ in range(3):
            other.apply_action(dice.choice(other.legal_actions()))
        for _ in range(13):
            trick: tuple[Played, ...] = ()
            for _ in range(3):
                seat = other.current_player()
                theirs = {named(other.action_to_string(seat, a)): a for a in other.legal_actions()}
                assert set(ours.legal(hands[seat], trick, trump)) == set(theirs)
                card = dice.choice(sorted(theirs, key=str))
                hands[seat].remove(card)
                trick = (*trick, Played(seat, card, 1))
                other.apply_action(theirs[card])
            if not other.is_terminal():
                assert other.current_player() == ours.order.winner(trick, trump)


def named(text: str) -> Card:
    """A card in that engine's notation: suit, then rank."""
    return Card.parse(text[1] + text[0])


def judge_hands(name: str, count: int, cheating: float) -> tuple[int, int]:
    """Play hands and compare the reports with brute force; return the plays made and reported."""
    game, wrong, plays = trick_game(name), 0, 0
    for seed in range(count):
        dice = random.Random(f"{name}{seed}")
        states = crooked_hand(game, start_for(game), dice, cheating)
        last = states[-1]
        told = {v.since: v for v in last.violations if v.rule.startswith(NEGLECTED)}
        expected = {guilt.since: guilt for guilt in guilty(last, MAY[name])}
        assert set(told) == set(expected), seed
        for since, violation in told.items():
            guilt = expected[since]
            assert violation.found == guilt.found
            assert violation.cards[0] == guilt.card
            assert violation.cards[1] in guilt.proofs
            assert violation not in states[violation.found - 1].violations
        wrong += len(told)
        plays += sum(len(trick) for trick in last.tricks)
    return plays, wrong


@pytest.mark.parametrize("name", GAMES_OF_TRICKS)
def test_every_wrong_card_is_reported_with_the_first_card_that_proves_it(name: str) -> None:
    plays, wrong = judge_hands(name, 20, cheating=0.5)
    assert plays > 60
    assert wrong > 1


@pytest.mark.parametrize("name", GAMES_OF_TRICKS)
def test_nobody_is_accused_in_an_honest_hand(name: str) -> None:
    assert judge_hands(name, 8, cheating=0)[1] == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES_OF_TRICKS)
@pytest.mark.parametrize("cheating", [0, 0.02, 0.3])
def test_thousands_of_deals_are_judged_rightly(name: str, cheating: float) -> None:
    assert (judge_hands(name, 2000, cheating)[1] == 0) is (cheating == 0)
