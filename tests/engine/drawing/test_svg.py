"""Text in pictures: readable in every viewer, and never wider than is reckoned with."""

from __future__ import annotations

import io
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import matplotlib as mpl
import pytest
import resvg_py
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageFont

from engine.board.atlas import atlas_of
from engine.drawing import draw_svg
from engine.drawing.svg import FONT, shortened, text, text_width, wrapped
from engine.games import all_games
from tests.engine.drawing.made_up import SVG, of_class
from tests.engine.drawing.test_picture import MAPS, bare

FONTS = Path(mpl.get_data_path()) / "fonts" / "ttf"
"""DejaVu Sans, the widest of the fonts that systems usually take for sans-serif."""
FILES = {False: FONTS / "DejaVuSans.ttf", True: FONTS / "DejaVuSans-Bold.ttf"}


def test_a_halo_is_an_element_of_its_own_below_the_letters() -> None:
    """No viewer needs to know paint-order: the seam comes first, then the letters alone."""
    pair = ElementTree.fromstring(f"<g>{text('Ely', 1, 2, 10, halo='#FFFFFF', class_='name')}</g>")
    seam, letters = list(pair)
    assert (seam.get("class"), seam.get("stroke"), seam.text) == ("halo", "#FFFFFF", "Ely")
    assert (letters.get("class"), letters.get("stroke"), letters.text) == ("name", None, "Ely")
    assert {key: seam.get(key) for key in ("x", "y", "font-size", "text-anchor")} == {
        key: letters.get(key) for key in ("x", "y", "font-size", "text-anchor")
    }


@pytest.mark.parametrize(("title", "name"), MAPS)
def test_no_picture_needs_paint_order(title: str, name: str) -> None:
    """Every text with an outline is a halo, and has letters without one behind it."""
    svg = draw_svg(bare(title, name))
    assert "paint-order" not in svg
    texts = list(ElementTree.fromstring(svg).iter(f"{SVG}text"))
    for number, seam in enumerate(texts):
        if seam.get("stroke") is not None:
            assert seam.get("class") == "halo"
            letters = texts[number + 1]
            assert (letters.text, letters.get("x")) == (seam.text, seam.get("x"))
            assert letters.get("stroke") is None
    assert len(of_class(svg, "halo")) > 10


@pytest.mark.parametrize("bold", [False, True])
def test_widths_are_never_too_small(bold: bool) -> None:
    """Every name, label and company of the games fits its reckoned width in a wide font, which is
    not much greater than the real one."""
    font = ImageFont.truetype(str(FILES[bold]), 100)
    words = {"£1234 – (C8-0) ×2 +40%", "Bound: no run pays more", "abcdefghijklmnopqrstuvwxyz"}
    for title, game in all_games().items():
        words |= {str(raw["name"]) for raw in game.corporations.values()} | {title}
        words |= set(game.corporations)
        for atlas in (atlas_of(game, name) for name in game.variants):
            words |= {h.name for h in atlas.hexes.values() if h.name} | set(atlas.hexes)
    assert len(words) > 300
    for word in words:
        real = font.getlength(word) / 100
        assert real <= text_width(word, 1.0, bold=bold) <= 1.35 * real + 0.4


@given(st.text("abmW -.,£1", max_size=60), st.floats(15, 200), st.booleans())
def test_broken_and_shortened_texts_fit(content: str, width: float, bold: bool) -> None:
    """No line is wider than it may be, and a broken text keeps its letters."""
    lines = wrapped(content, 10, width, bold=bold)
    assert "".join(lines).replace(" ", "") == content.replace(" ", "")
    cut = shortened(content, 10, width, bold=bold)
    assert cut == content or cut.endswith("…")
    for line in (*lines, cut):
        assert text_width(line, 10, bold=bold) <= width


def test_nothing_reaches_the_edge_of_the_picture_in_a_wide_font() -> None:
    """1822: drawn with DejaVu Sans for every text, all of the legend stays inside the picture."""
    title = "A very long heading with WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW in it"
    svg = draw_svg(bare("1822MRS"), title=title).replace(FONT, "DejaVu Sans")
    png = resvg_py.svg_to_bytes(
        svg_string=svg, skip_system_fonts=True, font_files=[str(path) for path in FILES.values()]
    )
    image = Image.open(io.BytesIO(bytes(png))).convert("L")
    width, height = image.size
    legend = image.crop((width - 430, 0, width, 200))
    assert legend.getextrema()[0] < 100, "letters are drawn"
    edge = (image.getpixel(at) for at in product(range(width - 8, width), range(height)))
    assert set(edge) == {255}
