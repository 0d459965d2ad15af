"""Writing SVG elements as text, with everything escaped and numbers kept short."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

FONT = "Liberation Sans, Arial, Helvetica, DejaVu Sans, sans-serif"
"""Any sans-serif will do: :func:`text_width` leaves room for the widest usual one."""

_REGULAR = {
    0.3: "'Iijl", 0.35: " ,./:;\\|’·", 0.4: "()-[]ft", 0.45: "!r", 0.5: '"*J`', 0.55: "csz",
    0.6: "?L_kvxy–", 0.65: "$0123456789FTabdeghnopqu{}£", 0.7: "ABEKPSVXYZ", 0.75: "CNRU",
    0.8: "&DGHOQ▸", 0.85: "#+<=>^w~×±", 0.9: "M", 1.0: "%Wm—…½", 1.05: "@",
}  # fmt: skip
_BOLD = {
    0.35: " 'ijl", 0.4: ",./:;I\\|’·", 0.45: "-f", 0.5: "!()[]`rt", 0.55: '"*', 0.6: "J_csz–",
    0.65: "?Lx", 0.7: "$0123456789EFTaekovy£", 0.75: "CPSYZbdghnpqu{}", 0.8: "ABKRVX▸",
    0.85: "#+<=>DGHNU^~×±", 0.9: "&OQ", 0.95: "w", 1.0: "@M—…", 1.05: "%m½", 1.15: "W",
}  # fmt: skip
"""Letters by their width for a size of 1: the greater of Liberation Sans (as wide as Arial and
Helvetica) and DejaVu Sans, which many systems take where these are absent."""
_WIDTHS = {
    bold: {letter: width for width, letters in table.items() for letter in letters}
    for bold, table in ((False, _REGULAR), (True, _BOLD))
}


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

    `halo` is the colour of a seam around the letters, for text over track. It is
    an element of its own below the letters: not every viewer knows paint-order.
    """
    style: dict[str, str | float | None] = {
        "x": x,
        # Half the height of a capital below the line: browsers and converters
        # disagree about dominant-baseline.
        "y": y + 0.36 * size,
        "font_size": size,
        "text_anchor": anchor,
        "font_weight": "bold" if bold else None,
    }
    letters = element("text", escape(content), fill=fill, **style, **attributes)
    if halo is None:
        return letters
    seam = element(
        "text",
        escape(content),
        fill=halo,
        stroke=halo,
        stroke_width=size * 0.28,
        stroke_linejoin="round",
        class_="halo",
        aria_hidden="true",
        **style,
    )
    return seam + letters


def text_width(content: str, size: float, *, bold: bool = False) -> float:
    """Return how wide a text is at most in the usual fonts, in the unit of `size`.

    >>> text_width("ill", 10) < text_width("WMO", 10)
    True
    """
    widths = _WIDTHS[bold]
    return size * sum(widths.get(letter, 1.0) for letter in content)


def shortened(content: str, size: float, width: float, *, bold: bool = False) -> str:
    """Return a text that fits a width, with an ellipsis for what does not.

    >>> shortened("Llanfairpwllgwyngyll", 10, 60)
    'Llanfairp…'
    """
    if text_width(content, size, bold=bold) <= width:
        return content
    kept = content
    while kept and text_width(f"{kept}…", size, bold=bold) > width:
        kept = kept[:-1]
    return f"{kept}…"


def wrapped(content: str, size: float, width: float, *, bold: bool = False) -> list[str]:
    """Return a text broken into lines that fit a width: at spaces, within words only if it must.

    >>> wrapped("to and fro", 10, 40), wrapped("wwwwww", 10, 40)
    (['to and', 'fro'], ['wwww', 'ww'])
    """
    lines: list[str] = []
    for word in content.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, bold=bold) <= width:
            lines[-1] = longer
            continue
        while text_width(word, size, bold=bold) > width and len(word) > 1:
            fits = next(
                n for n in range(len(word) - 1, 0, -1)
                if n == 1 or text_width(word[:n], size, bold=bold) <= width
            )  # fmt: skip
            lines.append(word[:fits])
            word = word[fits:]
        lines.append(word)
    return lines
