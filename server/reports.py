"""Reports of answers that the referee did not confirm: files that replay them."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FORMAT = "bradshaw-disagreement-1"


def write_report(
    folder: Path, method: str, request: Mapping[str, Any], evidence: Mapping[str, Any]
) -> Path:
    """Write a report and return its path.

    Parameters
    ----------
    folder
        Where; it is made if it does not exist.
    method
        ``OptimizeRoutes`` or ``StreamOptimizeRoutes``.
    request
        The request as protobuf JSON; ``bradshaw replay-report`` sends it again.
    evidence
        What was claimed and what the referee says.

    Raises
    ------
    OSError
        The file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    path = folder / f"disagreement-{stamp}-{uuid.uuid4().hex[:8]}.json"
    report = {
        "format": FORMAT,
        "version": own_version(),
        "method": method,
        "request": request,
        "evidence": evidence,
    }
    path.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return path


def read_report(text: str) -> Mapping[str, Any]:
    """Return the request and the evidence of a report.

    Raises
    ------
    ValueError
        The text is not a report.
    """
    report = json.loads(text)
    if not isinstance(report, dict) or report.get("format") != FORMAT:
        raise ValueError(f"the file is not a report of the format {FORMAT}")
    return report


def own_version() -> str:
    """Return the version of Bradshaw, or ``unknown`` if it runs uninstalled."""
    from importlib.metadata import PackageNotFoundError, version  # slow, and seldom needed

    try:
        return version("bradshaw")
    except PackageNotFoundError:
        return "unknown"
