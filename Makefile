# `make demo` and `make test` are all a newcomer needs; both set the project up first.
PYTHON ?= python3
VENV := .venv
# Raspberry Pi OS brings lgpio as a Debian package only: let the environment see it there.
VENV_FLAGS := $(if $(wildcard /etc/rpi-issue),--system-site-packages)
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: setup demo test lint accuracy train clean

setup: $(VENV)/ready

$(VENV)/ready: pyproject.toml Makefile
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Kibitz needs Python 3.11 or newer; name one with: make PYTHON=python3.12 setup")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV_FLAGS) $(VENV) || { echo "Python's venv is missing: apt install python3-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	$(BIN)/python -m kibitz.opencv_setup
	touch $@

demo: setup
	$(BIN)/kibitz demo --out demo

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: setup lint firmware-tools-if-possible browser-if-possible
	$(BIN)/python -m pytest

# Measures reading on the boards beside the checkout; some minutes. Writes docs/accuracy.md.
accuracy: setup
	$(BIN)/python -m tests.accuracy.measure ../shared --write docs/accuracy.md

# Trains the six networks from drawn boards alone; nothing real is looked at. Over two hours on two quiet cores (estimated:
# it ran in parts only). How each shipped one came about, where that differs from this: docs/training.md.
$(VENV)-train/ready: pyproject.toml
	test -x $(VENV)-train/bin/python || $(PYTHON) -m venv $(VENV)-train
	$(VENV)-train/bin/python -m pip install --quiet --editable '.[train]'
	touch $@

train: $(VENV)-train/ready
	$(VENV)-train/bin/python -m vision.training.points --data build/train --out vision/models
	$(VENV)-train/bin/python -m vision.training.dice --out vision/models
	$(VENV)-train/bin/python -m vision.training.corners --data build/train-corners --out vision/models

include hardware/hardware.mk
include tests/web/browser.mk
include tests/engine/engine.mk
include tests/soak/soak.mk
include tests/accuracy/recorder.mk

clean:
	rm -rf $(VENV) $(VENV)-train $(VENV)-bench demo build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache hardware/firmware/build
