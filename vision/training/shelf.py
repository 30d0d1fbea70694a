"""The decks and backgrounds that scenes draw from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from unicodedata import lookup

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from rules.cards import BACK, JOKER, RANKS, SUITS, Card, Rank
from vision.read.alphabets import Alphabet
from vision.scene.courts import BackPattern, Colour, Picture, draw_back
from vision.scene.faces import FOUR_COLOURS, CardArt, DeckStyle, DrawnDeck, drawn_styles
from vision.scene.glyphs import Typeface
from vision.scene.jokers import JokerMark
from vision.scene.light import Surface, Weave
from vision.scene.regional import Kind
from vision.training import sources
from vision.training.artwork import Pack, zip_pictures
from vision.training.decks import (
    FIRST_MAKER,
    ArtDeck,
    FontDeck,
    LatinDeck,
    has_glyphs,
    load_art,
)

Rng = np.random.Generator

FOREIGN = 0.5
"""Share of the decks set in fonts that have another country's letters."""
LETTERED = 0.75
"""Share of the decks with another country's letters where these are what is to be learned."""
LATIN, LATIN_MAKERS, LATIN_TRIALS = 0.09, 50_000, 1_000
"""Share of a scene's decks with Latin suits, and how many makers there are of those trained on and
scored on. Choices."""
LATIN_SCALE = 5.0
"""Pixels per millimetre at which their backs are drawn. A choice: as sharp as the artwork."""
ALIKE = 0.4
"""Share of the scenes with mostly hidden cards in which the cloth is like a back. A choice."""
KEPT = 40
"""About how many decks are kept. A choice."""
STRANGE = (
    *"CGLOSUXYZ",
    *(lookup(f"GREEK CAPITAL LETTER {name}") for name in (
        "GAMMA", "THETA", "XI", "PI", "SIGMA", "PHI", "PSI", "OMEGA",
    )),
    *(lookup(f"CYRILLIC CAPITAL LETTER {name}") for name in (
        "BE", "ZHE", "ZE", "EF", "TSE", "CHE", "SHA", "HARD SIGN", "YERU", "E", "YA",
    )),
    *(lookup(f"LATIN CAPITAL LETTER {name}") for name in (
        "A WITH DIAERESIS", "AE", "O WITH STROKE", "S WITH CARON",
    )),
)  # fmt: skip
STRANGE_VALIDATION = (*"MNPW", "\N{GREEK CAPITAL LETTER LAMDA}", "\N{CYRILLIC CAPITAL LETTER YU}")
"""Letters of no known alphabet, for training and for scoring."""

_FULL = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)
_LATIN = tuple(card for card in _FULL if card.rank is not Rank.TEN)
_COURTS = tuple(card for card in _FULL if card.rank is Rank.ACE or card.rank.court)


@dataclass(frozen=True, slots=True)
class Stock:
    """One deck and those of its cards that may be shown."""

    art: CardArt
    cards: tuple[Card, ...]

    def draw(self, rng: Rng) -> Card:
        """A card, now and then a joker or a back."""
        chance = rng.random()
        if chance < 0.12:
            return BACK
        if chance < 0.19 and isinstance(self.art, DrawnDeck):
            return JOKER
        return self.cards[int(rng.integers(len(self.cards)))]


@dataclass(frozen=True)
class Photo:
    """A photograph or texture as a table top."""

    picture: Picture
    scale: float
    """Scale factor from its pixels to those of the view."""
    turn: int

    def draw(self, size: tuple[int, int], px_per_mm: float) -> Picture:
        """The texture, repeated to fill (width, height) pixels."""
        source = np.asarray(np.rot90(self.picture, self.turn))
        shape = (
            max(int(source.shape[1] * self.scale), 16),
            max(int(source.shape[0] * self.scale), 16),
        )
        tile = cv2.resize(source, shape, interpolation=cv2.INTER_AREA)
        repeat = (size[1] // tile.shape[0] + 1, size[0] // tile.shape[1] + 1, 1)
        return np.ascontiguousarray(np.tile(tile, repeat)[: size[1], : size[0]])


@dataclass
class Shelf:
    """Everything a scene may be made of, for one side of the split."""

    artwork: list[Stock]
    fonts: list[str]
    signs: list[str]
    courts: list[Pack]
    photos: list[Picture]
    validation: bool
    lettered: bool = False
    """Whether only courts and aces are dealt, of decks that mostly have other letters."""
    hidden: bool = False
    """Whether most cards lie face down, often on a cloth of nearly their colour."""
    latin: float = 0.0
    """Share of the decks with Latin suits, in scenes to learn from."""
    _made: list[Stock] = field(default_factory=list)
    _latin_made: list[Stock] = field(default_factory=list)

    @classmethod
    def open(
        cls,
        *,
        validation: bool,
        lettered: bool = False,
        hidden: bool = False,
        latin: float = 0.0,
    ) -> Shelf:
        """The installed decks, fonts and backgrounds."""
        packs = sources.WORK / "packs"
        names = sources.ART_VALIDATION if validation else sources.ART
        artwork = []
        for name, letters in names.items():
            deck = load_art(packs / f"{name}.npz", letters=letters)
            if deck is not None:
                artwork.append(Stock(deck, deck.cards))
        courts = [
            deck.pack
            for name in sources.COURTS
            if (deck := load_art(packs / f"{name}.npz", letters="")) is not None
        ]
        fonts = sources.index_fonts(validation=validation)
        signs = sources.sign_fonts()
        return cls(artwork, fonts, signs, courts, _photos(), validation, lettered, hidden, latin)

    def deck(self, rng: Rng) -> Stock:
        """A deck: artwork, one set in a font, a drawn one, or one of Latin suits."""
        if self.latin and rng.random() < self.latin:
            return _kept(self._latin_made, self._latin_deck, rng)
        chance = rng.random()
        if chance < 0.42 and self.artwork and not self.lettered:
            stock = self.artwork[int(rng.integers(len(self.artwork)))]
            return stock if self.validation or rng.random() < 0.2 else self._backed(stock, rng)
        in_font = chance < (0.6 if self.lettered else 0.85) or self.validation
        return _kept(self._made, self._font_deck if in_font else self._drawn_deck, rng)

    def _font_deck(self, rng: Rng) -> Stock:
        style = random_style(rng)
        font = self.fonts[int(rng.integers(len(self.fonts)))]
        signs = self.signs[int(rng.integers(len(self.signs)))] if rng.random() < 0.4 else ""
        courts: Pack = {}
        if self.courts and rng.random() < 0.8:
            courts = self.courts[int(rng.integers(len(self.courts)))]
        weight = int(rng.choice([0, 0, 0, 2, 4, 6]))
        foreign = LETTERED if self.lettered else FOREIGN
        letters = self._letters(font, rng) if rng.random() < foreign else {}
        art = FontDeck(style, font=font, weight=weight, signs=signs, courts=courts, letters=letters)
        return Stock(art, _COURTS if self.lettered else _FULL)

    def _letters(self, font: str, rng: Rng) -> dict[Rank, str]:
        """The letters of some country's deck, or of none, for an ace and the courts."""
        if rng.random() < 0.25:
            strange = STRANGE_VALIDATION if self.validation else STRANGE
            known = [one for one in strange if has_glyphs(font, one)]
            order = rng.permutation(len(known))[:3]
            ranks = (Rank.JACK, Rank.QUEEN, Rank.KING)
            return {rank: known[int(n)] for rank, n in zip(ranks, order, strict=False)}
        return self._spelled(rng, partial(has_glyphs, font))

    def _spelled(
        self, rng: Rng, printable: Callable[[str], bool] = lambda _: True
    ) -> dict[Rank, str]:
        """The letters of some country's deck.

        Where letters are to be learned, those that few countries have come as often as others.
        """
        countries = list(Alphabet)[1:]
        if self.lettered:
            countries += [Alphabet.SCANDINAVIAN, Alphabet.SCANDINAVIAN, Alphabet.RUSSIAN]
        found: dict[Rank, str] = {}
        for letter, rank in countries[int(rng.integers(len(countries)))].ranks.items():
            # Either of two letters for a rank; an ace is usually an A.
            wanted = rng.random() < 0.35 if rank is Rank.ACE else rank not in found
            if (wanted or rng.random() < 0.5) and printable(letter):
                found[rank] = letter
        return found

    def _drawn_deck(self, rng: Rng) -> Stock:
        styles = drawn_styles()
        face = _random_typeface(rng)
        # The simulated table's own decks must be read as well as any other.
        own = rng.random() < 0.4
        style = styles[int(rng.integers(len(styles)))] if own else random_style(rng)
        style = style if own else replace(style, typeface=face)
        if not self.lettered:
            return Stock(DrawnDeck(style), _FULL)
        letters = self._spelled(rng) if rng.random() < LETTERED else {}
        return Stock(DrawnDeck(style, letters), _COURTS)

    def _latin_deck(self, rng: Rng) -> Stock:
        """A deck of coins, cups, swords and clubs: its faces are faces, though nothing on them is
        an index."""
        makers = (0, LATIN_TRIALS) if self.validation else (FIRST_MAKER, FIRST_MAKER + LATIN_MAKERS)
        kind = Kind.SPANISH if rng.random() < 0.3 else Kind.LATIN
        width = float(rng.uniform(45, 62))
        size = width, width * float(rng.uniform(1.5, 2.05))
        pixels = round(size[1] * LATIN_SCALE), round(width * LATIN_SCALE)
        back = self._back(pixels, rng)
        return Stock(LatinDeck(kind, int(rng.integers(*makers)), cut=size, rear=back), _LATIN)

    def _backed(self, stock: Stock, rng: Rng) -> Stock:
        """A deck of artwork with another back."""
        assert isinstance(stock.art, ArtDeck)
        seven = stock.art.pack["7H"]
        back = np.dstack([self._back(seven.shape[:2], rng), seven[..., 3]])
        return replace(stock, art=replace(stock.art, pack=stock.art.pack | {"BACK": back}))

    def _back(self, size: tuple[int, int], rng: Rng) -> Picture:
        """A back (H,W,3) of that height and width: a pattern, a picture, or one plain colour."""
        height, width = size
        border = round(width * float(rng.choice([0.0, 0.0, 0.05, 0.07])))
        kind = rng.random()
        if kind < 0.35 or not self.photos:
            pattern = list(BackPattern)[int(rng.integers(len(BackPattern)))]
            printed = draw_back(pattern, (width, height), _random_colour(rng), border)
        else:
            printed = np.full((height, width, 3), 250, np.uint8)
            box = (width - 2 * border, height - 2 * border)
            if kind < 0.75:
                inner = np.full((*box[::-1], 3), _random_colour(rng), np.uint8)
            else:
                picture = self.photos[int(rng.integers(len(self.photos)))]
                inner = np.asarray(cv2.resize(picture, box), np.uint8)
            printed[border : height - border, border : width - border] = inner
        return printed

    def surface(self, rng: Rng, back: Colour | None = None) -> Photo | Surface:
        """A table top; where cards lie face down, often in about the colour of a `back`."""
        if self.hidden and back is not None and rng.random() < ALIKE:
            return _like(back, rng)
        if self.photos and rng.random() < 0.5:
            picture = self.photos[int(rng.integers(len(self.photos)))]
            return Photo(picture, float(rng.uniform(0.5, 2.0)), int(rng.integers(4)))
        return _random_surface(rng)


def _like(back: Colour, rng: Rng) -> Surface:
    """A table top that is hardly lighter or darker than a back, or of hardly another tint."""
    shade = float(np.exp(rng.normal(0, 0.2)))
    blue, green, red = (int(np.clip(v * shade + rng.normal(0, 8), 0, 255)) for v in back)
    colour = (blue, green, red)
    return replace(_random_surface(rng), colour=colour, second=_darker(rng, colour))


def _kept(made: list[Stock], make: Callable[[Rng], Stock], rng: Rng) -> Stock:
    """A deck that `make` makes, or mostly one `made` before: that costs less than drawing a card
    from a new one, so some are kept for a while."""
    if len(made) > KEPT and rng.random() < 0.85:
        return made[int(rng.integers(len(made)))]
    deck = make(rng)
    if len(made) > KEPT + 10:
        made.pop(int(rng.integers(len(made))))
    made.append(deck)
    return deck


def _photos() -> list[Picture]:
    """Textures from the installed packages, at most 512 pixels wide."""
    found: list[NDArray[np.uint8]] = []
    for archive in sorted(Path("/usr/share/games/openarena/baseoa").glob("*textures.pk3")):
        found += list(zip_pictures(archive, r"textures/(?!oquartz|sfx|flares).*\.jpg$"))
    for path in sorted(Path("/usr/share/gimp/2.0/patterns").rglob("*.pat")):
        try:
            with Image.open(path) as image:
                found.append(np.asarray(image.convert("RGB"))[:, :, ::-1].copy())
        except OSError:
            continue
    return [picture[:512, :512] for picture in found]


def random_style(rng: Rng) -> DeckStyle:
    """The look of a deck, as varied as those on sale."""
    jumbo = rng.random() < 0.15
    rank = float(rng.uniform(11, 17) if jumbo else rng.uniform(6.5, 11))
    suit = rank * float(rng.uniform(0.5, 0.95))
    widest = float(rng.uniform(0.7, 1.0)) * rank
    margin = float(rng.uniform(1.0, 2.2))
    return DeckStyle(
        width=float(rng.choice([63.5, 63.5, 57.2])),
        corner=float(rng.uniform(2.5, 5.0)),
        rank_height=rank,
        suit_height=suit,
        gap=float(rng.uniform(0.4, 0.22 * rank)),
        inset=(max(widest, suit) / 2 + margin, float(rng.uniform(2.0, 5.0))),
        corners=4 if rng.random() < 0.14 else 2,
        widest=widest,
        colours=_random_inks(rng),
        paper=_random_paper(rng),
        pip_height=float(rng.uniform(9.5, 14)),
        plump=float(rng.uniform(0.88, 1.15)),
        court_seed=int(rng.integers(1000)),
        pattern=list(BackPattern)[int(rng.integers(5))],
        back_ink=_random_colour(rng),
        back_border=float(rng.choice([0.0, 3.0, 4.0, 5.0])),
        joker=list(JokerMark)[int(rng.choice(5, p=[0.18, 0.18, 0.18, 0.18, 0.28]))],
        joker_width=float(rng.uniform(2.2, 4.5)),
        joker_length=float(rng.uniform(0.9, 2.3)),
    )


def _random_inks(rng: Rng) -> tuple[Colour, Colour, Colour, Colour]:
    black = tuple(int(v) for v in rng.integers(5, 45) + rng.integers(0, 12, 3))
    red = (int(rng.integers(20, 70)), int(rng.integers(15, 60)), int(rng.integers(150, 240)))
    dark: Colour = (black[0], black[1], black[2])
    if rng.random() < 0.1:
        return FOUR_COLOURS[0], FOUR_COLOURS[1], red, dark
    return dark, red, red, dark


def _random_paper(rng: Rng) -> Colour:
    white = int(rng.integers(228, 256))
    warm = int(rng.integers(0, 22)) if rng.random() < 0.4 else 0
    return white - warm, white - warm // 3, white


def _random_colour(rng: Rng) -> Colour:
    hue = np.array([[[rng.integers(180), rng.integers(60, 256), rng.integers(50, 230)]]], np.uint8)
    blue, green, red = (int(v) for v in cv2.cvtColor(hue, cv2.COLOR_HSV2BGR)[0, 0])
    return blue, green, red


def _random_typeface(rng: Rng) -> Typeface:
    return Typeface(
        weight=float(rng.uniform(0.085, 0.2)),
        contrast=float(rng.choice([1.0, rng.uniform(1.0, 2.0)])),
        width=float(rng.uniform(0.45, 0.75)),
        slant=float(rng.choice([0.0, 0.0, rng.uniform(0, 0.15)])),
        serif=float(rng.choice([0.0, rng.uniform(0.03, 0.1)])),
        open_four=bool(rng.random() < 0.3),
        flat_three=bool(rng.random() < 0.35),
    )


def _random_surface(rng: Rng) -> Surface:
    weave = list(Weave)[int(rng.choice(5, p=[0.35, 0.2, 0.15, 0.1, 0.2]))]
    colour = _random_colour(rng)
    if weave is Weave.FELT and rng.random() < 0.6:
        hue = int(rng.choice([rng.integers(35, 85), rng.integers(35, 85), rng.integers(95, 125)]))
        felt = np.array([[[hue, rng.integers(70, 220), rng.integers(40, 150)]]], np.uint8)
        blue, green, red = (int(v) for v in cv2.cvtColor(felt, cv2.COLOR_HSV2BGR)[0, 0])
        colour = (blue, green, red)
    elif rng.random() < 0.3:
        grey = int(rng.integers(20, 245))
        colour = (grey, grey, grey)
    return Surface(weave, colour, _darker(rng, colour), int(rng.integers(1 << 30)))


def _darker(rng: Rng, colour: Colour) -> Colour:
    factor = float(rng.uniform(0.55, 0.95))
    return int(colour[0] * factor), int(colour[1] * factor), int(colour[2] * factor)


__all__ = ["ArtDeck", "Photo", "Shelf", "Stock", "random_style"]
