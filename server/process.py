"""The service as a process of its own, for demonstrations, measurements and tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

SECONDS_TO_STOP = 30


@dataclass
class ServiceProcess:
    """A running service.

    Parameters
    ----------
    process
        The process.
    address
        Where it listens, ``HOST:PORT``.
    log
        The events of its log so far, in order; grows while it runs.
    """

    process: subprocess.Popen[str]
    address: str
    log: list[dict[str, Any]] = field(default_factory=list)


@contextmanager
def service_process(arguments: Sequence[str] = ()) -> Iterator[ServiceProcess]:
    """Run ``bradshaw serve`` on a free port of this machine over a block.

    Parameters
    ----------
    arguments
        Further arguments of ``serve``. The process imports from where this
        one does.

    Raises
    ------
    RuntimeError
        The service did not come to serve; the message has its output.
    """
    command = [sys.executable, "-m", "server", "serve", "--port", "0", *arguments]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        reader = None
        try:
            service = _started(process)
            # A pipe that nobody reads would fill up and stop the service.
            reader = threading.Thread(target=_read, args=(service,), daemon=True)
            reader.start()
            yield service
        finally:
            process.terminate()
            try:
                process.wait(SECONDS_TO_STOP)
            except subprocess.TimeoutExpired:
                process.kill()
            if reader is not None:
                reader.join(SECONDS_TO_STOP)


def _started(process: subprocess.Popen[str]) -> ServiceProcess:
    """Read the log until the service says that it serves."""
    assert process.stderr is not None
    seen = []
    for line in process.stderr:
        seen.append(line)
        event = _event(line)
        if event.get("event") == "serving":
            return ServiceProcess(process, f"{event['host']}:{event['port']}", [event])
    raise RuntimeError("the service did not start:\n" + "".join(seen))


def _read(service: ServiceProcess) -> None:
    assert service.process.stderr is not None
    for line in service.process.stderr:
        service.log.append(_event(line))


def _event(line: str) -> dict[str, Any]:
    """Return a line of the log; what is no JSON object stands under ``text``."""
    try:
        found = json.loads(line)
    except ValueError:
        return {"text": line}
    return found if isinstance(found, dict) else {"text": line}
