"""The command ``serve``."""

from __future__ import annotations

import argparse
import asyncio
import socket
import sys

from server.app import App
from server.cli_common import (
    InputError,
    make_folder,
)
from server.exit_codes import BAD_INPUT, FAILED, OK
from server.logs import set_up
from server.settings import Settings


def serve(options: argparse.Namespace) -> int:
    """Run the service until SIGTERM or SIGINT; return the exit code."""
    if options.reports is not None:
        try:
            make_folder(options.reports)
        except InputError as error:
            print(f"bradshaw: {error}", file=sys.stderr)
            return BAD_INPUT
    taken = _why_not(options.host, options.port)  # before gRPC, which writes a line of its own
    if taken:
        print(f"bradshaw: cannot listen on {options.host}:{options.port}: {taken}", file=sys.stderr)
        return FAILED
    set_up(options.log_level)
    settings = Settings(
        host=options.host,
        port=options.port,
        workers=options.workers,
        queue=options.queue,
        seconds=options.time_limit,
        grace=options.grace,
        reports=options.reports,
        held_titles=options.held_titles,
        held_bytes=options.held_bytes,
    )
    try:
        asyncio.run(App(settings).run())
    except RuntimeError as error:
        if "bind" not in str(error):
            raise
        where = f"{options.host}:{options.port}"
        reason = _why_not(options.host, options.port) or "the address cannot be used"
        print(f"bradshaw: cannot listen on {where}: {reason}", file=sys.stderr)
        return FAILED
    return OK


def _why_not(host: str, port: int) -> str:
    """Return why nobody can listen on an address, empty if one can; gRPC does not say."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, kind, protocol, _, address in found:
            with socket.socket(family, kind, protocol) as tried:
                tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                tried.bind(address)
    except OSError as error:
        return error.strerror or str(error)
    return ""
