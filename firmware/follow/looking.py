"""A look at the table: what it means against the state, and what is to be done about it.

It does not depend on catching events: every look ends in the same comparison of the state's table
with the seen one, also after an undo, a correction or a restart.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from firmware.follow.ambiguity import agreed, passes_on
from firmware.follow.anew import layout_of
from firmware.follow.deciding import ASK_AFTER_S, Deciding
from firmware.follow.findings import Explanation
from firmware.follow.lifted import (
    Away,
    Counts,
    gave_up,
    goes_on,
    laid_elsewhere,
)
from firmware.follow.slipping import SLIP_MOST
from firmware.follow.unseen import leading_to
from firmware.follow.verdicts import (
    Ask,
    Lose,
    Rethought,
    Retract,
    Settled,
    Table,
    Verdict,
    Ways,
    explanations,
)
from rules.acts import Act, Layout
from rules.cards import BACK
from rules.state import State
from vision.sightings import Seen


class Looking(Deciding):
    """Looks at the table again and again; remembers what it has seen, and for how long."""

    def notice(self, state: State, seen: Seen, now: float) -> None:
        """Note what hands hide after `state`, also when the table is not looked at: chips move."""
        self._now = now
        self._overtaken.see(state, seen)
        self._untouched.see(seen, now)
        self._means.hidden.see(state, seen)

    def look(
        self, state: State, seen: Seen, now: float, *, last: int = 0, earlier: int = 0
    ) -> Verdict:
        """What the table, as it is `seen` at `now` (seconds), means after `state`.

        The `last` acts of the state are the outcome of the previous look, and those before these of
        the `earlier` one.
        """
        self._last, self._earlier = last, earlier
        self.notice(state, seen, now)
        seen = self._look_at(state, self._uncovered(seen))
        watched = self.sight.watched(state, seen)
        away = self._lifted.see(state, seen, watched, now)
        if away.gone or away.perhaps:
            return self._past(self._likely(away, watched), watched)
        ways = self._means.bare(watched, away)
        if ways is None:
            return None
        if (before := self._before_they_spoke(ways[0][1].difference.left, ways)) is not None:
            return before
        dealt = self._means.dealt_onto(away, watched)
        if dealt is None or ways[0][1].difference:
            return self._meaning(ways)
        either = Ask((dealt, Explanation((), state)), ways[0][0])
        return either if self._waited(either.table) >= ASK_AFTER_S else None

    def _past(self, away: Away, watched: frozenset[str]) -> Verdict:
        """What the table means while players' hidden cards are not seen, but may be there."""
        state, rest = self._state, self._means.ways(watched - away.gone, away.beneath)
        whole = self._means.bare(watched, away)
        if whole is None:
            return None
        if (before := self._before_they_spoke(away.gone, whole)) is not None:
            return before
        given = explanations(whole)
        changes = [findings.difference for _, findings in rest if findings.difference]
        if given and all(laid_elsewhere(state, one, away) for one in given):
            return self._meaning(whole)
        if gave_up(state, given, explanations(rest), away):
            return self._meaning(whole)
        bare = self._means.ways(watched, away.under)[0]
        sure = bool(changes) and agreed(state, explanations(rest), len(rest)) is not None
        moved = self._moved_on(bare[0], bare[1].difference) if changes else None
        # If the rest is certain, the card may be under the one left there, and the next one has
        # come; where several are left, they lie as before, with no card under them.
        left = bare[1].difference.left
        beneath = sure and all(name in away.perhaps and len(bare[0][name]) == 1 for name in left)
        # Cards that had to be passed on from there were not moved to and fro.
        regular = agreed(state, given, len(whole))
        passed_on = regular is not None and passes_on(state, regular, away.gone)
        if moved is not None and not beneath and not passed_on:
            return Retract(*moved)
        if changes:
            slight = min(one.size for one in changes) <= 2 * SLIP_MOST
            # What explains it all but for what a hand hides is likelier than a slip.
            given_up = given or any(findings.obscured for _, findings in whole)
            return self._meaning(rest if sure or (slight and not given_up) else whole)
        if given and all(goes_on(state, one) and not one.state.over for one in given):
            if away.heaps:
                return self._either_squared(given, whole[0][0], away)
            return self._meaning(whole)
        if not away.gone:
            self._lifted.accept(away, self._now)
            return Settled()
        waited = self._waited(whole[0][0])  # counted from here, so that it is reported in time
        if not given and waited >= ASK_AFTER_S and (done := self._handed_on(whole[0][0])):
            return done
        if not self._lifted.for_long(away.gone, self._now):
            return None
        if any(one.state.over for one in given):
            return self._meaning(whole)
        if given:
            return Ask((*given, Explanation((), state)), whole[0][0])
        return None if self._seen.busy else Lose(whole[0][0])

    def _before_they_spoke(self, gone: Collection[str], ways: Ways) -> Retract | None:
        """What replaces the latest acts if the cards that are `gone` were given up under a hand,
        before others spoke."""
        table = ways[0][0]
        before = self._overtaken.way(gone, table) if gone else None
        if before is None or self._means.refused.was(table, before[0].acts):
            return None
        self.restart()
        return Retract(*before)

    def _likely(self, away: Away, watched: frozenset[str]) -> Away:
        """Take heaps as squared up if that explains what else is not seen."""
        squared = away.squared()
        if away.heaps and (squared.gone or squared.perhaps):
            ways = self._means.bare(watched, squared)
            return squared if ways is not None and explanations(ways) else away
        return away

    def _either_squared(
        self, given: Sequence[Explanation], table: Table, away: Away
    ) -> Settled | Ask:
        """What a heap with fewer backs means: its player gave one up, as `given`, or squared it up.

        Whatever comes next and needs the act shows that it was done. Only if nothing else is due,
        somebody is asked.
        """
        state = self._state
        due = {seat for one in state.turn if one.required for seat in one.seats or (None,)}
        others = due - {state.spots[name].owner for name in away.perhaps}
        if others or self._seen.busy or not self._lifted.for_long(away.perhaps, self._now):
            return Settled()
        return Ask((*given, Explanation((), state)), table)

    @property
    def under(self) -> Counts:
        """Number of hidden cards assumed to be under others, by place."""
        return self._lifted.under

    def settle(self, state: State, places: Collection[str] | None = None) -> None:
        """Note that a person says that the piles (at these `places`) are as `state` holds them."""
        self.sight.piles.settle(state, state.spots.keys() if places is None else places)
        self._means.hidden.restart()
        self._lifted.settle()
        self._means.forget()

    def layouts(self, state: State, seen: Seen) -> set[Layout]:
        """The ways in which the table may be read now."""
        seen = self._look_at(state, self._uncovered(seen))
        watched = self.sight.watched(state, seen)
        away = self._lifted.see(state, seen, watched, self._now)
        looks = ((watched, away.under), (watched - away.gone, away.beneath))
        ways = [way for look in looks for way in self._means.ways(*look)]
        return {layout_of(state, self.stacked(state, cards)) for cards, _ in ways}

    def stacked(self, state: State, table: Table) -> Table:
        """A reading of the table that includes cards laid on piles and covered since."""
        return self.sight.piles.stacked(state, table)

    def given_up(self, state: State, seen: Seen, act: Act) -> Explanation | None:
        """What has happened, though in doubt until now, if `act` makes sense only after it.

        For example, players have given up cards that are away, or laid a card on an equal one; or
        a hand hides what else may explain the table, which `act` may be the latest part of.
        """
        seen = self._look_at(state, self._uncovered(seen))
        watched = self.sight.watched(state, seen)
        if leading_to(state, act):
            return None
        # Whoever speaks may reach over a place from which cards were already gone; or somebody
        # there looks at their own.
        over = self._lifted.gone_before(state, seen, watched)
        for places in (watched | over, watched) if over else (watched,):
            if fits := self._leading_to(state, seen, act, places):
                return fits[0] if len(fits) == 1 else None
        return None

    def _leading_to(
        self, state: State, seen: Seen, act: Act, watched: frozenset[str]
    ) -> list[Explanation]:
        """What has happened at the `watched` places, though in doubt, if it leads to `act`."""
        own = {  # which whoever speaks may look at
            name
            for name in watched
            if act.seat
            and state.spots[name].owner == act.seat
            and BACK in state.table.view(name)
            and not seen.spots.get(name)
        }
        watched -= own
        away = self._likely(self._lifted.see(state, seen, watched, self._now), watched)
        ways = self._means.bare(watched, away, now=True) or []
        given = [one for one in explanations(ways) if not one.guessed]
        hidden = [one for _, found in ways for one in found.obscured if not one.guessed]
        for likely in (given, hidden):
            fits = [one for one in likely if leading_to(one.state, act) or one.acts[-1:] == (act,)]
            if fits:
                return fits
        return []

    def told(self, state: State, seen: Seen, acts: Sequence[Act]) -> tuple[Rethought, ...]:
        """How the hand may have gone instead, as `acts` would break a rule after `state`."""
        seen = self._look_at(state, self._uncovered(seen))
        cards = next(iter(self.sight.readings(state, seen, self.sight.watched(state, seen))))
        return self._second.told(state, cards, acts)

    def refuse(self, state: State, seen: Seen, acts: Sequence[Act]) -> None:
        """Make sure that what a person undid or corrected does not explain this table again."""
        seen = self._uncovered(seen)
        watched = frozenset(seen.spots) & state.spots.keys()
        readings = self.sight.readings(state, seen, watched)
        self._means.refused.note(readings, acts)

    def _uncovered(self, seen: Seen) -> Seen:
        """What is seen, with places under a hand at rest as they were before it came: so it counts
        for looking, and for answers about what was looked at."""
        return self._means.hidden.uncovered(seen, self._acted)

    def wave(self, seen: Seen) -> None:
        """A person says that what is in doubt is nothing."""
        self.sight.wave(seen)
        self._means.forget()

    def look_again(self) -> None:
        """Forget what was undone: somebody asked for everything to be looked at again."""
        self.sight.look_again()
        self._means.refused.forget()
        self._means.forget()
