"""`make soak`: 200 simulated games; exit status 1 when anything was missed, refused or lost."""

from __future__ import annotations

import argparse
import sys

from tests.soak.games import Tally, soaked


def main() -> int:
    """Play the games one after the other and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--turns", type=int, default=400, help="turns at most of each game")
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    options = parser.parse_args()
    tally = Tally()
    for number in range(options.first, options.first + options.games):
        one = soaked(1, options.turns, number)
        tally.add(one)
        if not one.good or number % 10 == 9:
            print(f"game {number}: {tally.text()}", flush=True)
    print(tally.text())
    print("\n".join(f"  {name}: {count}" for name, count in sorted(tally.named.items())))
    return 0 if tally.good else 1


if __name__ == "__main__":
    sys.exit(main())
