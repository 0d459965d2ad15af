# Bradshaw's commands. `make demo` and `make test` work as the first command in a
# fresh clone: each creates the environment that it needs.

# The interpreter: make test PYTHON=/path/to/python3.12. The versions are those that
# pyproject.toml accepts; that it can make environments is asked for as well, since
# some systems pack venv apart.
PYTHON ?=
NAMES := python3.13 python3.12 python3.11 python3 python
FITS := import sys, ensurepip, venv; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))
FOUND := $(shell for name in $(or $(PYTHON),$(NAMES)); do \
	if "$$name" -c '$(FITS)' >/dev/null 2>&1; \
	then command -v "$$name"; break; fi; done)

define need_python
	@test -n "$(FOUND)" || { \
		echo 'Bradshaw needs Python 3.11, 3.12 or 3.13 with venv, but $(if $(PYTHON),$(PYTHON) is not one,none of $(NAMES) on the PATH is one).' >&2; \
		echo 'Install it, or say where it is: make $(or $(MAKECMDGOALS),test) PYTHON=/path/to/python3.12' >&2; \
		exit 1; }
endef

VENV := .venv
BIN := $(VENV)/bin
# What the program needs; and, besides, what its tests and checks need.
READY := $(VENV)/.ready
TOOLS := $(VENV)/.tools
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Arguments for pytest: make test PYTEST=tests/engine
PYTEST ?=
# Files and folders of positions, in place of made-up ones: make benchmark POSITIONS=my/positions.jsonl
POSITIONS ?=
BENCHMARK ?= --limit 60 --json out/benchmark.json

.PHONY: help demo test test-all lint types generate check benchmark lock clean

help:
	@echo 'make demo       start a server, ask it for best runs, replay and audit whole games, draw'
	@echo 'make test       run the tests, but for those marked slow'
	@echo 'make test-all   run all tests; on two cores they take a quarter of an hour'
	@echo 'make lint       style, formatting, import rules, wire contract'
	@echo 'make types      mypy --strict'
	@echo 'make generate   write the Python code of the wire contract'
	@echo 'make check      everything that is checked before a change is accepted'
	@echo 'make benchmark  solve POSITIONS, or made-up hard ones, and show times and revenues'
	@echo 'make lock       write requirements.lock and requirements-dev.lock anew from pyproject.toml'
	@echo 'make clean      remove the environment and everything that was made'

$(READY): requirements.lock pyproject.toml
	$(need_python)
	@echo 'Creating the environment $(VENV) with $(FOUND); this takes a minute or two.'
	@"$(FOUND)" -m venv --clear $(VENV)
	@$(PIP) -r requirements.lock
	@$(PIP) --no-deps --editable .
	@touch $@

$(TOOLS): $(READY) requirements-dev.lock
	@echo 'Adding to $(VENV) what tests and checks need; this takes a minute.'
	@$(PIP) -r requirements-dev.lock
	@touch $@

demo: $(READY)
	@$(BIN)/python -m examples.demo

test: $(TOOLS)
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal -m 'not slow' $(PYTEST)

test-all: $(TOOLS)
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal --hypothesis-profile search $(PYTEST)

lint: $(TOOLS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/buf lint proto

types: $(TOOLS)
	$(BIN)/mypy

generate: $(TOOLS)
	$(BIN)/python -m server.generate

check:
	@bash .ci/run

benchmark: $(TOOLS)
	@mkdir -p out
	$(if $(POSITIONS),,$(BIN)/python -m benchmarks.tail out/tail)
	$(BIN)/python -m benchmarks.positions $(or $(POSITIONS),out/tail) $(BENCHMARK)

# A fresh environment with exactly what pyproject.toml asks for, written down: first what
# the program needs, then all. The oldest Python that is accepted writes it: newer ones
# need nothing more. --all: some tools need setuptools.
OLDEST := $(or $(PYTHON),python3.11)
WRITTEN := '\# Written by `make lock` from pyproject.toml. Do not edit.'

lock:
	@"$(OLDEST)" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || { \
		echo 'Python 3.11 writes the locks: make lock PYTHON=/path/to/python3.11' >&2; exit 1; }
	@"$(OLDEST)" -m venv --clear .env
	@.env/bin/python -m pip install --quiet --disable-pip-version-check .
	@{ echo $(WRITTEN); \
		.env/bin/python -m pip freeze --exclude bradshaw; } > requirements.lock.new
	@.env/bin/python -m pip install --quiet --disable-pip-version-check '.[dev]'
	@{ echo $(WRITTEN); \
		.env/bin/python -m pip freeze --all --exclude pip --exclude bradshaw; } \
		> requirements-dev.lock.new
	@! grep -vxFf requirements-dev.lock.new requirements.lock.new || { \
		echo 'The lines above are not in requirements-dev.lock.new.' >&2; exit 1; }
	@mv requirements.lock.new requirements.lock
	@mv requirements-dev.lock.new requirements-dev.lock
	@rm -rf .env
	@wc -l requirements.lock requirements-dev.lock

clean:
	rm -rf $(VENV) .env out build dist htmlcov .coverage* \
		.mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
