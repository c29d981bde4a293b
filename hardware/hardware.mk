# The sensor board: description, firmware, its tests on an emulated chip. Included by the Makefile.
MCU ?= atmega328p
PORT ?= /dev/ttyUSB0
FIRMWARE_DEBS := gcc-avr avr-libc binutils-avr simavr libsimavr-dev libelf-dev gcc libc6-dev avrdude
HAVE_FIRMWARE_TOOLS := command -v avr-gcc >/dev/null && command -v avrdude >/dev/null && command -v gcc >/dev/null \
  && test -e /usr/include/simavr/sim_avr.h

.PHONY: board firmware flash firmware-tools firmware-tools-if-possible firmware-test firmware-noise firmware-crosscheck bench-board gpio-sim

# Everything that follows from hardware/board.toml, and what is to be printed on paper.
board: setup
	$(BIN)/python -m hardware.generate
	$(BIN)/python -m hardware.printables

firmware: firmware-tools
	$(MAKE) --no-print-directory -C hardware/firmware MCU=$(MCU)

# An Uno or Nano: make flash PORT=/dev/ttyUSB0. A Mega: make flash MCU=atmega2560 PORT=/dev/ttyACM0.
flash: firmware
	@command -v avrdude >/dev/null || { echo "avrdude is missing: apt install avrdude"; exit 1; }
	$(MAKE) --no-print-directory -C hardware/firmware MCU=$(MCU) PORT=$(PORT) flash

firmware-tools:
	@if $(HAVE_FIRMWARE_TOOLS); then exit 0; fi; \
	if test "$$(id -u)" != 0 || ! command -v apt-get >/dev/null; then \
	  echo "The AVR compiler and emulator are missing, and only root on Debian, Ubuntu or Raspberry Pi OS can install them:"; \
	  echo "  sudo apt install $(FIRMWARE_DEBS)"; exit 1; fi; \
	apt-get update -qq && apt-get install -y -qq --no-install-recommends $(FIRMWARE_DEBS) >/dev/null \
	  || { echo "apt could not install: $(FIRMWARE_DEBS)"; exit 1; }

# For make test, which goes on without them: the tests that need them then say NOT RUN.
firmware-tools-if-possible:
	@$(MAKE) --no-print-directory firmware-tools || echo "The firmware's tests will be skipped."

firmware-test: setup firmware-tools
	$(BIN)/python -m pytest -s tests/emulator tests/firmware_bridge

# The whole of the test on a bad line: 100,000 frames at each rate, some ten minutes.
firmware-noise: setup firmware-tools
	KIBITZ_NOISE_FRAMES=100000 $(BIN)/python -m pytest -s tests/emulator/test_noise.py

# Sensor to lamp, and 100 replugs, in real time: on a quiet machine.
bench-board: setup firmware-tools
	$(BIN)/python -m pytest -s tests/emulator/bench.py

# The same firmware on another emulator (GPL, so it stays outside the project's environment).
build/yasimavr/ready:
	$(BIN)/python -m pip install --quiet --upgrade --target build/yasimavr 'yasimavr>=0.1' \
	  || { echo "yasimavr could not be built: as root, apt install g++ python3-dev"; exit 1; }
	touch $@

firmware-crosscheck: setup firmware-tools build/yasimavr/ready
	PYTHONPATH=build/yasimavr $(BIN)/python -m pytest -s tests/emulator/crosscheck.py

# lgpio and gpiozero on a real /dev/gpiochip0, in a Linux that runs as a program; a quarter of an hour the first time.
gpio-sim: setup
	tests/gpio_sim/run.sh
