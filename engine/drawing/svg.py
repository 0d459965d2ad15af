"""Writing SVG elements as text, with everything escaped and numbers kept short."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

FONT = "Liberation Sans, Helvetica, Arial, sans-serif"
"""First the font whose widths :func:`text_width` knows best; any sans-serif will do."""

_NARROW = frozenset("fijlrtI.,:;'|!()[]/ -")
_WIDE = frozenset("mwMWGOQ&@%—+")


def number(value: float) -> str:
    """Return a number with at most two decimals.

    >>> number(3.0), number(-0.001), number(2.456)
    ('3', '0', '2.46')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(name: str, content: str = "", **attributes: str | float | None) -> str:
    """Return an element; `content` is taken as it is, attributes are escaped.

    An underscore in an attribute's name stands for a hyphen; a trailing one is
    dropped; attributes that are None are left out.

    >>> element("circle", cx=1, cy=2.5, stroke_width="2", class_="dot")
    '<circle cx="1" cy="2.5" stroke-width="2" class="dot"/>'
    """
    parts = [name]
    for key, value in attributes.items():
        if value is None:
            continue
        text = value if isinstance(value, str) else number(value)
        parts.append(f"{key.rstrip('_').replace('_', '-')}={quoteattr(text)}")
    opening = " ".join(parts)
    return f"<{opening}>{content}</{name}>" if content else f"<{opening}/>"


def group(children: Iterable[str], **attributes: str | float | None) -> str:
    """Return a ``g`` element around `children`, or nothing around nothing."""
    inner = "\n".join(child for child in children if child)
    return element("g", inner, **attributes) if inner else ""


def text(
    content: str,
    x: float,
    y: float,
    size: float,
    *,
    fill: str = "#111111",
    anchor: str = "middle",
    bold: bool = False,
    halo: str | None = None,
    **attributes: str | float | None,
) -> str:
    """Return a line of text whose middle height lies at `y`.

    `halo` is the colour of a seam around the letters, for text over track.
    """
    return element(
        "text",
        escape(content),
        x=x,
        # Half the height of a capital below the line: browsers and converters
        # disagree about dominant-baseline.
        y=y + 0.36 * size,
        font_size=size,
        fill=fill,
        text_anchor=anchor,
        font_weight="bold" if bold else None,
        stroke=halo,
        stroke_width=size * 0.28 if halo else None,
        stroke_linejoin="round" if halo else None,
        paint_order="stroke" if halo else None,
        **attributes,
    )


def text_width(content: str, size: float, *, bold: bool = False) -> float:
    """Return about how wide a text is, in the unit of `size`.

    >>> text_width("ill", 10) < text_width("WMO", 10)
    True
    """
    total = 0.0
    for letter in content:
        if letter in _NARROW:
            total += 0.31
        elif letter in _WIDE:
            total += 0.84
        elif letter.isupper():
            total += 0.68
        else:
            total += 0.555
    return total * size * (1.06 if bold else 1.0)


def wrapped(content: str, size: float, width: float) -> list[str]:
    """Return a text broken at spaces into lines that fit a width.

    >>> wrapped("to and fro", 10, 40)
    ['to and', 'fro']
    """
    lines: list[str] = []
    for word in content.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
