# Everything is done by these targets; the first one that needs it sets up .venv, once.
PYTHON ?= python3
VENV ?= .venv
PORT ?= 8000
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip
# Exact versions with hashes: the lock. torch apart (its CPU build comes from another index), the project itself apart.
INSTALL = PIP="$(PIP)" sh tools/install
# pip compiles nothing, so each module is compiled where it is first imported, and kept: importing spaCy takes 3 s of processor time, else 9.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: adapter vectors serve test slow check fuzz client messages reference bench soak eval model lock wheel sbom audit clean

serve: $(VENV)/.installed
	$(BIN)/rulestone build --later
	$(BIN)/rulestone serve --port $(PORT)

test: $(VENV)/.developing
	$(BIN)/python -m pytest -n auto --dist worksteal --durations=25 -m "not slow"

# The tests that take long: real rulebooks, servers and other processes, growth of time and memory, the network, every page by
# axe-core, most journeys in a browser, damaged homes.
slow: $(VENV)/.developing
	$(BIN)/python -m pytest -n auto --dist worksteal --durations=25 -m slow

check: $(VENV)/.developing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	sh tests/sssom/run $(BIN)/python
	sh tests/client/run $(BIN)/python

# Made-up questions for every route and for /mcp, good and bad: no 5xx, and no answer that the description does not have. Then INPUTS
# files, numbers, references, queries, texts to verify and SPARQL queries each, made by changing sound ones at random, and a twentieth
# as many drawn by hypothesis: an answer that holds or an error of ours. RULESTONE_SEED=1 makes others.
INPUTS ?= 100000
fuzz: $(VENV)/.developing
	RULESTONE_FUZZ=200 $(BIN)/python -m pytest tests/api/http/test_fuzz.py tests/api/mcp/test_fuzz.py
	RULESTONE_INPUTS=$(INPUTS) $(BIN)/python -m pytest -n auto tests/rulestone/test_inputs.py tests/corpus/store/sparql/test_guard.py

# Clients generated from the API's description, in Python and TypeScript, call a live server; skipped where the package index
# cannot be reached.
client: $(VENV)/.installed
	sh tests/client/run $(BIN)/python

# Writes docs/commands.md, docs/http.md and docs/settings.md from the program.
reference: $(VENV)/.installed
	$(BIN)/python tools/reference.py

# Writes the catalogue of sentences anew: corpus/data/locale/rulestone.pot, which every LANG.po there translates.
messages: $(VENV)/.installed
	$(BIN)/python tools/messages.py

PARTS ?=
bench: $(VENV)/.installed
	$(BIN)/python -m bench $(PARTS)

# A server under load for an hour, commands killed at 210 points, servers ended in 24 ways: make soak MINUTES=10 is shorter.
MINUTES ?= 60
soak: $(VENV)/.developing
	$(BIN)/python -m bench.speed.soak --minutes $(MINUTES)
	RULESTONE_KILLS=70 $(BIN)/python -m pytest tests/api/cli/test_adding.py -k killed
	$(BIN)/python -m bench.speed.shutdown

# Every figure of docs/quality.md, hours on two cores; make eval PARTS="search.books verify.wild" measures these parts alone.
eval: $(VENV)/.installed
	$(BIN)/python -m bench.evaluate $(PARTS)

model: $(VENV)/.installed
	$(BIN)/python -m search.train.static

# Trains the adapter of the pretrained encoder on the rulebooks of a folder; two hours on two cores: make adapter TEXTS=FOLDER
adapter: $(VENV)/.installed
	$(BIN)/python -m search.train.adapter "$(TEXTS)"

# Encodes the glosses of the digest with the adapter of today: search/data/glosses.safetensors; run it after `make adapter`
# and after a change of the digest.
vectors: $(VENV)/.installed
	$(BIN)/python -m rulestone.writing.embeddings.ship

# Writes the locks anew after a change of pyproject.toml; needs uv (pip install uv).
lock:
	sh tools/lock

# The wheel in an environment of its own, far from this folder: builds, shows and searches.
wheel: $(VENV)/.installed
	sh tools/try-wheel "$(PYTHON)"

# What an installation is made of, as CycloneDX: sbom.cdx.json
sbom: $(VENV)/.installed
	sh tools/sbom $(BIN)/python sbom.cdx.json

# Known weaknesses of what the lock names, where their database can be reached.
audit: $(VENV)/.installed
	sh tools/audit $(BIN)/python

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/.installed: pyproject.toml constraints.txt requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Rulestone needs Python 3.11 or later, this is %d.%d; name another with: make PYTHON=python3.12 …" % sys.version_info[:2])'
	@echo "setting up $(VENV); this happens once and downloads 0.6 GB with a CPU-only torch, 3 GB with another (see README.md)"
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) requirements.lock --editable .
	@touch $@

$(VENV)/.developing: $(VENV)/.installed requirements-dev.lock
	$(PIP) install --no-compile --require-hashes --no-deps --requirement requirements-dev.lock
	@touch $@
