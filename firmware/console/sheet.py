"""The sheet to print: address, QR code and PINs, as a self-contained page."""

from __future__ import annotations

import io
from collections.abc import Sequence
from html import escape

import segno

from firmware.console.pins import Pins
from firmware.texts.words import Words

STYLE = """
body{font-family:sans-serif;color:#000;background:#fff;max-width:17cm;margin:1.5cm auto}
h1{font-size:26pt;margin:0 0 .3cm}
section{display:flex;gap:1cm;align-items:center;margin:1cm 0;break-inside:avoid}
svg{width:6cm;height:6cm}
b{font-size:19pt}
b.pin{font-size:22pt;letter-spacing:.12em}
.far{font-size:11pt;color:#333}
"""


def qr_svg(text: str) -> str:
    """A QR code as an SVG element, black on white with its quiet zone.

    >>> qr_svg("http://10.0.0.2:8080/")[:4]
    '<svg'
    """
    out = io.BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(out, kind="svg", xmldecl=False, svgns=True, border=4, omitsize=True, nl=False)
    return out.getvalue().decode()


def qr_text(text: str) -> str:
    """A QR code of half blocks, for a dark terminal; telephones can read it on a light one too.

    >>> qr_text("http://10.0.0.2:8080/").count("\\n") < 20
    True
    """
    out = io.StringIO()
    segno.make(text, error="m", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue()


def sheet(urls: Sequence[str], pins: Pins, words: Words) -> str:
    """The whole sheet as HTML; the dealer's part can be cut off from the guests'."""
    parts = [
        _part(words, "dealer", urls, pins.dealer),
        _part(words, "viewer", urls, pins.viewer),
    ]
    return (
        f'<!doctype html><html lang="{words.language}"><head><meta charset="utf-8">'
        f"<title>Mazziere</title><style>{STYLE}</style></head><body>"
        + "<hr>".join(parts)
        + "</body></html>\n"
    )


def _part(words: Words, role: str, urls: Sequence[str], pin: str) -> str:
    title, may = words.page[f"sheet-{role}"], words.page[f"sheet-{role}-may"]
    first, *others = urls
    also = f"<p class=far>{escape(' · '.join(others))}</p>" if others else ""
    return (
        f"<section>{qr_svg(first)}<div><h1>{escape(title)}</h1><p>{escape(may)}</p>"
        f"<p><b>{escape(first)}</b></p>{also}"
        f"<p>PIN <b class=pin>{escape(pin)}</b></p></div></section>"
    )
