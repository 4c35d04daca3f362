# citytable: `make run` plays, `make test` proves. Every target does its own set-up, and only when something changed.

.PHONY: help run setup test check bench contact-sheet release soak soak-tests soak-games soak-entries soak-cuts soak-month hil bench-day cad harness carriers clean
.PHONY: check-style check-types check-screens test-python test-read test-system test-screens soak-system
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

BIN := .venv/bin
SCREENS := $(shell find dashboard -type f -not -path '*/node_modules/*' -not -path 'dashboard/tests/*' 2>/dev/null)
SCRIPTS := tools/*.sh hub/deploy/*.sh hub/deploy/citytable-kiosk hub/deploy/citytable-settle .ci/run

RUNNING := .venv/.running
TESTING := .venv/.testing
SCREENS_TOOLS := dashboard/node_modules/.package-lock.json
BUILT := hub/citytable/views/static/index.html
VMS := tests/micropython/node_modules/.package-lock.json
HOME_ASSISTANT := tests/home_assistant/.venv/.made
SEED := $(shell expr $$(od -An -N3 -tu4 /dev/urandom))

help: ## say what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

run: $(RUNNING) $(BUILT) ## play MegaCity on a virtual table, in the browser if there is a screen (ARGS="..." for `citytable run`)
	@exec $(BIN)/citytable run $(ARGS)

setup: $(TESTING) $(BUILT) $(VMS) $(HOME_ASSISTANT) ## install everything that running, testing and checking need
	@echo "citytable: everything is set up; make run, make test, make check" >&2

test: test-screens test-python ## all tests, on all cores (ARGS="..." for pytest)

test-python: $(TESTING) $(BUILT) $(VMS) $(HOME_ASSISTANT) test-system
	@exec $(BIN)/pytest --numprocesses auto $(ARGS)

test-read: $(TESTING) # once, or each worker would compile every file of tests anew
	@said=$$($(BIN)/pytest --collect-only -qq) || { echo "$$said"; exit 1; }

test-system: $(TESTING)
	@tools/setup.sh system

test-screens: $(BUILT)
	@tools/setup.sh screens-test

check: check-style check-types check-screens ## style, plain English, types, import rules, scripts, the dashboard's types

check-style: $(TESTING)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/python tools/check_english.py
	sha256sum --quiet --check docs/pictures/build/made-from.txt || { echo 'a source of the drawings has changed: make cad'; exit 1; }
	for script in $(SCRIPTS); do bash -n "$$script" || exit 1; done
	if command -v shellcheck >/dev/null; then shellcheck $(SCRIPTS); fi

check-types: $(TESTING)
	$(BIN)/mypy

check-screens: $(BUILT) $(TESTING)
	tools/setup.sh screens-check
	$(BIN)/python tools/page_bytes.py

bench: $(TESTING) $(VMS) ## measure, beside a yardstick on the same machine
	@set -e; for bench in tools/bench_*.py; do echo "== $$bench"; $(BIN)/python "$$bench" $(ARGS); done

contact-sheet: $(TESTING) $(BUILT) ## photograph 49 states of the screens in 3 sizes and 2 languages, and say what looks different
	@exec $(BIN)/python tools/contact_sheet.py $(ARGS)

release: $(TESTING) $(BUILT) ## build both wheels, their sources, checksums and a list of parts into dist/ (TAG=yes tags the commit as that release)
	@tools/release.sh dist $(if $(TAG),--tag)

soak: soak-tests soak-games soak-entries soak-cuts soak-month ## search for hours, with fresh seeds: all of the next five (SEED=7 for one of your own)

soak-tests: $(TESTING) $(BUILT) $(VMS) $(HOME_ASSISTANT) soak-system ## the tests that search, longer, and those that are too long for `make test` (ARGS="..." for pytest)
	@exec $(BIN)/pytest --numprocesses auto --timeout 0 -o faulthandler_timeout=0 --soak $(SEED) $(ARGS)

soak-system:
	@tools/setup.sh system-soak

soak-games: $(TESTING) ## rehearse many whole games (ARGS="--games 200 --faults")
	@echo "the first seed is $(SEED)"
	@exec $(BIN)/python tools/soak.py --first-seed $(SEED) $(ARGS)

soak-entries: $(TESTING) ## recall whole games from what a kill after each single entry leaves (ARGS="--games 10 --faults")
	@exec $(BIN)/python tools/every_entry.py --first-seed $(SEED) $(ARGS)

soak-cuts: $(TESTING) ## kill a hub that is playing, again and again (ARGS="--instants 200")
	@exec $(BIN)/python tools/power_cut.py --seed $(SEED) $(ARGS)

soak-month: $(TESTING) $(BUILT) ## play a month of evenings at one table, 300 game hours, and go on where it stopped (ARGS="--hours 10")
	@exec $(BIN)/python tools/month.py $(ARGS)

hil: $(TESTING) ## the stations' scenarios on a real Pico (PORT=/dev/ttyACM0, and PLAYER=/dev/ttyACM1 plays a load cell)
	@exec $(BIN)/python tools/hil.py --port '$(PORT)' --player '$(PLAYER)' $(ARGS)

STATION ?= park
PLAN ?= cafe.json
BROKER ?= 127.0.0.1:1884
bench-day: $(TESTING) ## the first day with real parts: measures what was never measured, with `make hil` and the doctor (STATION=, PLAN=, BROKER=, PORT=)
	@exec $(BIN)/python tools/first_bench_day.py --station '$(STATION)' --plan '$(PLAN)' --broker '$(BROKER)' --port '$(PORT)' --player '$(PLAYER)' $(ARGS)

CAD := hardware/cad/.venv
$(CAD): hardware/cad/requirements.txt
	python3 -m venv $@ && $@/bin/pip install -q --disable-pip-version-check -r $< && touch $@

cad: $(CAD) ## export the mechanical parts to var/cad, and check them
	@exec $(CAD)/bin/python tools/cad.py

DRAWINGS := var/harness
harness: ## draw each cable of the stations to var/harness (needs Graphviz)
	@command -v dot >/dev/null || { echo "make harness needs Graphviz: install it, for example with 'sudo apt-get install graphviz'" >&2; exit 1; }
	@$(MAKE) -s $(TESTING) && mkdir -p '$(DRAWINGS)'
	@$(BIN)/wireviz --output-dir '$(DRAWINGS)' hardware/harness/*.yml

carriers: $(TESTING) ## check each station's carrier with its cables and modules as a circuit, by the rules of SKiDL
	@exec $(BIN)/python tools/rule_check.py $(ARGS)

clean: ## remove everything that set-up made
	rm -rf .venv .uv var $(CAD) dashboard/node_modules tests/micropython/node_modules hub/citytable/views/static
	rm -rf tests/home_assistant/.venv
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache dist
	find hub lab firmware tests tools -name __pycache__ -type d -prune -exec rm -rf {} +

$(RUNNING): pyproject.toml uv.lock
	@tools/setup.sh packages
	@touch $@

# `make --jobs` runs the steps side by side; those after a | wait, because an earlier step finds uv or node for them
$(TESTING): pyproject.toml lab/pyproject.toml uv.lock | $(RUNNING)
	@tools/setup.sh packages-dev
	@touch $@ $(RUNNING)

$(VMS): tests/micropython/package.json tests/micropython/package-lock.json | $(SCREENS_TOOLS)
	@tools/setup.sh micropython
	@touch $@

$(HOME_ASSISTANT): tests/home_assistant/pyproject.toml tests/home_assistant/uv.lock | $(TESTING)
	@tools/setup.sh home-assistant

$(SCREENS_TOOLS): dashboard/package.json dashboard/package-lock.json | $(RUNNING)
	@tools/setup.sh screens-tools
	@touch $@

$(BUILT): $(SCREENS) $(wildcard hub/citytable/languages/*.json) | $(SCREENS_TOOLS)
	@tools/setup.sh screens
	@touch $@
