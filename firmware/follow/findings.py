"""The outcome of a look at the table: acts that explain it, or reasons to wait."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from firmware.follow.differences import Difference
from firmware.follow.hypotheses import Passed
from firmware.store.ledger import Step
from rules.acts import Act
from rules.state import State


@dataclass(frozen=True)
class Explanation:
    """Acts that lead from what the state holds to what is seen, and the state after them."""

    steps: tuple[Step, ...]
    state: State
    guessed: bool = False
    """Whether something is implied that could have been said differently, or not all alternatives
    could be tried: then people are asked.
    """
    passed: Passed = field(default_factory=dict)
    """How many of the tops of the piles it explains."""

    @property
    def acts(self) -> tuple[Act, ...]:
        """The acts alone."""
        return tuple(step.act for step in self.steps)

    @property
    def cost(self) -> tuple[int, int]:
        """How far-fetched it is: the number of optional implied acts, then of all acts."""
        return sum(step.free for step in self.steps), len(self.steps)

    def then(
        self,
        *steps: Step,
        state: State,
        guessed: bool = False,
        passed: Passed | None = None,
    ) -> Explanation:
        """The explanation with more acts."""
        further = self.passed if passed is None else passed
        return Explanation((*self.steps, *steps), state, self.guessed or guessed, further)


@dataclass(frozen=True)
class Findings:
    """What a look at the table means.

    `explanations` are all shortest ways to explain everything: nobody did an optional act if the
    required ones suffice, and nothing took two acts that one can explain. If there are none,
    `begun` says that what is seen is the beginning of one act's trace: 0 for an act awaited now, or
    the number of spoken acts that would have to come first. `half_taken` says that it may be the
    beginning of an act that takes a whole pile, although other acts explain it. `gathers` says that
    only a part of what is laid together, such as a meld, has been made out. `obscured` would be
    explanations if no hand hid what may have happened instead.
    """

    difference: Difference
    explanations: tuple[Explanation, ...] = ()
    begun: int | None = None
    half_taken: bool = False
    obscured: tuple[Explanation, ...] = ()
    gathers: bool = False
    tried: float = 0.0

    @property
    def tells(self) -> bool:
        """Whether what is seen has been explained, or may yet be by what a hand hides."""
        return bool(self.explanations) or self.begun == 0

    @property
    def asked(self) -> Findings:
        """The same findings, with none of them certain."""
        ways = tuple(replace(one, guessed=True) for one in self.explanations)
        return replace(self, explanations=ways)

    def after(self, before: Explanation, change: Difference) -> Findings:
        """The same findings after `before`, with `change` as all that differs."""

        def following(ways: tuple[Explanation, ...]) -> tuple[Explanation, ...]:
            return tuple(
                before.then(*one.steps, state=one.state, guessed=one.guessed, passed=one.passed)
                for one in ways
            )

        explained, obscured = following(self.explanations), following(self.obscured)
        return replace(self, difference=change, explanations=explained, obscured=obscured)
