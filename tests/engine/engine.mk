# What is too slow for `make test`, or needs a program that is not ours.
.PHONY: naive fuzz interop bench

# Legal plays against the plain generator: 20,000 positions of each game, about three minutes.
naive: setup
	KIBITZ_POSITIONS=20000 $(BIN)/python -m pytest -q tests/engine/test_against_naive.py

# 100,000 mutated inputs for every reader.
fuzz: setup
	$(BIN)/python -m tests.engine.fuzz 100000

# Debian's gnubg (apt install gnubg), as a separate process, reads what we write.
interop: setup
	$(BIN)/python -m tests.engine.interop

# gvformat and OpenSpiel stay out of the environment that Kibitz runs in.
$(VENV)-bench/ready: pyproject.toml
	test -x $(VENV)-bench/bin/python || $(PYTHON) -m venv $(VENV)-bench
	$(VENV)-bench/bin/python -m pip install --quiet --editable '.[bench]'
	touch $@

bench: setup $(VENV)-bench/ready
	$(VENV)-bench/bin/python -m tests.bench.bench_moves
	$(BIN)/python -m tests.bench.bench_reading
