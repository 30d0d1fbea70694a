"""What a table is taken to mean: an act to be recorded, a question, a slip, or a lost hand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from firmware.follow.ambiguity import (
    agreed,
    as_it_lies,
    awaited,
    instead,
    reordered,
)
from firmware.follow.covered import (
    COVERED_AFTER_S,
    half_turned,
    hides_awaited,
    laid_together,
    may_hide,
    passes_over,
    unfinished,
)
from firmware.follow.differences import Difference, difference
from firmware.follow.findings import Explanation, Findings
from firmware.follow.latest import Latest
from firmware.follow.lifted import (
    Lifted,
    further_under,
    goes_on,
)
from firmware.follow.lingering import Lingering
from firmware.follow.meanings import Meanings
from firmware.follow.moved import NOTICED_S, Untouched, may_be_moved_on, on_its_way
from firmware.follow.overtaken import Overtaken
from firmware.follow.puzzle import Puzzle, key_of
from firmware.follow.second_thoughts import SecondThoughts
from firmware.follow.sight import Sight
from firmware.follow.slipping import Slips
from firmware.follow.verdicts import (
    Ask,
    Commit,
    Lose,
    Rethought,
    Retract,
    Settled,
    Table,
    Verdict,
    Ways,
    explanations,
)
from rules.acts import Verb
from rules.cards import BACK
from rules.state import State
from vision.sightings import Seen

ASK_AFTER_S = 1.0
"""How long a table must stay ambiguous before a question is asked: the next card often answers it.
A choice; `python -m tests.soak` judges it.
"""
IRREGULAR_AFTER_S = 1.5
"""How long something that no legal act explains must lie there before it counts as a slip: until
then, hands may be sorting cards, or take back one that was laid wrong, which people notice within a
second or so. Shorter than a dealer's next move. A choice; `python -m tests.soak` judges it.
"""
BEGUN_AFTER_S = 4.0
"""The same if it may be the beginning of an act that something unsaid would make legal. A choice;
`python -m tests.soak` judges it.
"""
HALF_AFTER_S = 2.0
"""The same if a card was drawn of several that may be due to be taken, and no hand is over any
place: whoever takes the others, as to turn a pile over, returns sooner. A choice: it is twice
`hiding.RESTS_S`; `python -m tests.soak` judges it.
"""
LOST_AFTER_S = 4.0
"""How long a table at rest that nothing explains, not even a slip, waits before it is reported,
even if it may be the beginning of what is awaited: a dealer waits five seconds, and looking takes
its share. A dealer who stops halfway to talk and then goes on needs no answer. A choice; `python -m
tests.soak` judges it.
"""
AWAY = frozenset({Verb.CLEAR, Verb.SHUFFLE})
"""Acts by which cards leave the table, of which those under others come to light on the way."""


class Deciding:
    """Decides what to do about the readings of a table, and remembers for how long they were so."""

    def __init__(self) -> None:
        self._means = Meanings()
        self._puzzle = Puzzle()
        self._lifted = Lifted()
        self._slips = Slips(self._means)
        self._second = SecondThoughts(self._means)
        self._overtaken = Overtaken()
        self._instead = Latest[list[Explanation]]()
        self._untouched = Untouched()
        self._lingering = Lingering(self._means)
        self._committed, self._acted = 0.0, 0.0
        self._state: State
        self._seen: Seen
        self._now = 0.0
        self._last, self._earlier = 0, 0

    @property
    def sight(self) -> Sight:
        """What the table shows, unless a person has said otherwise."""
        return self._means.sight

    def _look_at(self, state: State, seen: Seen) -> Seen:
        self._state, self._seen = state, self._lingering.without(seen)
        self._means.at(state, self._seen, self._now)
        return self._seen

    def _meaning(self, ways: Ways) -> Verdict:
        """What a table with these readings is taken to mean."""
        if not ways:
            return None
        every = ways
        if all(one.card == BACK for one in self.sight.doubts(self._seen, ways[0][0])):
            # What may be a back or nothing counts as nothing, unless a back explains something.
            likely = [way for way in ways if way[1].explanations or not way[1].difference]
            ways = self._due_first(likely or ways)
        rank = self._means.arrivals.rank
        explained = [one for _, found in ways for one in sorted(found.explanations, key=rank)]
        if any(not findings.difference for _, findings in ways):
            if not explained and (whole := self._laid_together(every)[1]) is not None:
                if self._waited(ways[0][0]) < LOST_AFTER_S or self._seen.busy:
                    return None
                explained = [whole]
            return self._either(ways, explained) if explained else self._as_before(ways[0][0])
        return self._changed(ways, explained)

    def _due_first(self, ways: Ways) -> Ways:
        """The ways, with the one in which whatever may be a back is one first if all that was due.

        What comes where and when a card is due is likelier that card than nothing.
        """
        if len(ways) == 1:  # as at nearly every look
            return ways
        fullest = max(ways, key=lambda way: sum(map(len, way[0].values())))
        found = fullest[1].explanations
        if not found or not all(awaited(self._state, one) for one in found):
            return ways
        return [fullest, *(way for way in ways if way is not fullest)]

    def _as_before(self, table: Table) -> Settled:
        """The table shows what the state expects."""
        self.restart()
        if not self._seen.busy:  # else a hand may hide signs of cards that came and went
            self.sight.piles.agree(self._state, table.keys())
            self._means.hidden.settle(self.sight.ignored)
            self._means.held_back.release()
        return Settled()

    def _either(self, ways: Ways, explained: Sequence[Explanation]) -> Verdict:
        """Ask whether nothing has happened or one of what is `explained`, the likelier first."""
        (table, findings), state = ways[0], self._state
        if self._waited(table) < ASK_AFTER_S:
            return None
        nothing = Explanation((), state)
        doubts = self.sight.doubts(self._seen, table)
        read = all(one.card == BACK for one in doubts)  # whatever shows is likelier a back
        due = read and all(awaited(state, one) for one in explained)
        happened = due or bool(findings.difference)
        return Ask((*explained, nothing) if happened else (nothing, *explained), table)

    def _changed(self, ways: Ways, explained: Sequence[Explanation]) -> Verdict:
        """What a table that differs from the state in every reading is taken to mean."""
        state, (table, findings) = self._state, ways[0]
        waited = self._waited(table)
        # If it makes no difference, what only may have happened on a pile has not happened.
        plainest = sorted(explained, key=lambda way: sum(way.passed.values()))
        certain = agreed(state, plainest, len(ways))
        reached = explained if certain is None else [certain]
        if (moved := self._no_slip(ways[0], reached)) is not None:
            return self._retract(moved, self._last, table)
        if (lay := self._second.never_taken(state, table, findings.difference)) is not None:
            self.restart()
            return lay
        orders = []
        if certain is not None:
            if self._may_go_on(certain, ways[0], waited):
                return None
            orders = self._means.others(certain, table)
            if not orders:
                half = any(one.half_taken for _, one in ways)
                return (
                    None if self._too_early(certain, waited, half) else self._commit(certain, table)
                )
        if waited >= ASK_AFTER_S and explained:
            return Ask((*reached, *(orders or self._means.passed(reached[0], table))), table)
        maybe = agreed(state, [one for _, found in ways for one in found.obscured], len(ways))
        if maybe is not None:
            self._means.held_back.hold(state, maybe, self._now)
        return self._unexplained(ways, waited)

    def _unexplained(self, ways: Ways, waited: float) -> Verdict:
        """Decide when nothing legal explains the table: wait, ask, or call it a slip."""
        cards, findings = ways[0]
        if (moved := self._moved_on(cards, findings.difference)) is not None:
            return self._retract(*moved, cards)
        if waited >= ASK_AFTER_S and (unseen := self._done_unseen(cards)) is not None:
            return unseen
        rethought = self._rethought(cards, findings, waited)
        if rethought is None:
            return None
        if rethought:
            return Lose(cards, rethought, self._slips.of(self._state, cards, findings))
        if findings.begun == 0 or findings.gathers:
            if waited < LOST_AFTER_S or self._seen.busy:
                return None
            fullest, whole = self._laid_together(ways)
            return (whole and self._commit(whole, fullest)) or self._lost(cards, findings)
        doubtful = self.sight.doubts(self._seen, cards)
        if doubtful and len(ways) > 1:
            likeliest = tuple(self._likeliest(found) for _, found in ways)
            return Ask(likeliest, cards) if waited >= ASK_AFTER_S else None
        unsure = next((one.card for one in doubtful if one.card != BACK), None)
        if unsure is not None:
            if waited < IRREGULAR_AFTER_S:
                return None
            key = (self._state, key_of(cards), unsure)
            lawful = self._instead.of(key, partial(instead, self._state, cards, unsure))
            return Ask((as_it_lies(self._state, findings), *lawful), cards)
        # What a hand that rests now did before it came to rest, nobody saw either.
        covered = self._seen.hidden | self._seen.still
        if hides_awaited(self._state, covered) and waited < COVERED_AFTER_S:
            return None
        known = waited >= ASK_AFTER_S and self._slips.worked_out(self._state, cards, findings)
        if not known or waited < (IRREGULAR_AFTER_S if findings.begun is None else BEGUN_AFTER_S):
            return None
        return self._irregular(cards, findings, waited)

    def _done_unseen(self, cards: Table) -> Commit | None:
        """What must have been done under a hand: cards were set down and handed on, or a hidden
        card seems to lie where it lay, but is gone."""
        if (handed := self._handed_on(cards)) is not None:
            return handed
        found = self._lingering.way(self._state, self._seen, cards)
        taken = None if found is None else self._commit(found.way, found.table)
        if found is not None and taken is not None:
            self._lingering.take(found)
        return taken

    def _handed_on(self, cards: Table) -> Commit | None:
        """Cards set down under a hand, and handed on before it left."""
        way = None if self._seen.busy else self._slips.handed_on(self._state, cards)
        return None if way is None else self._commit(way, cards)

    def _irregular(self, cards: Table, findings: Findings, waited: float) -> Verdict:
        """A slip, if that is all that has happened; the hand may also be lost.

        Once only clearing the table or turning a pile over is due, cards that come to light under a
        hand are on their way.
        """
        due = {one.verb for one in self._state.turn if one.required}
        if due and due <= AWAY and self._seen.busy:
            return None
        clearing = due == {Verb.CLEAR}
        drawn = self._second.drawn_unseen(self._state, cards, findings.difference)
        if drawn is not None:
            self.restart()
            return drawn
        slip = None if clearing else self._slips.of(self._state, cards, findings)
        unseen = self._slips.unseen(self._state, cards)
        if unseen:
            return Ask((*unseen, slip) if slip is not None else tuple(unseen), cards)
        if slip is None:
            return self._lost(cards, findings) if waited >= LOST_AFTER_S else None
        orders = reordered(self._state, slip)
        if orders:
            return Ask((slip, *orders), cards)
        self._slips.note(self._state, cards)
        return self._commit(slip, cards)

    def _laid_together(self, ways: Ways) -> tuple[Table, Explanation | None]:
        """The reading with the most cards, and the act that laid them if only some are made out."""
        cards, findings = max(ways, key=lambda way: way[1].difference.size)
        spots, doubts = self._seen.spots, self.sight.doubts(self._seen, cards)
        doubted = {n for n in cards for one in doubts if one.card == BACK and one in spots[n]}
        return cards, laid_together(self._state, findings.difference, doubted)

    def _lost(self, cards: Table, findings: Findings) -> Ask | Lose:
        """Ask whether further hidden cards lie under those that came, before the hand is lost."""
        watched = self.sight.watched(self._state, self._seen)
        for under in further_under(self._state, findings.difference, self._lifted.under):
            found = explanations(self._means.ways(watched, under))
            due = tuple(one for one in found if goes_on(self._state, one))
            if due:
                return Ask(due, cards)
        return Lose(cards)

    def _likeliest(self, findings: Findings) -> Explanation:
        """What one reading of the table means: lawful acts if there are any."""
        lawful = findings.explanations
        return lawful[0] if lawful else as_it_lies(self._state, findings)

    def _rethought(
        self, cards: Table, findings: Findings, waited: float
    ) -> tuple[Rethought, ...] | None:
        """How the hand may have gone instead, given that something earlier was in doubt.

        None while that is still being worked out.
        """
        if self._seen.busy or waited < IRREGULAR_AFTER_S:
            return ()
        ways = self._second.ways(self._state, cards)
        if findings.begun is not None and waited < BEGUN_AFTER_S:
            return ()
        return ways or () if waited >= LOST_AFTER_S else ways

    def _moved_on(self, cards: Table, change: Difference) -> tuple[Explanation, int] | None:
        """The explanation that the cards laid last went to a wrong place, and were then moved, and
        how many acts that replaces.

        A hidden card that lay alone may have been laid one look earlier: meanwhile, what lay under
        a hand elsewhere was seen.
        """
        soon, last = self._lain(change, 0.0) < NOTICED_S, self._last
        alone = all(left == (BACK,) and not cards[name] for name, left in change.left.items())
        for acts in (last, last + self._earlier) if alone and self._earlier else (last,):
            way = self._slips.moved_on(self._state, acts, cards, change, soon=soon)
            if way is not None:
                return way, acts
        return None

    def _no_slip(
        self, way: tuple[Table, Findings], likely: Sequence[Explanation]
    ) -> Explanation | None:
        """How the cards laid last were moved on, if that breaks fewer rules than what is likely."""
        soon = self._lain(way[1].difference, 0.0) < NOTICED_S
        return self._slips.no_slip(self._state, self._last, way, likely, soon=soon)

    def _lain(self, change: Difference, waited: float) -> float:
        """How many seconds the cards that have left their places had lain there since the latest
        commit, if the change was not seen longer ago than it has been `waited` for."""
        until = self._untouched.of(change.left)
        return (self._now - waited if until is None else until) - self._committed

    def _may_go_on(self, certain: Explanation, way: tuple[Table, Findings], waited: float) -> bool:
        """Whether a card that explains the table may only be on its way, or be moved on."""
        lain = self._lain(way[1].difference, waited)
        if on_its_way(certain, way[1], lain=lain, waited=waited):
            return True
        hidden = self._seen.busy if waited < COVERED_AFTER_S else ()
        return may_be_moved_on(self._state, self._last, certain, hidden)

    def _too_early(self, certain: Explanation, waited: float, half: bool) -> bool:
        """Whether what explains the table may be one part of what is being done: hands hide the
        rest, or it is only `half` done."""
        state, busy = self._state, self._seen.busy
        if waited < COVERED_AFTER_S and may_hide(state, certain, busy):
            self._means.held_back.hold(state, certain, self._now)
            return True
        if waited < COVERED_AFTER_S and self.sight.piles.undecided(state, busy):
            return True
        if passes_over(state, certain, busy):
            return True
        drawn = not busy and all(one.verb is Verb.DRAW for one in certain.acts)
        half = half and (waited < HALF_AFTER_S or not drawn)
        begun = half or unfinished(state, certain) or half_turned(state, certain)
        return waited < BEGUN_AFTER_S and begun

    def _commit(self, explanation: Explanation, table: Table) -> Commit | None:
        """Accept the explanation if it brings the state nearer to the table or explains tops."""
        was, now = (
            difference(one, table, table.keys()).size for one in (self._state, explanation.state)
        )
        if now >= was and not any(explanation.passed.values()):
            return None
        self._committed, self._acted = self._now, self._now - self._waited(table)
        self.restart()
        self._second.note(self._state, explanation, table)
        piles = self.sight.piles
        settled = set(table)
        if self._seen.busy:  # one may have gone to where a hand is now
            settled -= piles.came_and_went(self._state, explanation.passed)
        piles.settle(explanation.state, settled)
        self._means.hidden.restart(explanation.state)
        return Commit(explanation)

    def _retract(self, moved: Explanation, last: int, table: Table) -> Retract:
        """Replace the `last` acts with what explains the table."""
        self.restart()
        self.sight.piles.settle(moved.state, table.keys())
        return Retract(moved, last)

    def restart(self) -> None:
        """Restart the clock for how long a difference lasts: something else has happened."""
        self._puzzle.restart()

    def _waited(self, cards: Table) -> float:
        """How long the difference has been the same, in seconds."""
        return self._puzzle.lasted((key_of(cards), len(self._state.acts)), self._now)
