"""Pictures of boards and runs, as SVG text.

>>> from engine.drawing import draw_svg
"""

from engine.drawing.legend import Proof, Shown
from engine.drawing.picture import draw_pair, draw_svg

__all__ = ["Proof", "Shown", "draw_pair", "draw_svg"]
