"""The command line: ``bradshaw serve | optimize | validate | games | replay | run | audit |
replay-report | titles``.

Of several files that ``replay`` is given, the greatest code counts.

Exit codes
----------
0
    The answer is there; for ``optimize``, ``run`` and ``audit`` it is proven, for
    ``validate`` the run is legal, for ``replay`` the results are the recorded ones, for
    ``replay-report`` the referee confirms the answer now, for ``titles`` there are no faults.
1
    The answer is there, but a best run is not proven, the run is illegal, the
    result is another one or an entry does not fit, or the referee still does
    not confirm.
2
    The input is bad: arguments, file, or state of the game.
3
    The service failed, is busy, or cannot be reached.
130
    Interrupted from the keyboard; ``audit`` and ``replay`` show what they have found until then,
    ``run --apply`` writes nothing, and where a solve is interrupted else the best run
    so far is the answer.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from server.cli_options import parser
from server.exit_codes import FAILED, INTERRUPTED
from server.interrupts import ending_at_once


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    try:
        options = parser().parse_args(arguments)
        with ending_at_once():
            command: Callable[[argparse.Namespace], int] = _found(options.run)
        if getattr(options, "title_folders", None):
            command = _found("server.cli_titles:with_titles")(command)
        code = command(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("bradshaw: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the answer has seen enough; nothing may be flushed at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    return code


def _found(name: str) -> Any:
    """Import the function that runs a command, named as ``module:function``."""
    module, _, function = name.partition(":")
    return getattr(import_module(module), function)


if __name__ == "__main__":
    sys.exit(main())
