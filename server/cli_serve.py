"""The command ``serve``."""

from __future__ import annotations

import argparse
import asyncio
import sys

from server.app import App
from server.logs import set_up
from server.settings import Settings


def serve(options: argparse.Namespace) -> int:
    """Run the service until SIGTERM or SIGINT; return the exit code."""
    set_up(options.log_level)
    settings = Settings(
        host=options.host,
        port=options.port,
        workers=options.workers,
        queue=options.queue,
        seconds=options.time_limit,
        grace=options.grace,
        reports=options.reports,
    )
    try:
        asyncio.run(App(settings).run())
    except RuntimeError as error:
        if "bind" not in str(error):
            raise
        print(f"bradshaw: cannot listen on {options.host}:{options.port}", file=sys.stderr)
        return 3
    return 0
