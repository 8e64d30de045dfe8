# make serve [PORT=8080]   install into .venv and serve the shipped model on port 5000, or another
#            [MODEL=…]     model directory; TRANSLATOR_… from the environment hold too
# make test                install into .venv and run the tests
# make check               style, types and architecture
# make clean               delete .venv and caches
#
# On Linux the default build of PyTorch brings several gigabytes of CUDA libraries. With TORCH=cpu
# the CPU build of 200 MB is installed instead: make serve TORCH=cpu

PYTHON ?= python3
PORT ?=
MODEL ?=
TORCH ?=
VENV := .venv
INDEX_cpu := --extra-index-url https://download.pytorch.org/whl/cpu
PIP_INSTALL := $(VENV)/bin/python -m pip install --disable-pip-version-check $(INDEX_$(TORCH))

.PHONY: serve test check format clean

serve: $(VENV)/installed
	$(if $(PORT),TRANSLATOR_PORT=$(PORT)) $(if $(MODEL),TRANSLATOR_MODEL=$(MODEL)) \
		$(VENV)/bin/gunicorn --config service/gunicorn.conf.py service.wsgi:app

test: $(VENV)/installed-dev
	$(VENV)/bin/python -m pytest

check: $(VENV)/installed-dev
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/python -m pytest tests/test_architecture.py

format: $(VENV)/installed-dev
	$(VENV)/bin/ruff format .
	$(VENV)/bin/ruff check --fix .

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: requirements.txt | $(VENV)/bin/python
	$(PIP_INSTALL) -r requirements.txt
	touch $@

$(VENV)/installed-dev: requirements.txt requirements-dev.txt | $(VENV)/bin/python
	$(PIP_INSTALL) -r requirements-dev.txt
	touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
