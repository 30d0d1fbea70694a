"""Where training pictures come from: artwork, fonts and backgrounds, with their licences.

None of it is shipped. Training and validation are split by *typeface*: no index design that the
networks are scored on was seen in training, whatever name another package gives it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

WORK = Path(os.environ.get("MAZZIERE_TRAINING", "vision/training/work"))
"""Where artwork is unpacked and generated data are stored; ignored by version control."""

SYSTEM = Path("/usr/share")


@dataclass(frozen=True, slots=True)
class Source:
    """One installable package of artwork, fonts or backgrounds."""

    package: str
    registry: str
    version: str
    licence: str
    gives: str


SOURCES = (
    Source("gnome-cards-data", "Debian", "1:3.22.23-1", "GPL-3+", "decks in SVG sheets"),
    Source("kdegames-card-data-kf5", "Debian", "4:22.12.3-1", "GPL-2+/LGPL-2+", "decks in SVG"),
    Source("texlive-games", "Debian", "2022.20230122-4", "public domain, LGPL", "decks in PDF"),
    Source("pokerth-data", "Debian", "1.1.2-2", "public domain, GFDL", "jumbo decks"),
    Source("@heruka_urgyen/react-playing-cards", "npm", "0.5.0", "MIT, art CC0", "decks in SVG"),
    Source("svg-cards", "npm", "4.0.2", "LGPL-2.1", "deck, backs"),
    Source("deck-of-cards", "npm", "0.1.8", "MIT", "courts without letters"),
    Source("arcade", "PyPI", "3.3.3", "CC0", "small deck, backs"),
    Source("cardsJS", "npm", "1.1.1", "LGPL-3", "deck, validation only"),
    Source("react-casino", "npm", "0.2.6", "MIT", "deck, validation only"),
    Source("fonts-dejavu-extra", "Debian", "2.37-6", "Bitstream Vera", "index type, signs"),
    Source("fonts-urw-base35", "Debian", "20200910-7", "AGPL-3 with exception", "index type"),
    Source("fonts-roboto", "Debian", "2:0~20170802-3", "Apache-2.0", "index type"),
    Source("fonts-open-sans", "Debian", "1.11-2", "Apache-2.0", "index type"),
    Source("fonts-liberation", "Debian", "1:1.07.4-11", "OFL-1.1", "index type"),
    Source("fonts-linuxlibertine", "Debian", "5.3.0-6", "OFL-1.1", "index type, signs"),
    Source("fonts-freefont-ttf", "Debian", "20120503-10", "GPL-3 with exception", "index, signs"),
    Source("fonts-bebas-neue", "Debian", "2.000-2", "OFL-1.1", "index type"),
    Source("fonts-yanone-kaffeesatz", "Debian", "2.000-1", "OFL-1.1", "index type"),
    Source("fonts-dosis", "Debian", "1.007-3", "OFL-1.1", "index type"),
    Source("fonts-league-spartan", "Debian", "2.210-1", "OFL-1.1", "index type"),
    Source("fonts-oldstandard", "Debian", "2.2really-4", "OFL-1.1", "index type"),
    Source("fonts-gfs-didot", "Debian", "1.0-3", "OFL-1.1", "index type, validation only"),
    Source(
        "fonts-adf-accanthis and ten more fonts-adf",
        "Debian",
        "0.20190904-2",
        "GPL-2+ with exception",
        "index type",
    ),
    Source("fonts-lmodern", "Debian", "2.005-1", "GUST font licence", "index type"),
    Source("fonts-paratype", "Debian", "20181108-3", "ParaType free font licence", "index type"),
    Source("fonts-hack", "Debian", "3.003-3", "Expat, Bitstream Vera", "index type"),
    Source("fonts-tuffy", "Debian", "20120614-2.1", "public domain", "index type"),
    Source("fonts-tiresias", "Debian", "0.1-6", "GPL-3+ with exception", "index type"),
    Source("fonts-tlwg-kinnari-otf, -norasi-otf", "Debian", "1:0.7.3-1", "GPL-2+", "index type"),
    Source("fonts-play", "Debian", "1.002+20150307.1-0.1", "Apache-2.0", "index type"),
    Source("fonts-roboto-slab", "Debian", "1.100263+20170512-2", "Apache-2.0", "index type"),
    Source("fonts-inter", "Debian", "4.0~beta7+ds-1", "OFL-1.1, Apache-2.0", "index type"),
    Source("the other packages of `_FOUNDRIES`", "Debian", "bookworm's", "OFL-1.1", "index type"),
    Source("@fontsource/oswald and fifteen others", "npm", "5.x", "OFL-1.1", "index type"),
    Source("Scopa (OMerkel)", "GitHub", "022c084", "GPL-3", "three regional decks, enrolled"),
    Source("Italian-decks (mhamilt)", "GitHub", "97c6e6c", "GPL-3", "Brescian deck, enrolled"),
    Source("openarena-081-textures", "Debian", "0.8.5split-11", "GPL-2", "backgrounds"),
    Source("gimp-data", "Debian", "2.10.34", "GPL-3+", "backgrounds"),
    Source("opencv-doc", "Debian", "4.6.0+dfsg-12", "Apache-2.0, BSD", "photographs"),
    Source(
        "plasma-workspace-wallpapers",
        "Debian",
        "4:5.27.5-2",
        "GPL-2+",
        "photographs",
    ),
    Source(
        "mate-backgrounds",
        "Debian",
        "1.26.0-1",
        "GPL-2+, CC-BY-SA-4.0",
        "photographs",
    ),
    Source("gnome-backgrounds", "Debian", "43.1-1", "CC-BY-SA-3.0", "photographs"),
)

ENGLISH = "A23456789TJQK"
NUMBERS = "23456789T"
NUMBERS_AND_ACE = "A23456789T"

ART = {
    "gnome-anglo": ENGLISH, "gnome-anglo_bitmap": ENGLISH, "gnome-anglo_modern": ENGLISH,
    "gnome-anglo_modern_4_color": ENGLISH, "gnome-anglo_poker": ENGLISH,
    "gnome-atlasnye": ENGLISH, "gnome-bellot": ENGLISH, "gnome-dondorf": ENGLISH,
    "gnome-gnomangelo": ENGLISH, "gnome-gnomangelo_bitmap": ENGLISH,
    "gnome-neoclassical": ENGLISH, "gnome-neoclassical_4_color": ENGLISH,
    "gnome-paris": ENGLISH, "gnome-plastic": ENGLISH, "gnome-simplistic": ENGLISH,
    "gnome-orell": ENGLISH, "gnome-tigullio": ENGLISH, "gnome-guyenne-classic": NUMBERS_AND_ACE,
    "gnome-rheinland": NUMBERS_AND_ACE, "gnome-berlin": NUMBERS_AND_ACE,
    "gnome-lattmann": NUMBERS_AND_ACE, "gnome-tarocco": NUMBERS_AND_ACE,
    "gnome-ancient_french": NUMBERS, "gnome-slavic_costumes": NUMBERS,
    "gnome-atlasnye2": NUMBERS, "gnome-atlasnye_skat": NUMBERS_AND_ACE,
    "heruka-2color": ENGLISH, "heruka-4color": ENGLISH, "heruka-2color-bf": ENGLISH,
    "heruka-4color-bf": ENGLISH, "jeux-v1": ENGLISH, "jeux-v2": ENGLISH, "jeux-v3": ENGLISH,
    "kde-ancient-egyptians": ENGLISH, "kde-dondorf": ENGLISH, "kde-gm-paris": NUMBERS_AND_ACE,
    "kde-jolly-royal": ENGLISH, "kde-standard": ENGLISH, "kde-tigullio-international": ENGLISH,
    "kenney": ENGLISH, "svgcards": ENGLISH,
}  # fmt: skip
"""Decks to train on, and those of their ranks that are lettered as in English: a jack's B, V or F
and a queen's D would teach the wrong letters."""

ART_VALIDATION = {"val-cardsjs": ENGLISH, "val-casino": ENGLISH}
"""Similar to decks on sale; never trained on."""

COURTS = (
    "gnome-anglo", "gnome-bellot", "gnome-atlasnye", "gnome-anglo_poker", "gnome-plastic",
    "heruka-2color", "jeux-v1", "jeux-v2", "jeux-v3", "kde-standard", "svgcards",
)  # fmt: skip
"""Decks whose court figures are used in the middle of faces set in fonts."""

_TYPE = (
    "dejavu/DejaVuSans-Bold", "dejavu/DejaVuSans", "dejavu/DejaVuSansCondensed-Bold",
    "dejavu/DejaVuSansCondensed", "dejavu/DejaVuSerif-Bold", "dejavu/DejaVuSerif",
    "dejavu/DejaVuSerifCondensed-Bold", "dejavu/DejaVuSerifCondensed",
    "freefont/FreeSerif", "freefont/FreeSerifBold", "freefont/FreeSansBold",
    "liberation/LiberationSans-Regular", "liberation/LiberationSans-Bold",
    "liberation/LiberationSansNarrow-Regular", "liberation/LiberationSansNarrow-Bold",
    "liberation/LiberationSerif-Regular", "liberation/LiberationSerif-Bold",
    "open-sans/OpenSans-Regular", "open-sans/OpenSans-Semibold", "open-sans/OpenSans-CondBold",
    "fonts-oldstandard/OldStandard-Regular", "fonts-oldstandard/OldStandard-Bold",
    "noto/NotoSans-Bold", "noto/NotoSerif-Regular", "noto/NotoSerif-Bold",
    "noto/NotoSansDisplay-Regular", "noto/NotoSerifDisplay-Regular", "noto/NotoSerifDisplay-Bold",
    "roboto/unhinted/RobotoTTF/Roboto-Medium", "roboto/unhinted/RobotoTTF/Roboto-Bold",
    "roboto/unhinted/RobotoCondensed-Regular", "roboto/unhinted/RobotoCondensed-Bold",
)  # fmt: skip
_OPEN = (
    "bebas-neue/BebasNeue-Regular", "bebas-neue/BebasNeue-Book", "bebas-neue/BebasNeue-Bold",
    "dosis/Dosis-Medium", "dosis/Dosis-Bold", "league-spartan/LeagueSpartan-Medium",
    "linux-libertine/LinLibertine_R", "linux-libertine/LinLibertine_RB",
    "linux-libertine/LinBiolinum_R", "linux-libertine/LinBiolinum_RB",
    "urw-base35/C059-Roman", "urw-base35/C059-Bold", "urw-base35/NimbusRoman-Regular",
    "urw-base35/NimbusRoman-Bold", "urw-base35/NimbusSansNarrow-Regular",
    "urw-base35/P052-Roman", "urw-base35/URWBookman-Demi", "urw-base35/URWBookman-Light",
    "urw-base35/URWGothic-Demi", "urw-base35/C059-Italic", "urw-base35/P052-BoldItalic",
    "yanone-kaffeesatz/YanoneKaffeesatz-Regular", "yanone-kaffeesatz/YanoneKaffeesatz-Bold",
)  # fmt: skip
_FOUNDRIES = {
    "fonts-adf-accanthis": (
        "truetype/adf/AccanthisADFStd-Regular", "truetype/adf/AccanthisADFStd-Bold",
    ),
    "fonts-adf-baskervald": ("truetype/adf/BaskervaldADFStd", "truetype/adf/BaskervaldADFStd-Bold"),
    "fonts-adf-berenis": ("truetype/adf/BerenisADFPro-Regular", "truetype/adf/BerenisADFPro-Bold"),
    "fonts-adf-gillius": ("truetype/adf/GilliusADF-Bold", "truetype/adf/GilliusADFNo2-Cond"),
    "fonts-adf-libris": ("truetype/adf/LibrisADFStd-Bold",),
    "fonts-adf-mekanus": ("truetype/adf/MekanusADFStd-Regular", "truetype/adf/MekanusADFStd-Bold"),
    "fonts-adf-oldania": ("truetype/adf/OldaniaADFStd-Regular", "truetype/adf/OldaniaADFStd-Bold"),
    "fonts-adf-romande": ("truetype/adf/RomandeADFStd-Regular",),
    "fonts-adf-switzera": ("truetype/adf/SwitzeraADF-Bold", "truetype/adf/SwitzeraADF-BoldCond"),
    "fonts-adf-tribun": ("truetype/adf/TribunADFStd-Regular", "truetype/adf/TribunADFStd-Bold"),
    "fonts-adf-universalis": ("truetype/adf/UniversalisADFStd-Cond",),
    "fonts-arapey": ("opentype/arapey/Arapey-Regular-Display",),
    "fonts-blankenburg": ("truetype/blankenburg/Blankenburg_UNZ1A",),
    "fonts-cabin": ("opentype/cabin/Cabin-Bold",),
    "fonts-comic-neue": ("opentype/comic-neue/ComicNeue-Bold",),
    "fonts-crosextra-caladea": ("truetype/crosextra/Caladea-Bold",),
    "fonts-crosextra-carlito": ("truetype/crosextra/Carlito-Bold",),
    "fonts-hack": ("truetype/hack/Hack-Bold",),
    "fonts-inter": ("opentype/inter/Inter-Bold", "opentype/inter/InterDisplay-Black"),
    "fonts-jura": ("opentype/jura/Jura-Bold",),
    "fonts-lato": ("truetype/lato/Lato-Black", "truetype/lato/Lato-Medium"),
    "fonts-lmodern": (
        "../texmf/fonts/opentype/public/lm/lmroman10-bold",
        "../texmf/fonts/opentype/public/lm/lmromandemi10-regular",
        "../texmf/fonts/opentype/public/lm/lmsansdemicond10-oblique",
        "../texmf/fonts/opentype/public/lm/lmromanunsl10-regular",
    ),
    "fonts-lobstertwo": ("opentype/lobstertwo/LobsterTwo-Bold",),
    "fonts-national-park": ("opentype/national-park/NationalPark-Heavy",),
    "fonts-okolaks": ("truetype/okolaks/okolaksBold",),
    "fonts-opendin": ("truetype/opendin/OSP-DIN",),
    "fonts-paratype": ("truetype/paratype/PTF75F", "truetype/paratype/PTN77F"),
    "fonts-play": ("opentype/play/Play-Bold",),
    "fonts-quattrocento": ("opentype/quattrocento/Quattrocento-Regular",),
    "fonts-roboto-slab": (
        "opentype/roboto/slab/RobotoSlab-Bold", "opentype/roboto/slab/RobotoSlab-Regular",
    ),
    "fonts-sil-charis": ("truetype/charis/CharisSIL-Bold",),
    "fonts-sil-gentium-basic": ("truetype/gentium-basic/GenBasB",),
    "fonts-smiley-sans": ("truetype/smiley-sans/SmileySans-Oblique",),
    "fonts-solide-mirage": ("opentype/solid-mirage/SolideMirageEtroit",),
    "fonts-sora": ("opentype/sora/Sora-Bold",),
    "fonts-stix": ("opentype/stix-word/STIX-Bold",),
    "fonts-tiresias": ("truetype/tiresias/tiresias_signfont_bold", "truetype/tiresias/tirekv__"),
    "fonts-tlwg-kinnari-otf": ("opentype/tlwg/Kinnari-Bold",),
    "fonts-tlwg-norasi-otf": ("opentype/tlwg/Norasi-Bold",),
    "fonts-tuffy": ("truetype/tuffy/Tuffy",),
}  # fmt: skip
"""Debian packages and the fonts taken from them, as file paths without extensions."""
_WEB = {
    "oswald": (400, 600), "antonio": (400, 700), "league-gothic": (400,), "fjalla-one": (400,),
    "abril-fatface": (400,), "rokkitt": (400, 700), "roboto-condensed": (400, 700),
    "playfair-display": (400, 700, 900), "prata": (400,), "rozha-one": (400,), "vidaloka": (400,),
    "archivo-narrow": (600, 700), "barlow-condensed": (500, 700),
    "saira-extra-condensed": (500, 700), "teko": (500,),
}  # fmt: skip

_WEB_VALIDATION = {"bodoni-moda": (400, 700)}
_VALIDATION = (
    SYSTEM / "fonts/opentype/didot/GFSDidot.otf",
    SYSTEM / "fonts/opentype/didot/GFSDidotBold.otf",
    SYSTEM / "fonts/opentype/urw-base35/NimbusSansNarrow-Bold.otf",
    SYSTEM / "fonts/opentype/yanone-kaffeesatz/YanoneKaffeesatz-SemiBold.otf",
)

SIGN_FONTS = (
    "truetype/dejavu/DejaVuSans.ttf", "truetype/freefont/FreeSerif.ttf",
    "truetype/freefont/FreeSans.ttf", "opentype/linux-libertine/LinLibertine_R.otf",
    "truetype/ancient-scripts/Symbola_hint.ttf",
)  # fmt: skip
"""Fonts with signs for all four suits."""


def index_fonts(*, validation: bool) -> list[str]:
    """Paths of the installed index fonts of one side of the split."""
    if validation:
        paths = [*_VALIDATION, *_web(_WEB_VALIDATION)]
    else:
        fonts = SYSTEM / "fonts"
        paths = [fonts / "truetype" / f"{name}.ttf" for name in _TYPE]
        paths += [fonts / "opentype" / f"{name}.otf" for name in _OPEN]
        named = [name for names in _FOUNDRIES.values() for name in names]
        paths += [fonts / f"{name}{end}" for name in named for end in (".otf", ".ttf")]
        paths += _web(_WEB)
    return [str(path) for path in paths if path.exists()]


def _web(names: Mapping[str, tuple[int, ...]]) -> list[Path]:
    found = []
    for name, weights in names.items():
        for folder in sorted((WORK / "art").glob(f"fontsource-{name}-5*/package/files")):
            found += [folder / f"{name}-latin-{weight}-normal.woff" for weight in weights]
    return found


def sign_fonts() -> list[str]:
    """Paths of the installed fonts with suit signs."""
    paths = [SYSTEM / "fonts" / name for name in SIGN_FONTS]
    return [str(path) for path in paths if path.exists()]
