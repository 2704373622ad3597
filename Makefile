# One command for all checks, the same one that CI runs: `make check`. What takes long: `make slow`.
PYTHON := .venv/bin/python
MEMBERS := -e core -e utils[all] -e patterns/agent -e cli

.PHONY: setup check slow bench format lint types tests lock

setup:  ## everything that needs the network; nothing after it does
	test -d .venv || python3 -m venv .venv
	$(PYTHON) -m pip install -q -U pip
	$(PYTHON) -m pip install -q -c constraints.txt $(MEMBERS) --group dev
	$(PYTHON) -m tests.compat.fetch

check: lint types tests

format:
	$(PYTHON) -m ruff format .
	$(PYTHON) -m ruff check --fix .

lint:
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m ruff check .

types:
	$(PYTHON) -m mypy core utils patterns/agent cli tests bench
	$(PYTHON) -m pyright -p pyproject.toml

tests:
	$(PYTHON) -m pytest -m "not slow"

slow:  ## what takes long; fetches what members need from outside first
	$(PYTHON) -m pip download -q -d .cache/wheels -c constraints.txt click json-repair pydantic pyyaml
	$(PYTHON) -m pip download -q -d .cache/wheels click==8.3.0
	$(PYTHON) -m pytest -m slow

bench:  ## two to four minutes; renews docs/bench-core.md (the first time it fetches the peers)
	$(PYTHON) -m bench.core --write

lock:  ## pin what the members and the tests need; the lock file itself stays out of the repository
	$(PYTHON) -m uv lock -q --upgrade
	$(PYTHON) -m uv export -q --all-packages --all-groups --all-extras --no-hashes --no-emit-workspace --no-annotate --no-header -o constraints.txt
