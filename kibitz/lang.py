"""What Kibitz says, in English and Russian: reasons, repairs, losses, outcomes. The engine only gives values.

The language is chosen once, at the start of a command, and handed on as a `Language`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from engine.position import Problem, Trouble
from engine.reasons import Reason, Why
from engine.repairs import Loss, Mend, Repair
from kibitz.lang_texts import TEXTS

#: The name of a point, bar or tray in the notation that is spoken.
PlaceName = Callable[[int], str]


class Code(StrEnum):
    """The languages that Kibitz speaks."""

    EN = "en"
    RU = "ru"


@dataclass(frozen=True, slots=True)
class Language:
    """One language: enum values in, sentences out."""

    code: Code
    texts: Mapping[StrEnum | str, str]

    def say(self, key: StrEnum | str, /, **values: object) -> str:
        """The sentence of a value, its blanks filled."""
        return self.texts[key].format(**values)

    def reason(self, reason: Reason, place: PlaceName) -> str:
        """Why a play is illegal, as a sentence that a player understands."""
        points = [place(point) for point in reason.points]
        ends = {"first": points[0] if points else "", "last": points[-1] if points else ""}
        dice = [str(die) for die in reason.dice]
        key: StrEnum | str = reason.why
        if reason.why is Why.WRONG_COUNT and not dice:
            key = "no_die_left"
        elif reason.why is Why.NO_CHECKER and points == [place(25)]:
            key = "nothing_on_bar"
        counts = {"used": dice[0] if dice else "", "must": dice[-1] if dice else ""}
        blanks = {"points": ", ".join(points), "dice": ", ".join(dice), "turn": reason.turn}
        return self.say(key, **blanks, **ends, **counts)

    def reasons(self, reasons: tuple[Reason, ...], place: PlaceName) -> str:
        """Several reasons, one after the other."""
        return " ".join(self.reason(reason, place) for reason in reasons)

    def repair(self, repair: Repair) -> str:
        """What a reader put right, with its line when it has one."""
        text = self.say(repair.what, text=repair.text)
        return self.say("at_line", line=repair.line, text=text) if repair.line else text

    def loss(self, loss: Loss) -> str:
        """What a writer left out, with game and turn as a player counts them."""
        text = self.say(f"lost_{loss.what}", text=loss.text)
        if loss.turn >= 0:
            return self.say("at_turn", game=loss.game + 1, turn=loss.turn + 1, text=text)
        return self.say("at_game", game=loss.game + 1, text=text) if loss.game >= 0 else text

    def problem(self, problem: Problem) -> str:
        """What is wrong with a position."""
        return self.say(problem.trouble, side=self.say(f"side_{problem.side}"), found=problem.found)


LANGUAGES = {code: Language(code, TEXTS[code]) for code in Code}

#: What every language must have words for.
SPOKEN: tuple[type[StrEnum], ...] = (Why, Mend, Trouble)


def choose(code: str | None = None, environment: Mapping[str, str] = os.environ) -> Language:
    """The language asked for, else the one of the environment (LC_ALL, LC_MESSAGES, LANG), else English."""
    for name in (code, *(environment.get(key) for key in ("LC_ALL", "LC_MESSAGES", "LANG"))):
        if name:
            return LANGUAGES[Code.RU if name.lower().startswith("ru") else Code.EN]
    return LANGUAGES[Code.EN]
