"""Pictures that commands write: SVG, or PNG where the extra for it is installed."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

from bradshaw.v1 import board_pb2, route_service_pb2, run_pb2

from server.cli_common import InputError, write_bytes, write_text

PNG_MODULE = "resvg_py"
"""Draws an SVG document as PNG; the extra ``bradshaw[png]`` installs it."""


def check_picture(path: Path | None) -> None:
    """Look whether a picture can be written, before the work that it shows.

    Raises
    ------
    InputError
        The folder does not exist or cannot be written to, the file is a folder, the kind of
        picture is not known, or what makes PNG files is not installed.
    """
    if path is None:
        return
    kind = path.suffix.lower()
    if kind not in ("", ".svg", ".png"):
        raise InputError(f"cannot write {path}: pictures are .svg or .png, not {path.suffix}")
    if kind == ".png" and find_spec(PNG_MODULE) is None:
        text = "PNG needs the extra bradshaw[png] (pip install 'bradshaw[png]'); SVG needs nothing"
        raise InputError(f"cannot write {path}: {text}")
    if not path.parent.is_dir():
        raise InputError(f"cannot write {path}: there is no folder {path.parent}")
    if path.is_dir():
        raise InputError(f"cannot write {path}: it is a folder")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InputError(f"cannot write {path}: permission denied")


def write_picture(
    path: Path | None,
    position: board_pb2.Position,
    run: run_pb2.Run,
    solution: route_service_pb2.Solution | None = None,
) -> None:
    """Draw a run as the name of the file wants it, with the proof of a solution if given.

    Nothing is done without a file.

    Raises
    ------
    InputError
        It cannot be written.
    """
    if path is None:
        return
    from server.convert.pictures import picture

    drawn = picture(position, run, solution)
    if path.suffix.lower() != ".png":
        write_text(path, drawn)
        return
    import resvg_py

    write_bytes(path, bytes(resvg_py.svg_to_bytes(svg_string=drawn)))
