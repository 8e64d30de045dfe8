# make serve [PORT=8080]   install into .venv and serve the shipped model on port 5000, or another
#            [MODEL=…]     model directory; TRANSLATOR_… from the environment hold too
#            [LANGUAGES="pt fr"]   download the models of these languages while it serves
# make check               style, types and architecture
# make test                the tests, on all cores
# make test-slow           those that take longer
# make docs                the API reference, written to build/docs
# make clean               delete .venv, caches and what was built
#
# What each needs is installed into .venv first. `make .venv/installed` does no more than that for
# translating, serving and scoring, `make .venv/installed-training` for training, and
# `make .venv/installed-bulk` for translating in bulk.
#
# On Linux the default build of PyTorch brings several gigabytes of CUDA libraries. With TORCH=cpu
# the CPU build of 200 MB is installed instead: make serve TORCH=cpu

PYTHON ?= python3
PORT ?=
MODEL ?=
LANGUAGES ?=
TORCH ?=
VENV := .venv
PIP_INSTALL := $(VENV)/bin/python -m pip install --disable-pip-version-check

# Only torch is looked for at PyTorch's own index: asking it for every package takes minutes.
define install
$(if $(filter cpu,$(TORCH)),$(PIP_INSTALL) --no-deps \
	--extra-index-url https://download.pytorch.org/whl/cpu $$(grep '^torch==' requirements.txt))
$(PIP_INSTALL) $(1)
endef

.PHONY: serve check test test-slow compiled docs format clean

serve: $(VENV)/installed
	$(if $(PORT),TRANSLATOR_PORT=$(PORT)) $(if $(MODEL),TRANSLATOR_MODEL=$(MODEL)) \
		$(if $(LANGUAGES),TRANSLATOR_LANGUAGES="$(LANGUAGES)") $(VENV)/bin/python -m service

check: $(VENV)/installed-dev
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/python -m pytest tests/test_architecture.py

# Each process of the tests has a core of its own: threads of one would wait for those of another.
test test-slow: export OMP_NUM_THREADS = 1
test test-slow: export OMP_WAIT_POLICY = PASSIVE
# Each process would compile the tests and the project anew if Python did not keep what it compiles.
test test-slow: export PYTHONDONTWRITEBYTECODE =

# A process a core, each with files of its own; slow tests go one by one to whoever has nothing to do.
# More than eight gain little, and each takes a gigabyte.
PYTEST := $(VENV)/bin/python -m pytest --numprocesses auto --maxprocesses 8 --dist loadfile

test: compiled
	$(PYTEST) -m "not slow"

test-slow: compiled
	$(PYTEST) --dist worksteal -m slow

# Compiled code is kept. If there is none yet, each process of the tests would compile the same, and
# models would answer in float32 until the one in int8 is ready.
compiled: $(VENV)/installed-dev
	$(VENV)/bin/python -m translator.runtime.ahead int8
	$(VENV)/bin/python -m translator.runtime.ahead float32

docs: $(VENV)/installed-dev
	$(VENV)/bin/python -m tests.docs.api build/docs

format: $(VENV)/installed-dev
	$(VENV)/bin/ruff format .
	$(VENV)/bin/ruff check --fix .

# Importing the package refuses a Python that is too old, in one line. A `venv` that fails leaves an
# environment without pip behind (on Debian without python3-venv): it must not be taken for whole.
$(VENV)/bin/python:
	@$(PYTHON) -c 'import translator'
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(VENV)/installed: requirements.txt requirements-pdf.txt | $(VENV)/bin/python
	$(call install,-r requirements.txt -r requirements-pdf.txt)
	touch $@

$(VENV)/installed-training: requirements.txt requirements-pdf.txt requirements-training.txt | $(VENV)/bin/python
	$(call install,-r requirements.txt -r requirements-pdf.txt -r requirements-training.txt)
	touch $(VENV)/installed $@

$(VENV)/installed-bulk: requirements.txt requirements-bulk.txt | $(VENV)/bin/python
	$(call install,-r requirements.txt -r requirements-bulk.txt)
	touch $@

$(VENV)/installed-dev: $(wildcard requirements*.txt) | $(VENV)/bin/python
	$(call install,-r requirements-dev.txt)
	touch $(VENV)/installed $(VENV)/installed-training $(VENV)/installed-bulk $@

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
