"""Pictures of boards and runs, as SVG text.

>>> from engine.drawing import draw_svg
"""

from engine.drawing.picture import draw_svg

__all__ = ["draw_svg"]
