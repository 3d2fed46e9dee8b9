# make demo    hunt the example, prove what is found, patch it, prove the patch
# make test    lint, types, and pytest, Behave and Robot Framework under one coverage measurement
# make help    the rest
#
# Everything runs in .venv, which is made on first use and brought up to date when pyproject.toml changes.
# BIN=<directory> uses the tools of another environment instead; the nox sessions do that.

BIN ?= .venv/bin
BUILD := build
EXTRAS := postgres,redis,toml

# `make demo` needs the package alone; the tools for the suite are installed when they are first asked for.
ifeq ($(origin BIN),file)
PACKAGE := .venv/.package
TOOLS := .venv/.tools
endif

COVERAGE := $(BIN)/coverage run -m
# Proof children may write there what coverage measures in them.
export RACEHOUND_WRITABLE := $(CURDIR)/.coverage
UNMIXED := $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

.DEFAULT_GOAL := help
.PHONY: help venv demo test lint types format suite pytest behave robot report docs picture bench storm clean

help:  ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1	\2/p' $(MAKEFILE_LIST) | expand -t 18

venv: .venv/.tools  ## make .venv with the package and all tools

.venv/.package: pyproject.toml .ci/pythons
	@python=$$(.ci/pythons | head -n 1); \
	if [ -z "$$python" ]; then \
	    echo "racehound needs Python 3.11 or newer with venv, and found none: install it or put it on PATH" >&2; exit 1; \
	fi; \
	.venv/bin/python -c "import sys; assert sys.version_info >= (3, 11)" 2>/dev/null || "$$python" -m venv --clear .venv
	.venv/bin/python -m pip install --quiet --upgrade pip
	.venv/bin/python -m pip install --quiet --editable .
	@touch $@

.venv/.tools: .venv/.package
	.venv/bin/python -m pip install --quiet --editable '.[$(EXTRAS)]' --group dev
	@touch $@

# Findings are exit status 1, also when everything about them was proven and fixed. For a demonstration that is
# success; 0 would mean that the example has no race any more, and anything above 1 is a real error.
demo: $(PACKAGE)  ## hunt, prove, patch and prove again on examples/circuit_breaker.py
	@$(BIN)/racehound hunt examples/circuit_breaker.py --prove --diff; status=$$?; \
	if [ $$status -eq 0 ]; then echo "the example should have races, and none was found" >&2; exit 1; fi; \
	[ $$status -eq 1 ]

test: lint types suite  ## everything that must hold

lint: $(TOOLS)  ## ruff, rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(TOOLS)  ## mypy, strict
	$(BIN)/mypy

format: $(TOOLS)  ## let ruff repair and format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Two at a time: pytest beside Behave and Robot Framework. Each process writes its own data file. Where Python is told
# to write no bytecode, each of the many children would compile the package anew.
suite: $(TOOLS)  ## pytest, Behave and Robot Framework, measured together
	@rm -rf .coverage && mkdir .coverage
	@$(BIN)/python -m compileall -q src
	@$(MAKE) --no-print-directory --keep-going --jobs 2 $(UNMIXED) pytest behave robot
	@$(MAKE) --no-print-directory report

pytest: $(TOOLS)
	$(COVERAGE) pytest --numprocesses 3

behave: $(TOOLS)
	$(COVERAGE) behave --format progress --no-color features

robot: $(TOOLS)
	$(COVERAGE) robot --outputdir $(BUILD)/robot --pythonpath tests --console dotted robot

report: $(TOOLS)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --omit "$$(PYTHONPATH=tests $(BIN)/python -m drivers.unmeasured)"

docs: $(PACKAGE)  ## write the page of each rule
	$(BIN)/python -m racehound.rules.pages docs/rules

picture: $(PACKAGE)  ## show in the README what the command prints now
	PYTHONPATH=tests $(BIN)/python -m drivers.picture

bench: $(TOOLS)  ## run the benchmarks
	@for benchmark in benchmarks/*.py; do [ ! -f "$$benchmark" ] || $(BIN)/python "$$benchmark" || exit 1; done

storm: $(TOOLS)  ## the long runs that the suite shortens
	RACEHOUND_STORM_SECONDS=60 $(BIN)/python -m pytest tests/quality -k storm --timeout 300

clean:  ## remove what the other targets made
	rm -rf .venv .nox .coverage $(BUILD) dist htmlcov .mypy_cache .ruff_cache .pytest_cache .hypothesis
