# The recorder's long checks; figures on standard output.
.PHONY: recorder-accuracy batch bench-transcribe

# Twenty matches drawn, filmed, read and scored: about half an hour on two quiet cores the first time.
recorder-accuracy: setup
	$(BIN)/python -m tests.accuracy.recorder

# Ten videos on two Dask workers, one of which is killed half-way.
batch: setup
	KIBITZ_DASK_VIDEOS=10 $(BIN)/python -m pytest tests/kibitz/test_batch.py

bench-transcribe: setup
	$(BIN)/python -m tests.bench.bench_transcribe

# Looks of longer and longer evenings: inferring a record takes time and memory by the turn.
.PHONY: bench-long
bench-long: setup
	$(BIN)/python -m tests.bench.bench_long

# Drawn games with stubborn misreadings: whether plays called so sure are so often right.
.PHONY: hindsight-reliability
hindsight-reliability: setup
	$(BIN)/python -m tests.accuracy.reliability --games 40
	$(BIN)/python -m tests.accuracy.reliability --games 24 --hard
