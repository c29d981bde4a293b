"""What the set-up must ask, for no camera sees it: who plays what for how much, by which rules and clock."""

from __future__ import annotations

from engine.rules import RULESETS
from kibitz.snapshot import Question
from kibitz.words import words
from referee.events import Setup
from referee.layout import LAYOUTS
from referee.state import LEGAL, RESPONSIBLE, State

#: What the answer says for "nobody yet: the first roll decides", and for "as the start shows".
OPENING, SEEN = "opening", "seen"
LAYOUT_NAMES = {f"{layout.home} {layout.light}": layout for layout in LAYOUTS}


def question_lines(state: State) -> tuple[Question, ...]:
    """The questions with the answers of now; none once a roll was thrown."""
    if state.roll is not None or state.past:
        return ()
    setup = state.setup
    return (
        Question("names", words("names"), " – ".join(setup.names)),
        _choice("rules", setup.rules, *sorted(RULESETS)),
        Question("length", words("length"), str(setup.length)),
        _choice("side", OPENING if setup.side is None else str(setup.side), OPENING, "0", "1"),
        _choice("layout", _layout(setup), SEEN, *LAYOUT_NAMES),
        _choice("policy", setup.policy, LEGAL, RESPONSIBLE),
        _choice("clock", setup.clock.kind, "none", "delay", "fischer"),
        Question("seconds", words("seconds"), f"{setup.clock.seconds:g}"),
        Question("increment", words("increment"), f"{setup.clock.extra:g}"),
    )


def _choice(field: str, now: str, *choices: str) -> Question:
    return Question(field, words(field), now, choices)


def _layout(setup: Setup) -> str:
    return SEEN if setup.layout is None else f"{setup.layout.home} {setup.layout.light}"
