"""The reader: from a picture to the physical cards in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import BACK
from vision.backs.count import backs
from vision.backs.plain import plain
from vision.backs.remainder import without
from vision.backs.roughly import roughly
from vision.backs.strangers import strangers
from vision.decide.answers import (
    ASKABLE,
    CUT_TRUST,
    among_strangers,
    answers,
    askable,
    by_face,
    contested,
    covered,
    cut_off,
    face_down,
    outline,
)
from vision.decide.card_classifier import CardClassifier, SecondOpinions
from vision.decide.figures import Figures, recognised
from vision.decide.profiles import FaceDeck
from vision.decide.trouble import DARK, SMALL, exposed, foreign, judged, spreads, white
from vision.find.asked import Asked
from vision.find.discs import Discs
from vision.find.finder import (
    AT_ONCE,
    AT_ONCE_LIVE,
    Finder,
    Indices,
    unexplained,
)
from vision.find.ground import grain
from vision.find.outlines import ASPECT_BAND
from vision.join.ends import reconciled
from vision.join.evidence import Blobs, blobs, faced
from vision.join.joined import Joined
from vision.join.joining import join
from vision.join.proportions import Proportions, Shape
from vision.join.suppression import stacked, usual_height, without_spurious
from vision.network import WEIGHTS, Network
from vision.picture.geometry import Box, Floats, Frame, Outline, checked
from vision.picture.pyramid import Pyramid
from vision.read.alphabets import Alphabet, Letters
from vision.read.glances import Glance, distinct, nothing, shown_by
from vision.read.index_classifier import JOKER_FACE, IndexClassifier
from vision.read.scales import (
    IDEAL,
    best_first,
    best_scaled,
    lettering,
    of_size,
    scales_of,
)
from vision.sightings import INDEX_MM, SURE_BACK, Reading, Sighting

PRESENT = 0.35
"""Minimum probability that an index shows some card at which it is worth a question. A choice;
`python -m tests.dealt_table` judges it."""
INSIDE, CLEAR = 0.6, 0.97
"""Share of a disc's radius within which what reads as an index may be print on the disc, and
confidence from which it counts all the same. A choice: a one in the middle of a chip was taken for
a doubtful seven beside the card that was bet on; the discs take up their shadows, too.
"""
AREA_BAND = (9.0, 36.0)
"""Area of a taught card in squared heights of a standard index: from half to twice that of a poker
card. Children's and tarot cards fall within it; shadows and table edges do not. A choice;
`python -m tests.dealt_table` judges it."""
UNDECIDED = 0.5
"""Confidence below which a face of a taught deck may be a back that is doubted itself; one that is
sure comes before any doubted face. No card is then likelier than all others together, and some back
prints match faces as well as faces by another maker do (0.77 with each of four, for a Piacentine
one). Follows from what probabilities are; `python -m tests.italian_decks` judges it."""
AROUND = 1.4
"""Margin around a change to look at as well, in index heights: the finder needs surroundings. Of
7,854 indices read on drawn tables, 14 to 25 are not read in so small a part, whatever the margin
from 1.0 to 2.0: where the finder's cells fall matters more. A choice; `python -m tests.dealt_table`
judges it."""
SLIMMEST = ASPECT_BAND[1]
"""Ratio of length to width of the slimmest cards. Follows from those that are taught."""
NONE = np.zeros(0, np.float32)
"""Opinions when there are no indices. A choice; `python -m tests.dealt_table` judges it."""
KnownDeck: TypeAlias = FaceDeck | Alphabet
"""What is known of the deck in play before it is seen: its whole faces, or its letters."""
Bools: TypeAlias = NDArray[np.bool_]
Part: TypeAlias = tuple[list[Sighting], tuple[str, ...], Glance]
"""Cards and troubles of one part of a picture, and the glance they come from."""


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """A reading and the glances it was made from, one for each part of the picture."""

    reading: Reading
    glances: tuple[Glance, ...]


class CardReader:
    """Reads the cards in pictures.

    Given `index_height`, the height of an index in pixels in the frames of a calibrated camera, it
    looks at one scale; otherwise it tries several. A height that is only `assumed` tells where to
    begin, but not how large a card is. A deck that is `known` is read by its whole faces instead of
    its indices, or by what its letters stand for. Without it, two different letters that fit one
    alphabet establish it, and other strange letters become questions.

    While the scale is known, what pictures reveal about the shape of the cards is kept in `deck`,
    and the letters read are kept in `letters`, from one picture to the next; without them, each
    picture stands alone. `finder`, `indices` and `faces` are the networks, loaded from this package
    unless given; raises `WeightsError` if they are unusable.
    """

    def __init__(
        self,
        *,
        index_height: float | None = None,
        assumed: bool = False,
        finder: Finder | None = None,
        indices: IndexClassifier | None = None,
        faces: CardClassifier | None = None,
        known: KnownDeck | None = None,
        deck: Proportions | None = None,
        letters: Letters | None = None,
        threads: int = 1,
    ) -> None:
        self.index_height = index_height
        self.assumed = assumed
        self._deck = deck
        self._figures = None if letters is None else Figures()
        spelled = known if isinstance(known, Alphabet) else None
        self._faced = None if isinstance(known, Alphabet) else known
        self._finder = finder or Finder(
            Network(WEIGHTS / "finder.onnx", ("maps",), threads=threads),
            at_once=AT_ONCE_LIVE if index_height else AT_ONCE,
        )
        self._indices = indices or IndexClassifier(
            Network(WEIGHTS / "reader.onnx", ("rank", "suit", "letters"), threads=threads),
            spelled,
            letters,
        )
        self._faces = faces or CardClassifier(
            Network(WEIGHTS / "face.onnx", ("rank", "suit"), threads=threads)
        )

    @property
    def _unit(self) -> float:
        """The height in pixels of an index, which gives the cards' size; zero if it is unknown."""
        return 0.0 if self.assumed else self.index_height or 0.0

    @property
    def alphabet(self) -> Alphabet | None:
        """The alphabet of the deck's letters, as far as it is known; it may become known later."""
        return self._indices.alphabet

    def read(
        self,
        frame: Frame,
        *,
        regions: Sequence[Box] | None = None,
        scales: Sequence[float] | None = None,
        discs: Discs | None = None,
    ) -> Reading:
        """Read the cards in `frame` (H, W, 3), or only those in `regions`.

        `scales` lists the factors by which to resize the picture before looking for cards; `discs`
        hide no index, and are not looked at where they lie by themselves. Raises `FrameError` if
        `frame` is not a picture.
        """
        return self.survey(frame, regions=regions, scales=scales, discs=discs).reading

    def survey(
        self,
        frame: Frame,
        *,
        regions: Sequence[Box] | None = None,
        scales: Sequence[float] | None = None,
        small: Frame | None = None,
        asked: Asked | None = None,
        discs: Discs | None = None,
    ) -> Survey:
        """Read as `read` does, and return the glances too.

        `small` is the same frame shrunk, if there is one: the light is judged on it. Only the backs
        `asked` about are reported.
        """
        start = perf_counter()
        height, width = checked(frame).shape[:2]
        whole = Box(0, 0, width, height)
        boxes = [whole] if regions is None else [box.within(width, height) for box in regions]
        pyramid = Pyramid(frame)
        bright = white(pyramid.shrunk(SMALL) if small is None else small)
        lit = exposed(pyramid, bright)
        read = [
            self._part(frame, lit, box, scales=scales, asked=asked, discs=discs)
            for box in boxes
            if box
        ]
        return _survey(frame, bright, read, start)

    def again(
        self,
        frame: Frame,
        glance: Glance,
        changed: Sequence[Box],
        *,
        small: Frame | None = None,
        asked: Asked | None = None,
        discs: Discs | None = None,
    ) -> Survey:
        """Update an earlier `glance` at a part of the picture from this frame.

        Only the `changed` boxes are looked at; all cards there are judged anew, and of the backs
        those `asked` about. `small` is the shrunk frame, and `discs` hide no index, as for
        `survey`. Raises `FrameError` if `frame` is not a picture.
        """
        start, box, pyramid = perf_counter(), glance.areas.box, Pyramid(frame)
        if self._faced is not None:
            return self.survey(frame, regions=[box], small=small)
        height, width = checked(frame).shape[:2]
        # Measured anew: the first card on a bare table shows how bright white is.
        bright = white(pyramid.shrunk(SMALL) if small is None else small)
        lit = exposed(pyramid, bright)
        margin, grid = round(AROUND * (self.index_height or IDEAL)), grain(self._scales(box)[0])
        fresh: list[tuple[Box, Glance]] = []
        for part in changed:
            wide = part.grown(margin).aligned(grid).within(width, height)
            if wide is not None:
                fresh.append((part, self._glance(lit, wide, None, part, discs)))
        troubles = self._troubles(frame, [one for _, one in fresh])
        seen, judged_by = self._judged(lit.frame, glance.renewed(fresh), asked, rows=False)
        strange = self._foreign(judged_by, seen, troubles)
        seen, troubles = among_strangers(seen) if strange else seen, (*troubles, *strange)
        return _survey(frame, bright, [(seen, troubles, judged_by)], start)

    def _part(
        self,
        frame: Frame,
        lit: Pyramid,
        box: Box,
        *,
        scales: Sequence[float] | None,
        asked: Asked | None,
        discs: Discs | None,
    ) -> Part:
        """Read one part of a picture: `lit` for the networks, `frame` for its troubles."""
        if self._faced is not None:
            known = self._by_faces(self._faced, frame, lit, box)
            glance = nothing(shown_by(known, box))
            return known, self._troubles(frame, [glance]), glance
        glance = self._glance(lit, box, scales, discs=discs)
        troubles = self._troubles(frame, [glance])
        sightings, judged_by = self._judged(lit.frame, glance, asked)
        strange = self._foreign(glance, sightings, troubles)
        seen = among_strangers(sightings) if strange else sightings
        return seen, (*troubles, *strange), judged_by

    def _by_faces(self, deck: FaceDeck, frame: Frame, lit: Pyramid, box: Box) -> list[Sighting]:
        """Find the cards of a deck known by its faces, and backs of any print."""
        found = deck.sightings(frame, box, self._size_of(deck))
        sized = [one for one in found.sightings if self._card_sized(one.outline)]
        known = [one for one in sized if not one.doubtful]
        strange = [one for one in found.strange if self._card_sized(outline(one[0]))]
        strange += [(np.array(one.outline, np.float32), one) for one in sized if one.doubtful]
        if BACK in deck.cards or not strange:
            return [*known, *(seen for _, seen in strange if seen is not None)]
        areas = self._finder.find(lit, box, self._scales(box)[0]).areas
        told = strangers(frame, areas, [corners for corners, _ in strange])
        for (_, seen), back in zip(strange, told, strict=True):
            likely = seen is not None and seen.confidence >= UNDECIDED
            if back is not None and (not likely or back.confidence >= SURE_BACK):
                known.append(face_down(back))
            elif seen is not None:
                known.append(seen)
        return known

    def _size_of(self, deck: FaceDeck) -> tuple[float, float] | None:
        """Width and height of a card in pixels, if the deck and the camera give them."""
        if not self._unit or deck.size_mm is None:
            return None
        width, height = (self._unit / INDEX_MM * side for side in deck.size_mm)
        return width, height

    def _glance(
        self,
        pyramid: Pyramid,
        box: Box,
        scales: Sequence[float] | None,
        within: Box | None = None,
        discs: Discs | None = None,
    ) -> Glance:
        """Run the finder and the index classifier on a part of the picture, or `within` a box."""
        scales = scales or self._scales(box)
        # What is round may be print on a back, of which a part that is read again is no more than a
        # piece: there, all is searched.
        skipped = discs.places if discs is not None and within is None else None
        finds = [self._finder.find(pyramid, box, scale, skipped) for scale in scales]
        indices = Indices.joined([find.indices for find in finds])
        if self.index_height:
            indices = indices[of_size(indices.heights, self.index_height)]
        if within is not None:
            indices = indices[indices.reaching(within)]
        patches, faces, strange = self._indices.look(pyramid.frame, indices)
        faces[cut_off(indices, pyramid.frame)] *= np.float32(CUT_TRUST)
        if discs is not None:
            inside = indices.within(discs.places, INSIDE)
            faces[inside & (faces.max(axis=1) < CLEAR)] = 0.0
            faces[covered(indices, discs.places) & ~inside] *= np.float32(CUT_TRUST)
        present = np.flatnonzero(faces.sum(axis=1) >= PRESENT)
        if len(finds) > 1:
            present = present[~lettering(indices.heights[present], faces[present])]
            # When a print is found at several scales, the best legible look counts.
            present = present[best_first(indices.heights[present], faces[present], ASKABLE)]
            present = np.sort(present[unexplained(indices[present])])
        present = present[distinct(indices[present], faces[present])]
        areas = best_scaled(finds, indices[present], faces[present])
        blur = spreads(patches[present])
        others = discs.outlines if discs is not None else ()
        even = tuple(plain(pyramid, areas))
        looks = indices[present], faces[present], blur, strange[present]
        return Glance(*looks, areas, even, others)

    def _judged(
        self, frame: Frame, glance: Glance, asked: Asked | None, *, rows: bool = True
    ) -> tuple[list[Sighting], Glance]:
        """The cards of a glance, and the glance with the faces that were read to decide them.

        Of the backs, only those `asked` about are judged, and `rows` of one colour are not sought
        beside these.
        """
        indices, faces, areas = glance.indices, glance.faces, glance.areas
        cards, shape = join(indices, faces, self._deck if self._unit else None)
        cards = faced(cards, indices, areas)
        every = without_spurious(cards, indices, faces)
        cards = stacked(every, indices)
        doubted = contested(every, cards, glance.strange)
        outlines = Blobs(areas.face, areas)
        assumed = shape == Shape()
        cards = reconciled(cards, indices, faces, areas, outlines, assumed=assumed)
        cards = self._confirmed(frame, cards, indices)
        wholes = SecondOpinions(frame, outlines, self._faces, glance.opinions)
        cards = wholes.weighed(cards, indices, faces)
        usual = self._usual(cards, indices, shape)
        cards, figured = recognised(
            cards, faces, wholes.of(cards, indices), glance.strange, self._figures or Figures()
        )
        seen = answers(cards, glance, figured, doubted)
        seen += [by_face(*one) for one in wholes.unindexed(cards)]
        seen = [card for card in seen if askable(card)]
        told = replace(glance, opinions=wholes.told)
        if asked is not None and asked.known is not None:
            return [*seen, *asked.known], told
        if asked is not None:
            areas = asked.of(areas, self._unit)
        if asked is not None and asked.roughly:
            hidden = roughly(frame, areas, cards, shape, usual)
        else:
            hidden = backs(
                frame, areas, cards, shape, usual, plain=glance.plain,
                lay=asked.lay if asked else (),
                stirred=asked.stirred if asked else (), deck=self._deck, unit=self._unit,
                rows=rows and asked is None,
            )  # fmt: skip
        hidden = without(hidden, areas, glance.others)
        return [*seen, *(face_down(back) for back in hidden)], told

    def _usual(self, cards: Sequence[Joined], indices: Indices, shape: Shape) -> float:
        """The height in pixels of the cards' indices, which gives the cards' size; zero if unknown.

        If no card shows both its indices, which give the size of this deck's cards, the camera's
        scale is preferred: cards differ less in size than their print does, and a card of this
        `shape` is taken to be as long as a standard one.
        """
        read = usual_height(cards, indices)
        told = any(card.agreement is not None for card in cards)
        if read and (told or not self._unit):
            return read
        return self._unit * Shape().length / shape.length

    def _confirmed(
        self, frame: Frame, cards: Sequence[Joined], indices: Indices
    ) -> tuple[Joined, ...]:
        """`cards` with lone jokers examined in all orientations.

        No suit sign confirms a joker, and lettering, robes and card edges resemble its index.
        """
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
        return judged(frame, areas, heights, blur, self._unit)

    def _foreign(
        self, glance: Glance, seen: Sequence[Sighting], troubles: Sequence[str]
    ) -> tuple[str, ...]:
        """Report ``"foreign"`` if the cards here belong to a deck without known indices."""

        def faces() -> list[Floats]:
            # Cards of other countries may be slimmer than those with known indices.
            whole = blobs(glance.areas.face, glance.areas, SLIMMEST)
            return [one for one in whole if self._card_sized(outline(one))]

        return foreign(faces, seen, troubles)

    def _card_sized(self, corners: Outline) -> bool:
        """Whether an outline can be a card's, as far as the scale is known."""
        if not self._unit:
            return True
        # A taught deck need not have indices; the scale still refers to a standard index.
        area = cv2.contourArea(np.asarray(corners, np.float32)) / self._unit**2
        return AREA_BAND[0] <= area <= AREA_BAND[1]

    def _scales(self, box: Box) -> list[float]:
        return scales_of(box, self.index_height)


def _survey(frame: Frame, bright: float, parts: Sequence[Part], start: float) -> Survey:
    sightings = [sighting for part in parts for sighting in part[0]]
    dark = ("dark",) if bright < DARK else ()
    troubles = dict.fromkeys((*dark, *(name for part in parts for name in part[1])))
    if dark:
        troubles.pop("foreign", None)  # the dark is what keeps them from being read
    size = frame.shape[1], frame.shape[0]
    reading = Reading(tuple(sightings), tuple(troubles), (perf_counter() - start) * 1000, size)
    return Survey(reading, tuple(part[2] for part in parts))
