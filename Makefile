# The one way to run each thing. `make play` and `make test` work from a bare checkout: they need
# Python 3.11 or newer with pip, Node 20 with npm, and the package indexes that those are set up for.

VENV := .venv
BIN := $(VENV)/bin
LOCK := requirements/dev.txt
LOWEST := requirements/lowest.txt
CLIENT := src/sandtable/server/static/index.html
ARGS ?=

# Versions and hashes only: no lock may name the address of an index.
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-header --no-emit-index-url --no-emit-find-links $(if $(UPGRADE),--upgrade)

# uv does not read pip's settings; where pip has an index of its own, uv is told the same one.
PIP_INDEX = $${UV_DEFAULT_INDEX:-$${PIP_INDEX_URL:-$$($(BIN)/python -m pip config get global.index-url 2>/dev/null || true)}}

# All that a lock holds, and this project, into an environment: $(call SYNC,ENVIRONMENT,LOCK).
define SYNC
index="$(PIP_INDEX)"; export VIRTUAL_ENV="$(CURDIR)/$(1)"; \
	$(BIN)/uv pip sync --quiet --require-hashes $${index:+--default-index "$$index"} $(2) && \
	$(BIN)/uv pip install --quiet --no-deps --no-build-isolation --editable .
endef

# This project with one extra, in the versions of the lock, into .venv: $(call ADD,EXTRA). What is there already stays.
define ADD
index="$(PIP_INDEX)"; export VIRTUAL_ENV="$(CURDIR)/$(VENV)"; \
	add="$(BIN)/uv pip install --quiet --constraint $(LOCK) $${index:+--default-index $$index}"; \
	$$add --group build && $$add --no-build-isolation --editable '.[$(1)]'
endef

# Pythons other than that of .venv have environments of their own, for `make versions`.
PROMISED := 3.11 3.12 3.13
VENVS := .venvs
NEWEST := $(lastword $(PROMISED))
SHORT := tests/core tests/geo tests/golden tests/rulebook tests/rl -m "not slow"
SHORTER := tests/core tests/golden -m "not slow"
# Quick tests that meet every package that we ship with. Old packages warn of new ones, which is not our affair.
BOUNDS := tests/core tests/rl/test_environments.py tests/server/test_http.py tests/server/test_door.py tests/server/test_sessions.py \
	tests/session/test_store.py tests/cli/test_commands.py tests/cli/test_lab.py::test_the_report_is_one_whole_page \
	tests/sim/test_cluster.py::test_the_command_gives_the_same_answer_on_a_cluster -W ignore
SOURCES = $(shell find src tests -name '*.py')

# Compiled modules are kept, whatever the environment says: tests start processes by the hundred, each of which would
# compile all that it imports.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help play terminal web test check client versions newest lowest format bench lock wheel machine clean

help: ## list the targets
	@sed -n 's/^\([a-z.]*\):.*## \(.*\)/  make \1	\2/p' Makefile | expand -t 18

play: $(VENV)/server $(CLIENT) ## set up, then serve a ready game to the browser on this machine
	@$(BIN)/sandtable serve --ready --open $(ARGS)

terminal: $(VENV)/cli ## set up, then play the default scenario in the terminal (ARGS="SCENARIO ...")
	@$(BIN)/sandtable play $(ARGS)

web: $(CLIENT) ## build the browser client

# What is quick and fails most often comes first. Browser tests run by themselves: Playwright keeps an event loop in its
# process, which others would trip over; they wait for one another's processes a good deal, so there is one more of them
# than cores. One that fails on a machine that stalls is run again, and named in the summary: a fault of the page fails
# every time.
test: check client machine newest lowest ## set up, run the checks, then every test (ARGS="-k sight" narrows the tests)
	$(BIN)/pytest -q -n auto --maxprocesses 8 --dist worksteal --ignore=tests/browser $(ARGS)
	$(if $(ARGS),,$(BIN)/pytest -q -n 3 --dist worksteal --reruns 2 -rfEsR tests/browser)

check: $(VENV)/ready $(CLIENT) ## lint, format, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy & types=$$!; $(BIN)/lint-imports --no-logo && (cd web && npm run --silent check) && wait $$types

client: $(VENV)/ready $(CLIENT) ## unit tests of the browser client
	cd web && npm run --silent test

# A Python of that version on this machine (.venv's, on the path or pyenv's): $(call FIND,VERSION) sets `found`.
define FIND
found=""; \
for python in $(BIN)/python python$(1) "$${PYENV_ROOT:-$$HOME/.pyenv}"/versions/$(1).*/bin/python; do \
	if [ "$$("$$python" -c 'import ssl, sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)" = $(1) ]; then found="$$python"; break; fi; \
done
endef

# What the README promises, by a short cut: the Python of .venv runs everything; on every other one that is on this
# machine run quick tests that would notice other behaviour: kernel, geometry, golden games, worked examples,
# environments. mypy, whose answers follow the libraries, looks at what we ship on the newest too. What holds on the
# oldest and on the newest holds between them: there kernel and golden games suffice, and `make test` leaves them out.
# Ruff and layers do not differ. It is a matter of a minute for each; where nothing changed since, of none.
newest: LOOKED_AT := $(NEWEST)
newest: ## types and a short choice of tests on the newest Python that we promise, if it is here
versions: LOOKED_AT := $(PROMISED)
versions: ## the same on Python 3.11, 3.12 and 3.13, as far as they are here
newest versions: $(VENV)/ready
	@own=$$($(BIN)/python -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
	for version in $(LOOKED_AT); do \
		if [ "$$version" = "$$own" ]; then echo "Python $$version: in $(VENV), with everything"; continue; fi; \
		$(call FIND,$$version); \
		if [ -z "$$found" ]; then echo "Python $$version: not on this machine, so its types and tests are skipped"; continue; fi; \
		$(MAKE) --no-print-directory $(VENVS)/$$version/checked PYTHON="$$found" || exit 1; \
		echo "Python $$version: checked"; \
	done

# Old versions have wheels for old Pythons, so the lowest ones go with the lowest Python.
lowest: $(VENV)/ready ## a short choice of tests with the lowest versions that pyproject.toml allows
	@$(call FIND,$(firstword $(PROMISED))); \
	if [ -z "$$found" ]; then echo "lowest versions: no Python $(firstword $(PROMISED)) on this machine, so their tests are skipped"; exit; fi; \
	$(MAKE) --no-print-directory $(VENVS)/lowest/tested PYTHON="$$found" && echo "lowest versions: tested"

# An environment is no step on the way that may be thrown away.
.PRECIOUS: $(VENVS)/%/ready

$(VENVS)/%/checked: $(VENVS)/%/ready $(SOURCES)
	$(if $(filter $(NEWEST),$*),$(VENVS)/$*/bin/mypy --cache-dir .mypy_cache/$* src,true) & types=$$!; \
	HYPOTHESIS_PROFILE=short $(VENVS)/$*/bin/pytest -q -p no:cacheprovider -n auto --maxprocesses 8 \
		$(if $(filter $(NEWEST),$*),$(SHORT),$(SHORTER)) && wait $$types
	@touch $@

$(VENVS)/lowest/tested: $(VENVS)/lowest/ready $(SOURCES)
	HYPOTHESIS_PROFILE=short $(VENVS)/lowest/bin/pytest -q -p no:cacheprovider -n auto --maxprocesses 8 $(BOUNDS)
	@touch $@

$(VENVS)/%/ready: $(LOCK) $(LOWEST) pyproject.toml | $(BIN)/uv
	@echo "making $(VENVS)/$* with $(PYTHON)"; rm -rf $(VENVS)/$*; $(BIN)/uv venv --quiet --python "$(PYTHON)" $(VENVS)/$*
	@$(call SYNC,$(VENVS)/$*,$(if $(filter lowest,$*),$(LOWEST),$(LOCK)))
	@touch $@

format: $(VENV)/ready ## let ruff mend what it can; note which tests show which rules, and the types there are
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/python -m sandtable.cli.evidence
	$(BIN)/python -m sandtable.cli.concepts

bench: $(VENV)/ready ## measure the budgets beside their anchors
	@$(BIN)/sandtable bench $(ARGS)

lock: $(BIN)/uv ## write requirements/*.txt anew (UPGRADE=1 takes newer versions)
	$(COMPILE) requirements/uv.in --output-file requirements/uv.txt
	$(COMPILE) pyproject.toml --all-extras --group dev --output-file $(LOCK)
	$(COMPILE) pyproject.toml --all-extras --group build --group test --resolution lowest-direct --upgrade \
		--output-file $(LOWEST)

wheel: $(VENV)/ready $(CLIENT) ## build the wheel and the source archive into dist/
	$(BIN)/uv build --quiet --no-build-isolation --python $(BIN)/python
	@ls dist

# What tests of the browser and of PostgreSQL need comes from Debian's packages. Where it cannot be had they are
# skipped and say so.
machine:
	@missing=""; \
	command -v chromium >/dev/null || missing="chromium"; \
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$$missing postgresql"; \
	if [ -n "$$missing" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing \
			>/dev/null || echo "could not install $$missing: their tests will be skipped"; \
	fi

clean: ## remove the environment, caches and builds
	rm -rf $(VENV) $(VENVS) build dist web/node_modules src/sandtable/server/static .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache .benchmarks
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The first Python that is new enough; PYTHON=... decides otherwise.
$(BIN)/python:
	@for python in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11; do \
		if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			echo "making $(VENV) with $$python"; exec "$$python" -m venv $(VENV); \
		fi; \
	done; \
	echo "Sandtable needs Python 3.11 or newer; set PYTHON=/path/to/python" >&2; exit 1

$(BIN)/uv: requirements/uv.txt | $(BIN)/python
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt
	@touch $@

# What a command needs, and for `ready` all that development does. The stamp is made last, so a set-up that was cut off
# is done again.
$(VENV)/cli $(VENV)/server: $(LOCK) pyproject.toml | $(BIN)/uv
	@$(call ADD,$(@F))
	@touch $@

$(VENV)/ready: $(LOCK) pyproject.toml | $(BIN)/uv
	@$(call SYNC,$(VENV),$(LOCK))
	@touch $@

# `npm ci` refuses a lock without the bindings of other machines, which a registry may not offer; this one installs
# what the lock says and leaves it alone. Built anew when a source of the client is newer; the sources are few, so make may look at all of them.
$(CLIENT): web/package-lock.json web/package.json web/vite.config.ts web/index.html $(shell find web/src web/public web/build -type f)
	@cd web && npm install --no-save --silent --no-audit --no-fund && npm run --silent build -- --logLevel warn
	@touch $@
