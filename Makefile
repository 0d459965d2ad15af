# Bradshaw's commands. `make demo` and `make test` work as the first command in a
# fresh clone: each creates the environment that it needs.

# The interpreter: make test PYTHON=/path/to/python3.11
PYTHON ?=
FOUND := $(shell for name in $(or $(PYTHON),python3.11 python3 python); do \
	if "$$name" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' >/dev/null 2>&1; \
	then command -v "$$name"; break; fi; done)

define need_python
	@test -n "$(FOUND)" || { \
		echo 'Bradshaw needs Python 3.11, but $(if $(PYTHON),$(PYTHON) is not one,none of python3.11 or python3 or python on the PATH is one).' >&2; \
		echo 'Install it, or say where it is: make $(or $(MAKECMDGOALS),test) PYTHON=/path/to/python3.11' >&2; \
		exit 1; }
endef

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

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
	@echo 'make lock       write requirements.lock anew from pyproject.toml'
	@echo 'make clean      remove the environment and everything that was made'

$(READY): requirements.lock pyproject.toml
	$(need_python)
	@echo 'Creating the environment $(VENV) with $(FOUND); this takes a minute or two.'
	@"$(FOUND)" -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--no-deps --no-build-isolation --no-index --editable .
	@touch $@

demo: $(READY)
	@$(BIN)/python -m examples.demo

test: $(READY)
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal -m 'not slow' $(PYTEST)

test-all: $(READY)
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal --hypothesis-profile search $(PYTEST)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/buf lint proto

types: $(READY)
	$(BIN)/mypy

generate: $(READY)
	$(BIN)/python -m server.generate

check:
	@bash .ci/run

benchmark: $(READY)
	@mkdir -p out
	$(if $(POSITIONS),,$(BIN)/python -m benchmarks.tail out/tail)
	$(BIN)/python -m benchmarks.positions $(or $(POSITIONS),out/tail) $(BENCHMARK)

# A fresh environment with exactly what pyproject.toml asks for, written down.
# --all: some packages need setuptools at run time.
lock:
	$(need_python)
	@"$(FOUND)" -m venv --clear .env
	@.env/bin/python -m pip install --quiet --disable-pip-version-check '.[dev]'
	@{ echo '# Written by `make lock` from pyproject.toml. Do not edit.'; \
		.env/bin/python -m pip freeze --all --exclude pip --exclude bradshaw; } > requirements.lock.new
	@mv requirements.lock.new requirements.lock
	@rm -rf .env
	@wc -l < requirements.lock

clean:
	rm -rf $(VENV) .env out build dist htmlcov .coverage* \
		.mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
