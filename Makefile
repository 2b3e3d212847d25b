# make help lists the targets. PYTHON=/path/to/python3.12 chooses the interpreter for .venv.
SHELL := bash
.DEFAULT_GOAL := help
.PHONY: help demo test test-long check bench bench-long wheel bundle screenshots format clean

export PYTHON
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev
# One process for each core, where pytest-xdist is installed.
SIDE_BY_SIDE = $(shell $(BIN)/python -c 'import xdist; print("-n auto --dist worksteal")' 2>/dev/null)

help: ## Show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

demo: $(READY) ## Set up what is needed and check the sample draft against the sample library
	@scripts/demo.sh

test: $(READY_DEV) ## Set up what is needed and run the tests
	@echo "Running the tests ..." >&2
	@$(BIN)/python -m pytest -q $(SIDE_BY_SIDE)

test-long: $(READY_DEV) ## Run all tests, those that take long too, with coverage
	@echo "Running all tests ..." >&2
	@$(BIN)/python -m pytest -rs -m "long or not long" --cov --cov-report=term $(SIDE_BY_SIDE)

check: $(READY_DEV) ## Static checks: lint, format, types, import contracts
	@echo "Checking style, format, types and imports ..." >&2
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

wheel: $(READY) ## Build the wheel, the same bytes each time (OUT=)
	@scripts/wheel.sh

bundle: $(READY) ## Write a folder that installs Veracite where no network is (OUT=, MODELS=, LLM=no, EVAL=no, EXTRAS=cluster)
	@scripts/bundle.sh

format: $(READY_DEV) ## Format the code and mend what the linter can mend
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

bench: $(READY_DEV) ## Measure what a user waits for, beside peers
	@$(BIN)/python scripts/bench.py

bench-long: $(READY_DEV) ## The same with a million passages and peers that take long
	@$(BIN)/python scripts/bench.py --long

screenshots: $(READY_DEV) ## Draw the app anew: the README's pictures and the tests' snapshots
	@echo "Drawing the app ..." >&2
	@RENEW_SNAPSHOTS=1 $(BIN)/python -m pytest -q tests/tui/test_snapshots.py

clean: ## Remove .venv, the demo's index and all caches of the tools
	rm -rf $(VENV) .demo .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage
	rm -rf build dist *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# What the tests need includes what the demo needs, so one environment serves both.
$(READY_DEV): pyproject.toml scripts/environment.sh
	@scripts/environment.sh dev
	@touch $(READY_DEV) $(READY)

$(READY): pyproject.toml scripts/environment.sh
	@scripts/environment.sh run
	@touch $(READY)
