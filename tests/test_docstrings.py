"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
import pkgutil
from collections.abc import Iterator
from importlib import import_module

import pytest

PACKAGES = ("engine", "optimizer", "server", "benchmarks")


def modules() -> Iterator[str]:
    """Yield the names of all modules whose source holds an example."""
    for name in PACKAGES:
        package = import_module(name)
        for found in pkgutil.walk_packages(package.__path__, f"{name}."):
            spec = found.module_finder.find_spec(found.name, None)
            if spec is not None and spec.origin is not None:
                with open(spec.origin, encoding="utf-8") as source:
                    if ">>> " in source.read():
                        yield found.name


@pytest.mark.parametrize("name", list(modules()))
def test_examples_in_docstrings(name: str) -> None:
    """Each example gives what it says."""
    result = doctest.testmod(import_module(name))
    assert result.attempted > 0
    assert result.failed == 0
