"""The program ``bradshaw``: all but the import of the command line is in :mod:`server.cli`.

The imports take a second or two. An interrupt from the keyboard ends the program
during them as it ends others, without a traceback; after them the commands settle what it does.
"""

from __future__ import annotations

import signal
import sys
from importlib import import_module


def main() -> int:
    """Import the command line, run it and return its exit code."""
    heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if heeded:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    cli = import_module("server.cli")
    if heeded:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    code: int = cli.main()
    return code


if __name__ == "__main__":
    sys.exit(main())
