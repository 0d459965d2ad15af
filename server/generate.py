"""Write the Python code of the wire contract: ``python -m server.generate [--check]``.

The generated files stand beside the ``.proto`` files and are committed;
``--check`` compares them with what would be written and fails if they differ.
Only for a checkout with the development dependencies.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

PROTO = Path(__file__).resolve().parents[1] / "proto"
PACKAGE = "bradshaw/v1"
KINDS = ("_pb2.py", "_pb2.pyi", "_pb2_grpc.py", "_pb2_grpc.pyi")


def generate(target: Path, source: Path = PROTO) -> None:
    """Write the code of every ``.proto`` file under `target`.

    Raises
    ------
    RuntimeError
        The compiler is not installed, or refused a file; it has printed why.

    Notes
    -----
    The compiler runs in a process of its own: loaded beside OR-Tools, which
    brings another copy of protobuf, it aborts the process.
    """
    tools = find_spec("grpc_tools")
    if tools is None or tools.origin is None:
        raise RuntimeError("grpcio-tools, a development dependency, is not installed")
    protos = [str(path.relative_to(source)) for path in sorted(source.glob(f"{PACKAGE}/*.proto"))]
    include = Path(tools.origin).parent / "_proto"
    scripts = Path(sys.executable).parent
    arguments = [
        sys.executable,
        "-m",
        "grpc_tools.protoc",
        f"-I{source}",
        f"-I{include}",
        f"--plugin=protoc-gen-mypy={scripts / 'protoc-gen-mypy'}",
        f"--plugin=protoc-gen-mypy_grpc={scripts / 'protoc-gen-mypy_grpc'}",
        f"--python_out={target}",
        f"--grpc_python_out={target}",
        f"--mypy_out=quiet:{target}",
        f"--mypy_grpc_out=quiet:{target}",
        *protos,
    ]
    code = subprocess.run(arguments, check=False).returncode
    if code:
        raise RuntimeError(f"protoc ended with code {code}")
    for path in _generated(target):
        if "_grpc" in path.name and _empty(path):
            path.unlink()


def drift(root: Path = PROTO) -> tuple[str, ...]:
    """Return the generated files under `root` that are missing, changed or left over."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder)
        generate(fresh, root)
        wanted = {path.name: path.read_bytes() for path in _generated(fresh)}
    present = {path.name: path.read_bytes() for path in _generated(root)}
    return tuple(sorted(name for name in wanted | present if wanted.get(name) != present.get(name)))


def _generated(root: Path) -> Iterator[Path]:
    for path in sorted((root / PACKAGE).iterdir()):
        if path.name.endswith(KINDS):
            yield path


def _empty(path: Path) -> bool:
    """Tell whether a file of service code has no service in it."""
    return "Stub" not in path.read_text("utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Generate the code, or with ``--check`` compare it; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m server.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare only")
    if not parser.parse_args(arguments).check:
        generate(PROTO)
        return 0
    changed = drift()
    for name in changed:
        sys.stderr.write(f"{PACKAGE}/{name} is not what the .proto files say\n")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
