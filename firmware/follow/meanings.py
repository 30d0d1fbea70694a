"""What each reading of the table means after a state, and what its piles have shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial

from firmware.follow.ambiguity import agreed, exchanged, parted, reordered
from firmware.follow.arrivals import Arrivals
from firmware.follow.covered import HeldBack, Hidden
from firmware.follow.differences import difference
from firmware.follow.findings import Explanation, Findings
from firmware.follow.lifted import Away, Counts
from firmware.follow.passed_turns import passed_over
from firmware.follow.reconcile import NODES_MOST, explain
from firmware.follow.refused import Refused
from firmware.follow.sight import Sight
from firmware.follow.veiled import Veiled, Veils
from firmware.follow.verdicts import Table, Ways, explanations
from rules.cards import BACK
from rules.state import State
from vision.sightings import Seen

TRIED_MOST = NODES_MOST / 2
"""Number of states tried in one look after which a further assumption about hidden cards waits for
the next look: more than one search that runs to its end would take too long. A choice.
"""


class Meanings:
    """Explains the readings of a table; results for an unchanged look are cached.

    It takes into account what a hand has `hidden`, what is `held_back` because of that, what is
    `veiled` by other cards, and what a person `refused`.
    """

    def __init__(self) -> None:
        self.sight = Sight()
        self.hidden = Hidden()
        self.held_back = HeldBack()
        self.refused = Refused()
        self.veiled = Veiled(self.sight.piles.jitter)
        self.arrivals = Arrivals()
        self._looked: dict[object, Ways] = {}
        self._of: tuple[State, object] | None = None
        self._state: State
        self._seen: Seen
        self._now = 0.0
        self._tried = 0.0

    def at(self, state: State, seen: Seen, now: float) -> None:
        """Use what is `seen` at `now` (seconds), after `state`, from now on."""
        self._state, self._seen, self._now = state, seen, now
        self._tried = 0.0
        self.veiled.see(seen)
        self.arrivals.see(seen)
        if self._of is None or self._of[0] is not state or self._of[1] != seen.spots:
            self._of = (state, seen.spots)
            self._looked = {}

    def forget(self) -> None:
        """Look again: something else is known about the table."""
        self._of, self._looked = None, {}

    def ways(self, watched: frozenset[str], under: Counts) -> Ways:
        """How the table may be read, and what each reading means.

        `under` says how many cards are under others at each place.
        """
        look = _look(watched, under)
        if look not in self._looked:
            self._looked[look] = self._ways(watched, under)
        return self._looked[look]

    def _is_known(self, watched: frozenset[str], under: Counts) -> bool:
        return _look(watched, under) in self._looked

    def bare(self, watched: frozenset[str], away: Away, *, now: bool = False) -> Ways | None:
        """How the table may be read if nothing is missing except what is gone.

        Cards that may be under others are assumed to be there, except at one place at a time. None
        if one look has taken long enough: the next goes on with the other assumptions, unless the
        answer is due `now`.
        """
        tried: list[Ways] = []
        for under in (away.under, *_assumptions(away)):
            if not (now or self._tried <= TRIED_MOST or self._is_known(watched, under)):
                return None
            tried.append(self.ways(watched, under))
            if explanations(tried[-1]) or not any(found.difference for _, found in tried[0]):
                return tried[-1]
        return tried[0]

    def dealt_onto(self, away: Away, watched: frozenset[str]) -> Explanation | None:
        """The explanation that cards were dealt where others had just been squared up.

        As many backs are seen as if those had been spread again.
        """
        if not away.dealt:
            return None
        ways = self.ways(watched, Counter(away.under) + Counter(away.dealt))
        return agreed(self._state, explanations(ways), len(ways))

    def _ways(self, watched: frozenset[str], under: Counts) -> Ways:
        known = self.veiled.known(self._state, watched)
        ways = self._readings(watched, under, known)
        if _sensible(ways):
            return ways
        for laid in (False, True):
            perhaps = self.veiled.perhaps(self._state, watched, laid=laid)
            further = self._readings(watched, under, perhaps) if perhaps != known else []
            if _sensible(further):
                sure = not laid or not all(one.difference for _, one in further)
                if sure:
                    self.veiled.accept(perhaps)
                return further if sure else [(table, one.asked) for table, one in further]
        return ways

    def _readings(self, watched: frozenset[str], under: Counts, veiled: Veils) -> Ways:
        """The readings with that many backs, and with these cards, added as lying under others."""
        ways = []
        for read in self.sight.readings(self._state, self._seen, watched):
            cards = {
                name: (*there, *[BACK] * under.get(name, 0), *veiled.get(name, ()))
                for name, there in read.items()
            }
            ways.append((cards, self.refused.marked(cards, self.explained(cards, watched))))
        return ways

    def explained(
        self, cards: Table, watched: frozenset[str], *, tolerant: bool = False
    ) -> Findings:
        """The explanations of one reading of the table and of what its piles have shown."""
        state, piles = self._state, self.sight.piles
        looked = self.explaining(cards, watched, tolerant=tolerant)
        plain = looked(state, tops=piles.since(state))
        before = self.held_back.gone_on(state, cards, self._now) if plain.difference else None
        self._tried += plain.tried
        if before is None:
            return plain
        further = looked(before.state, tops=piles.since(before.state))
        self._tried += further.tried
        if further.tells:
            return further.after(before, plain.difference)
        # Nothing has come since: what is in view must not be explained without what is hidden.
        return plain if further.difference else replace(plain, explanations=(), begun=0)

    def explaining(
        self, cards: Table, watched: frozenset[str], *, tolerant: bool = False
    ) -> partial[Findings]:
        """A function from a state to what explains one reading, given what its piles have shown."""
        piles = self.sight.piles
        return partial(
            explain,
            seen=cards,
            watched=watched,
            tolerant=tolerant,
            fresh=self._fresh(cards),
            bared=piles.bared,
            chance=self._several(piles.bared) if tolerant else piles.chance,
            keyed=self._state.spots.keys() - self._seen.spots.keys(),
            chips=self._seen.chips is not None,
            hidden=self.hidden.once,
            without=self.arrivals.without,
            gone=self._gone(),
        )

    def _fresh(self, cards: Table) -> frozenset[str]:
        """The piles on which the topmost card was surely laid, though it looks like one below.

        If one like the card that lay over that has come to lie elsewhere, it was rather taken there
        and pushed the one below it.
        """
        piles, state = self.sight.piles, self._state
        pushed = {name for name in piles.fresh if piles.may_be_pushed(name)}
        came = difference(state, cards, cards.keys()).came if pushed else {}
        taken = {
            name
            for name in pushed
            for card in state.table.view(name)[-1:]
            if any(card in found for spot, found in came.items() if spot != name)
        }
        return piles.fresh - taken

    def _gone(self) -> frozenset[str]:
        """The piles on which the topmost card that the state has there is nowhere in view."""
        lying = {name: {one.card for one in found} for name, found in self._seen.spots.items()}
        tops = {name: self._state.table.view(name)[-1:] for name in lying}
        return frozenset(name for name, top in tops.items() if lying[name].isdisjoint(top) and top)

    def going_on(self, cards: Table) -> partial[Findings]:
        """The same for another state than this one, with the tops of piles since this one."""
        looked = self.explaining(cards, frozenset(cards))
        return partial(looked, tops=self.sight.piles.since(self._state))

    def as_bared(self, cards: Table, pile: str) -> partial[Findings]:
        """The same, assuming that the topmost card of a `pile` was uncovered."""
        piles = self.sight.piles
        tops = {name: found for name, found in piles.since(self._state).items() if name != pile}
        return partial(
            self.explaining(cards, frozenset(cards)),
            tops=tops,
            fresh=piles.fresh - {pile},
            bared=piles.bared | {pile},
        )

    def others(self, way: Explanation, table: Table) -> list[Explanation]:
        """Explanations of a reading as likely as `way` that decide something else."""
        state = self._state
        one_hand = self.hidden.one_hand(difference(state, table, table.keys()))
        by_order = [*reordered(state, way), *(() if one_hand else parted(state, way, table))]
        return [*by_order, *exchanged(state, way, table), *self.passed(way, table)]

    def passed(self, way: Explanation, table: Table) -> list[Explanation]:
        """The hand as it continues if turns passed under a hand before what `way` explains."""
        hidden, lying = self.hidden.passed, self.sight.piles.stacked(self._state, table)
        return passed_over(self._state, way, lying, hidden) if hidden else []

    def _several(self, piles: Collection[str]) -> frozenset[str]:
        """The piles whose topmost card is visible and not the only one of its kind.

        A card that has looked uncovered for so long, with nothing to explain how, was laid there:
        it only happens to lie like the one below.
        """
        deck = self._state.game.deck(self._state.start)
        seen = self._seen.spots
        tops = {name: self.sight.piles.tops(name, seen.get(name, ())) for name in piles}
        return frozenset(n for n, top in tops.items() if all(deck.count(o.card) > 1 for o in top))


def _assumptions(away: Away) -> Iterator[Counts]:
    """What else may lie under other cards, by place, likeliest first."""
    for one in (*away.perhaps, None):
        beneath = {name: n for name, n in away.beneath.items() if name != one}
        yield {**away.under, **beneath}
    for one in away.under if len(away.under) > 1 else ():
        yield {name: n for name, n in away.under.items() if name != one}
    yield {}


def _look(watched: frozenset[str], under: Counts) -> object:
    """What a look depends on, to recognize it."""
    return watched, tuple(sorted(under.items()))


def _sensible(ways: Ways) -> bool:
    """Whether some reading agrees with the state, or is explained."""
    return any(one.explanations or not one.difference for _, one in ways)
