"""The program ``bradshaw``: all but the import of the command line is in :mod:`server.cli`.

An interrupt from the keyboard during imports ends the program as it ends others, without a
traceback; after them the commands settle what it does.
"""

from __future__ import annotations

import sys
from importlib import import_module

from server.interrupts import ending_at_once


def main() -> int:
    """Import the command line, run it and return its exit code."""
    with ending_at_once():
        cli = import_module("server.cli")
    code: int = cli.main()
    return code


if __name__ == "__main__":
    sys.exit(main())
