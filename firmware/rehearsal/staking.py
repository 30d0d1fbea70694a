"""What people at a simulated table do with chips: bet, change their mind, pay and collect."""

from __future__ import annotations

from dataclasses import dataclass

from firmware.rehearsal.attention import Attention, Noticing, Script
from firmware.rehearsal.chips import Chips, Place, bet_place, stakes_of
from rules.acts import Act
from rules.chips import open_for_bets
from rules.start import Level

SECOND_THOUGHTS = 0.15
"""How many bets are first laid otherwise."""
CHANGED = 0.1
"""How many bets the dealer changes into smaller chips."""
THINKS_S = (0.8, 2.5)
"""How long a player looks at a bet before changing it."""
LOOKED_AT_S = 1.0
"""How long chips lie between two movements of a dealer who pays in the open."""
SLIPS = ("late-bet", "capped", "pinched", "wrong-payout", "wrong-change")
"""What goes wrong with chips, by the names that the command line takes."""


@dataclass(kw_only=True)
class Staking(Attention):
    """A dealer and players with chips; without them bets are said."""

    chips: Chips | None = None
    settled: int = 0
    """The last hand whose bets were paid and collected."""

    def _stakes(self, act: Act) -> Noticing:
        """Do what an act does with chips; whether they show all of it."""
        chips, state = self.chips, self.world.state
        place = bet_place(state, act) if chips is not None else None
        if chips is None or place is None or not open_for_bets(state):
            return False
        after = state.play(act)
        stake = stakes_of(after).get(place)
        if stake is None:
            return False
        amount = stake.amount or self._presence()
        if chips.rng.random() < SECOND_THOUGHTS:
            yield from self._lays(place, self._otherwise(amount), act.seat)
            yield from self._wait(float(chips.rng.uniform(*THINKS_S)))
        yield from self._lays(place, amount, act.seat)
        self.world.say(act)
        if chips.rng.random() < CHANGED and amount > 1:
            yield from self._wait(LOOKED_AT_S)
            yield from self._until(chips.change(place, ((1, amount),), self.now))
        return True

    def _presence(self) -> int:
        """How much is laid where nobody counts it."""
        assert self.chips is not None
        return int(self.chips.rng.integers(1, 20))

    def _otherwise(self, amount: int) -> int:
        """Another amount, which somebody has second thoughts about."""
        assert self.chips is not None
        return max(1, amount + int(self.chips.rng.choice((-3, -1, 1, 2, 5))))

    def _lays(self, place: Place, amount: int, seat: int | None) -> Script:
        assert self.chips is not None
        yield from self._until(self.chips.lay(place, amount, self.now, hand=seat))

    # Pay-outs.

    def _settle_up(self) -> Script:
        """Collect what was lost and pay what was won, as far as the hand has come."""
        chips, state = self.chips, self.world.state
        if chips is None or state.start.level is Level.NONE or state.start.banker is None:
            return
        if state.phase == "paying" and self.settled < state.start.hand:
            self.settled = state.start.hand
            yield from self._paid_out()
            return
        if open_for_bets(state) and not self._beside_cards:
            return
        stakes = stakes_of(state)
        for place in chips.places:
            stake = stakes.get(place)
            if stake is None or stake.due < 0:
                yield from self._lays(place, 0, None)

    @property
    def _beside_cards(self) -> bool:
        """Whether bets are decided card by card, some while others are laid."""
        places = self.world.state.game.betting_places(self.world.state.start)
        return any(place.beside for place in places)

    def _paid_out(self) -> Script:
        chips, stakes = self.chips, stakes_of(self.world.state)
        assert chips is not None
        counted = self.world.state.start.level is Level.AMOUNTS
        for place, stake in stakes.items():
            if stake.due < 0:
                yield from self._lays(place, 0, None)
            elif stake.due > 0 and counted:
                yield from self._pays(place, (stake.amount or 0) + stake.due)
        yield from self._wait(LOOKED_AT_S)
        for place in chips.places:
            yield from self._lays(place, 0, place[1])

    def _pays(self, place: Place, amount: int) -> Script:
        yield from self._lays(place, amount, None)
        yield from self._wait(LOOKED_AT_S)
