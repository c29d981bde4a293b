# The live referee's long checks; figures on standard output, exit status 1 when something was missed or lost.
.PHONY: soak kills bench-live

# 200 simulated games of all rulesets with illegal plays, hands, misreads and camera loss: over an hour on one core.
soak: setup
	$(BIN)/python -m tests.soak.run

# `kibitz watch` killed 200 times at random moments: about half an hour.
kills: setup
	$(BIN)/python -m tests.acceptance.kills

# From the first still frame to the verdict, and what an idle 720p camera costs.
bench-live: setup
	$(BIN)/python -m tests.bench.bench_live
