"""The reader: from a picture to the physical cards in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log2
from statistics import median
from time import perf_counter
from typing import TypeAlias

import cv2
import numpy as np

from rules.cards import BACK
from vision.backs.count import backs, by_shape
from vision.backs.plain import plain
from vision.backs.roughly import roughly
from vision.decide.answers import (
    CUT_TRUST,
    among_strangers,
    answers,
    by_face,
    cut_off,
    face_down,
    outline,
)
from vision.decide.card_classifier import CardClassifier, SecondOpinions
from vision.decide.profiles import FaceDeck
from vision.decide.trouble import DARK, exposed, foreign, judged, spreads, white
from vision.find.asked import Asked
from vision.find.finder import (
    AT_ONCE,
    AT_ONCE_LIVE,
    STRIDE,
    Areas,
    Find,
    Finder,
    Indices,
    unexplained,
)
from vision.find.ground import grain
from vision.join.evidence import blobs, faced, reconciled
from vision.join.joining import Joined, join
from vision.join.proportions import Proportions
from vision.join.suppression import stacked, usual_height, without_spurious
from vision.network import WEIGHTS, Network
from vision.picture.geometry import Box, Floats, Frame, Outline, checked
from vision.read.alphabets import Alphabet
from vision.read.glances import Glance, distinct, nothing
from vision.read.index_classifier import JOKER_FACE, IndexClassifier
from vision.sightings import INDEX_MM, Reading, Sighting

IDEAL = 22.0
"""The index height in pixels at which the finder looks: the middle of what it was trained for
(10 to 40), and a quarter of the work of looking at twice the size. Follows from what the network
was trained on."""
SIZE_BAND = (0.55, 1.9)
"""Index heights against the calibrated one: other decks, and the lens's far and near ends. A
choice; `python -m tests.dealt_table` judges it."""
LONGEST = 1600
"""The longer side in pixels at which a photograph of unknown scale is looked at first: an index
of a card that fills a seventh of it is 25 px high. A choice; `python -m tests.dealt_table` judges
it."""
STEPS = 4
"""How often the scale is halved from there: down to a card that fills the picture. A choice;
`python -m tests.dealt_table` judges it."""
LEGIBLE = 0.7
"""From this probability of one face an index tells of what size the picture's indices are. A
choice; `python -m tests.dealt_table` judges it."""
PRESENT = 0.35
"""From this probability of showing some card an index is worth a question. A choice;
`python -m tests.dealt_table` judges it."""
ASKABLE = 0.4
"""Below this confidence nine of ten questions are about something that is no card: they are not
asked. A card that is hard to read in one frame has the next ones. A choice;
`python -m tests.dealt_table` judges it."""
AREA_BAND = (9.0, 36.0)
"""A taught card's area in squared heights of a standard index: half of and twice a poker card's;
children's and tarot cards stay within it, a shadow or the table's edge does not. A choice;
`python -m tests.dealt_table` judges it."""
UNDECIDED = 0.5
"""A face of a deck that is known by its faces and no likelier to be one card than any other may be
a back: some prints agree with several faces as well as another maker's faces do (0.77 with each of
four, of a Piacentine one). Follows from what probabilities are; `python -m tests.italian_decks`
judges it."""
AROUND = 1.4
"""How far in index heights around what changed is looked at: the finder wants surroundings. Of
7,854 indices read on drawn tables 14 to 25 are not read in so small a part, whatever is left around
it from 1.0 to 2.0: where the finder's cells come to lie tells more. A choice;
`python -m tests.dealt_table` judges it."""
NONE = np.zeros(0, np.float32)
"""The opinions where there are no indices. A choice; `python -m tests.dealt_table` judges it."""
Part: TypeAlias = tuple[list[Sighting], tuple[str, ...], Glance]
"""Cards and troubles of one part of a picture, and the glance that they come from."""


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """A reading, and the glances that it was made from, a part of the picture each."""

    reading: Reading
    glances: tuple[Glance, ...]


class CardReader:
    """Reads the cards in pictures.

    With `index_height`, the height in pixels of an index in the frames of a calibrated camera, it
    looks at one scale; without, it tries several. A taught deck's `profile` reads whole faces
    instead of indices. The `alphabet` of a deck says what its letters stand for; without it, two
    letters in one picture that agree on one tell it, and other strange letters are questions.
    What the pictures tell of the shape of the `deck` in play is kept from one to the next, while
    the scale is known; without it, each picture tells its own.
    `finder` and `indices` are the two networks, from this package's weights
    unless given; raises `WeightsError` if those cannot be used.
    """

    def __init__(
        self,
        *,
        index_height: float | None = None,
        finder: Finder | None = None,
        indices: IndexClassifier | None = None,
        faces: CardClassifier | None = None,
        profile: FaceDeck | None = None,
        alphabet: Alphabet | None = None,
        deck: Proportions | None = None,
        threads: int = 1,
    ) -> None:
        self.index_height = index_height
        self._deck = deck
        self._profile = profile
        self._finder = finder or Finder(
            Network(WEIGHTS / "finder.onnx", ("maps",), threads=threads),
            at_once=AT_ONCE_LIVE if index_height else AT_ONCE,
        )
        self._indices = indices or IndexClassifier(
            Network(WEIGHTS / "reader.onnx", ("rank", "suit", "letters"), threads=threads), alphabet
        )
        self._faces = faces or CardClassifier(
            Network(WEIGHTS / "face.onnx", ("rank", "suit"), threads=threads)
        )

    def read(
        self,
        frame: Frame,
        *,
        regions: Sequence[Box] | None = None,
        scales: Sequence[float] | None = None,
    ) -> Reading:
        """The cards in `frame` (H, W, 3), or only in its `regions`.

        `scales` says by which factors to shrink or enlarge the picture before looking for cards.
        Raises `FrameError` if `frame` is no picture.
        """
        return self.survey(frame, regions=regions, scales=scales).reading

    def survey(
        self,
        frame: Frame,
        *,
        regions: Sequence[Box] | None = None,
        scales: Sequence[float] | None = None,
        small: Frame | None = None,
        asked: Asked | None = None,
    ) -> Survey:
        """The same as `read`, with what it was made from.

        `small` is the same frame shrunk, if that is at hand: light is judged on it. Of the backs
        only those `asked` about are told.
        """
        start = perf_counter()
        height, width = checked(frame).shape[:2]
        whole = Box(0, 0, width, height)
        boxes = [whole] if regions is None else [box.within(width, height) for box in regions]
        bright = white(frame if small is None else small)
        lit = exposed(frame, bright)
        read = [self._part(frame, lit, box, scales, asked) for box in boxes if box]
        return _survey(frame, bright, read, start)

    def again(
        self,
        frame: Frame,
        glance: Glance,
        changed: Sequence[Box],
        *,
        small: Frame | None = None,
        asked: Asked | None = None,
    ) -> Survey:
        """What an earlier `glance` at a part of the picture shows in this frame.

        Only the `changed` boxes are looked at; all that lies there is judged anew, of the backs
        those `asked` about. `small` is the frame shrunk, as `survey` takes it. Raises `FrameError`
        if `frame` is no picture.
        """
        start, box = perf_counter(), glance.areas.box
        if self._profile is not None:
            return self.survey(frame, regions=[box], small=small)
        height, width = checked(frame).shape[:2]
        # Not as it was at that glance: the first card on a bare table tells how bright white is.
        bright = white(frame if small is None else small)
        lit = exposed(frame, bright)
        margin, grid = round(AROUND * (self.index_height or IDEAL)), grain(self._scales(box)[0])
        fresh: list[tuple[Box, Glance]] = []
        for part in changed:
            wide = part.grown(margin).aligned(grid).within(width, height)
            if wide is not None:
                fresh.append((part, self._glance(lit, wide, None, part)))
        troubles = self._troubles(frame, [one for _, one in fresh])
        seen, judged_by = self._judged(lit, glance.renewed(fresh), asked)
        strange = self._foreign(judged_by, seen, troubles)
        seen, troubles = among_strangers(seen) if strange else seen, (*troubles, *strange)
        return _survey(frame, bright, [(seen, troubles, judged_by)], start)

    def _part(
        self,
        frame: Frame,
        lit: Frame,
        box: Box,
        scales: Sequence[float] | None,
        asked: Asked | None,
    ) -> Part:
        """One part of a picture, which is `lit` for the networks and as it is for its troubles."""
        if self._profile is not None:
            known = self._by_faces(self._profile, frame, lit, box)
            glance = nothing(shown_by(known, box))
            return known, self._troubles(frame, [glance]), glance
        glance = self._glance(lit, box, scales)
        troubles = self._troubles(frame, [glance])
        sightings, judged_by = self._judged(lit, glance, asked)
        strange = self._foreign(glance, sightings, troubles)
        seen = among_strangers(sightings) if strange else sightings
        return seen, (*troubles, *strange), judged_by

    def _by_faces(self, deck: FaceDeck, frame: Frame, lit: Frame, box: Box) -> list[Sighting]:
        """The cards of a deck that is known by its faces, and backs of any print."""
        found = deck.sightings(frame, box, self._size_of(deck))
        sized = [one for one in found.sightings if self._card_sized(one.outline)]
        known = [one for one in sized if one.confidence >= UNDECIDED]
        strange = [one for one in found.strange if self._card_sized(outline(one[0]))]
        strange += [(np.array(one.outline, np.float32), one) for one in sized if one not in known]
        if BACK in deck.cards or not strange:
            return [*known, *(seen for _, seen in strange if seen is not None)]
        areas = self._finder.find(lit, box, self._scales(box)[0]).areas
        for corners, seen in strange:
            back = by_shape(areas, corners)
            known += [face_down(back)] if back else [seen] if seen else []
        return known

    def _size_of(self, deck: FaceDeck) -> tuple[float, float] | None:
        """A card's short and long side in pixels, where the deck and the camera tell."""
        if not self.index_height or deck.size_mm is None:
            return None
        width, height = (self.index_height / INDEX_MM * side for side in deck.size_mm)
        return width, height

    def _glance(
        self, frame: Frame, box: Box, scales: Sequence[float] | None, within: Box | None = None
    ) -> Glance:
        """What the first two networks say of a part of the picture, or of what lies `within`."""
        finds = [self._finder.find(frame, box, scale) for scale in scales or self._scales(box)]
        indices = Indices.joined([find.indices for find in finds])
        if self.index_height:
            ratio = indices.heights / self.index_height
            indices = indices[(ratio >= SIZE_BAND[0]) & (ratio <= SIZE_BAND[1])]
        if within is not None:
            indices = indices[indices.reaching(within)]
        patches, faces = self._indices.look(frame, indices)
        faces[cut_off(indices, frame)] *= np.float32(CUT_TRUST)
        present = np.flatnonzero(faces.sum(axis=1) >= PRESENT)
        if len(finds) > 1:
            # Of one print seen at several scales the best look counts of those that can be read.
            present = present[np.argsort(faces[present].max(axis=1) < ASKABLE, kind="stable")]
            present = np.sort(present[unexplained(indices[present])])
        present = present[distinct(indices[present], faces[present])]
        areas = best_scaled(finds, indices[present], faces[present])
        blur = spreads(patches[present])
        return Glance(indices[present], faces[present], blur, areas, tuple(plain(frame, areas)))

    def _judged(
        self, frame: Frame, glance: Glance, asked: Asked | None
    ) -> tuple[list[Sighting], Glance]:
        """The cards that a glance shows, of the backs those `asked` about, and the glance with the
        faces read for that."""
        indices, faces, areas = glance.indices, glance.faces, glance.areas
        cards, shape = join(indices, faces, self._deck if self.index_height else None)
        cards = faced(cards, indices, areas)
        cards = stacked(without_spurious(cards, indices, faces), indices)
        outlines = blobs(areas.face, areas)
        cards = self._confirmed(frame, reconciled(cards, indices, faces, areas, outlines), indices)
        wholes = SecondOpinions(frame, outlines, self._faces, glance.opinions)
        cards = wholes.weighed(cards, indices, faces)
        usual = self._usual(cards, indices)
        seen = answers(cards, glance)
        seen += [by_face(*one) for one in wholes.unindexed(cards)]
        seen = [card for card in seen if card.confidence >= ASKABLE]
        told = replace(glance, opinions=wholes.told)
        if asked is not None and asked.known is not None:
            return [*seen, *asked.known], told
        if asked is not None:
            areas = asked.of(areas, self.index_height or 0.0)
        if asked is not None and asked.roughly:
            hidden = roughly(frame, areas, cards, shape, usual)
        else:
            hidden = backs(frame, areas, cards, shape, usual, plain=glance.plain)
        return [*seen, *(face_down(back) for back in hidden)], told

    def _usual(self, cards: Sequence[Joined], indices: Indices) -> float:
        """The height in pixels of the cards' indices, by which their size is known; zero if it is
        not. Where no card shows both its indices, which tell how large cards of this deck are for
        that, the camera's scale tells more: cards are of more equal size than their print."""
        read = usual_height(cards, indices)
        told = any(card.agreement is not None for card in cards)
        return read if read and (told or not self.index_height) else self.index_height or 0.0

    def _confirmed(
        self, frame: Frame, cards: Sequence[Joined], indices: Indices
    ) -> tuple[Joined, ...]:
        """`cards` with lone jokers looked at from all sides: no suit sign confirms them, and
        lettering, robes and the edges of cards resemble their indices."""
        lone = {
            number: card.members[0]
            for number, card in enumerate(cards)
            if len(card.members) == 1 and int(card.faces.argmax()) == JOKER_FACE
        }
        if not lone:
            return tuple(cards)
        faces = self._indices.all_round(frame, indices[np.array(list(lone.values()))])
        shown = dict(zip(lone, faces, strict=True))
        return tuple(
            replace(card, faces=shown.get(number, card.faces)) for number, card in enumerate(cards)
        )

    def _troubles(self, frame: Frame, glances: Sequence[Glance]) -> tuple[str, ...]:
        heights = np.concatenate([NONE, *(glance.indices.heights for glance in glances)])
        blur = np.concatenate([NONE, *(glance.blur for glance in glances)])
        areas = [glance.areas for glance in glances]
        return judged(frame, areas, heights, blur, self.index_height or 0.0)

    def _foreign(
        self, glance: Glance, seen: Sequence[Sighting], troubles: Sequence[str]
    ) -> tuple[str, ...]:
        """Whether another deck lies in a part of the picture than one with indices."""

        def faces() -> list[Floats]:
            whole = blobs(glance.areas.face, glance.areas)
            return [one for one in whole if self._card_sized(outline(one))]

        return foreign(faces, seen, troubles)

    def _card_sized(self, corners: Outline) -> bool:
        """Whether an outline can be a card's, as far as the scale is known."""
        if not self.index_height:
            return True
        # A taught deck need not have indices; the scale still refers to a standard one.
        area = cv2.contourArea(np.asarray(corners, np.float32)) / self.index_height**2
        return AREA_BAND[0] <= area <= AREA_BAND[1]

    def _scales(self, box: Box) -> list[float]:
        if self.index_height:
            return [min(1.0, IDEAL / self.index_height)]
        # Enlarging beyond twice adds no detail, only work.
        first = min(2.0, LONGEST / max(box.width, box.height))
        return [first / 2**step for step in range(STEPS)]


def _survey(frame: Frame, bright: float, parts: Sequence[Part], start: float) -> Survey:
    sightings = [sighting for part in parts for sighting in part[0]]
    dark = ("dark",) if bright < DARK else ()
    troubles = dict.fromkeys((*dark, *(name for part in parts for name in part[1])))
    if dark:
        troubles.pop("foreign", None)  # it is the dark that keeps them from being read
    size = frame.shape[1], frame.shape[0]
    reading = Reading(tuple(sightings), tuple(troubles), (perf_counter() - start) * 1000, size)
    return Survey(reading, tuple(part[2] for part in parts))


def shown_by(sightings: Sequence[Sighting], box: Box) -> Areas:
    """The areas of the faces and backs in a part of the picture, by the outlines of its cards."""
    shape = -(-box.height // STRIDE), -(-box.width // STRIDE)
    face, back = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    for seen in sightings:
        corners = (np.asarray(seen.outline) - (box.x, box.y)) / STRIDE - 0.5
        field = back if seen.card == BACK else face
        cv2.fillConvexPoly(field, np.round(corners).astype(np.int32), (1,))
    return Areas(face.astype(np.float32), back.astype(np.float32), box, 1 / STRIDE)


def best_scaled(finds: Sequence[Find], indices: Indices, faces: Floats) -> Areas:
    """The areas of that look at a part on which its `indices` are of the size the finder knows.

    `faces` (N, 53) is what they show: only what can be read tells the size. Where nothing can, the
    backs tell the scale: they fill much of the picture there.
    """
    if len(finds) == 1:
        return finds[0].areas
    legible = faces.max(axis=1, initial=0) >= LEGIBLE
    if not legible.any():
        return max(finds, key=lambda find: (find.areas.back > 0.5).mean()).areas
    height = median(indices.heights[legible].tolist()) * STRIDE
    return min(finds, key=lambda find: abs(log2(find.areas.scale * height / IDEAL))).areas
