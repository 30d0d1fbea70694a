"""What the loop does with what it has understood: play, store, acknowledge and announce it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from firmware.display.effects import Effect, Sound, Speech
from firmware.display.prompts import Question, Speaks, verdict_of
from firmware.follow.counted_pot import pot_asked
from firmware.follow.sight import lying_as
from firmware.store.ledger import CAMERA, Ledger, Step
from rules.errors import ActError
from rules.match import Match
from rules.phrases import Phrase
from rules.state import State
from vision.sightings import Lying, Seen

NOTICE_S = 5.0
"""How long the answer to a typed line or a press stays on the screen: a sentence read slowly. A
choice.
"""
RETRY_S = 2.0
"""Interval between attempts to store after a failure: an attempt may wait for 0.2 s. A choice."""
ACKNOWLEDGED_S = 0.6
"""How long the lamp of OK stays lit when an act has been stored: longer than a glance. A choice."""

Crop = Callable[[Lying], bytes | None]
"""Returns the small picture of a card in the newest frame, as a JPEG file."""


class Taking:
    """The match in which acts are recorded, and what is sounded and said about it."""

    def __init__(self, ledger: Ledger, texts: Speaks) -> None:
        self.ledger = ledger
        self.texts = texts
        self.now = 0.0
        self.seen: Seen | None = None
        self.question: Question | None = None
        self.notice: tuple[Phrase, float] | None = None
        self.failure = ledger.failure
        self._crop: Crop = lambda _: None
        self._lit_until = 0.0
        self._failed_until = NOTICE_S
        self._retry_at = 0.0
        self._seen_at = float("-inf")
        self._effects: list[Effect] = []

    @property
    def match(self) -> Match:
        """The match as followed so far."""
        return self.ledger.match

    @property
    def state(self) -> State:
        """The present moment of the hand."""
        return self.match.state

    def effects(self) -> tuple[Effect, ...]:
        """What to sound and say since the last call."""
        due, self._effects = tuple(self._effects), []
        return due

    def announce(self, phrase: Phrase, until: float) -> None:
        """Tell the dealer something about the device: aloud, and on the screen until `until`."""
        self.notice = (phrase, until)
        self._say(phrase, "alarm")

    def _take(self, steps: Sequence[Step], by: str, *, instead: int = 0) -> bool:
        """Play, store and acknowledge acts, in place of the last `instead` acts of the hand.

        Returns whether that was possible; either everything is done, or nothing.
        """
        before = next(self.state.history(instead)) if instead else self.state
        hand, known = self.match.hand, len(before.violations)
        crops = self._crops(steps) if by == CAMERA else ()
        try:
            if instead:
                self.ledger.replace(instead, steps, by, crops)
            else:
                self.ledger.take(steps, by, crops)
        except ActError as error:
            self._refuse(error)
            return False
        self._stored()
        self._seen_at = self.now if by == CAMERA else self._seen_at
        if self.question is not None and (self.question.by_hand or self.match.hand is not hand):
            self.question = None if self.question.lasts else self.question  # it is over
        if self.question is None:
            self.question = pot_asked(self.match, before)
        state = hand.state
        for violation in state.violations[known:]:
            if violation.open:
                self._say(violation.phrase, "error")
        verdict = verdict_of(state)
        if verdict is not None and state.calls:
            self._effects.append(Sound("tick" if verdict else "error"))
        for call in state.calls:
            self._effects.append(Speech(call, self.texts.say(call)))
        return True

    def _crops(self, steps: Sequence[Step]) -> list[bytes]:
        assert self.seen is not None
        lying = [
            lying_as(self.seen, step.act.spot or str(step.act.seat), card)
            for step in steps
            for card in step.act.cards
            if not step.implied
        ]
        pictures = [self._crop(one) for one in lying if one is not None]
        return [picture for picture in pictures if picture is not None]

    def _stored(self) -> None:
        """Acknowledge what was stored; report at once, and repeatedly, what waits to be stored."""
        failed, self.failure = bool(self.failure), self.ledger.failure
        if not self.failure:
            self._acknowledge()
            return
        self._failed_until, self._retry_at = self.now + NOTICE_S, self.now + RETRY_S
        if not failed:
            self._say(Phrase.of("journal.failed", error=self.failure), "alarm")

    def _retry(self) -> None:
        """Try again to store what is waiting."""
        if self.failure and self.now >= self._retry_at:
            self._retry_at = self.now + RETRY_S
            if self.ledger.retry():
                self.failure = ""
                self._acknowledge()

    def _acknowledge(self) -> None:
        self._lit_until = self.now + ACKNOWLEDGED_S

    def _tell(self, phrase: Phrase, sound: str = "tick") -> None:
        """Answer a person: on the screen for a while, with a tone."""
        self.notice = (phrase, self.now + NOTICE_S)
        self._effects.append(Sound(sound))

    def _say(self, phrase: Phrase, sound: str) -> None:
        self._effects += [Sound(sound), Speech(phrase, self.texts.say(phrase))]

    def _refuse(self, error: Exception) -> None:
        self._tell(Phrase.of("typed.refused", error=str(error)), "error")
