# Everything is done by these targets; the first one that needs it sets up .venv, once.
PYTHON ?= python3
VENV ?= .venv
PORT ?= 8000
BIN = $(VENV)/bin
INSTALL = $(BIN)/python -m pip install --constraint constraints.txt

.PHONY: serve test check bench eval model clean

serve: $(VENV)/.installed
	$(BIN)/rulestone build
	$(BIN)/rulestone serve --port $(PORT)

test: $(VENV)/.developing
	$(BIN)/python -m pytest -n auto

check: $(VENV)/.developing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.installed
	$(BIN)/python -m bench

eval: $(VENV)/.installed
	$(BIN)/python -m bench.evaluate

model: $(VENV)/.installed
	$(BIN)/python -m search.train.static

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis

# pip first: the one that comes with Python 3.11 knows neither dependency groups nor constraints for the build.
$(VENV)/.installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Rulestone needs Python 3.11 or later, this is %d.%d; name another with: make PYTHON=python3.12 …" % sys.version_info[:2])'
	@echo "setting up $(VENV); this happens once and downloads 0.5 GB with a CPU-only torch, 3 GB with another (README, \"Download size\")"
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --upgrade pip
	$(INSTALL) --build-constraint constraints.txt --editable .
	@touch $@

$(VENV)/.developing: $(VENV)/.installed
	$(INSTALL) --group dev
	@touch $@
