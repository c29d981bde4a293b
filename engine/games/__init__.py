"""One module per game, each with its `RULES`."""
