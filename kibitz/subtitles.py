"""WebVTT: the plays of a filmed match as subtitles of its video, one cue a play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from engine.errors import RecordError
from engine.record import Match
from kibitz.lang import Language
from kibitz.wording import done, verdict, wrongs

#: A cue is shown so long at least, seconds, unless the next one comes earlier.
LEAST = 1.5


class Cue(NamedTuple):
    """One subtitle: from when to when (seconds), who, and what is said."""

    begin: float
    end: float
    who: str
    text: str


def write_vtt(match: Match, language: Language) -> str:
    """The match as WebVTT.

    Raises:
        RecordError: no turn of the match has its time.
    """
    cues = _apart(sorted(_cues(match, language)))
    if not cues:
        raise RecordError("the record holds no times, and subtitles need them; make it from the video")
    title = escape(" – ".join(match.names), quote=False).replace("\n", " ")
    return "\n".join([f"WEBVTT - {title}", *map(_block, cues)]) + "\n"


def _cues(match: Match, language: Language) -> Iterator[Cue]:
    for game in match.games:
        wrong = wrongs(game, match.ruleset)
        for number, turn in enumerate(game.turns):
            if turn.t is not None:
                said = (done(turn, language), verdict(number, turn, wrong, language))
                yield Cue(*turn.t, match.names[turn.side], "\n".join(filter(None, said)))


def _apart(cues: Sequence[Cue]) -> list[Cue]:
    """Cues long enough to read, none over the next one."""
    ends = [max(cue.end, cue.begin + LEAST) for cue in cues]
    following = [cue.begin for cue in cues[1:]]
    for number, begin in enumerate(following):
        if begin > cues[number].begin:
            ends[number] = min(ends[number], begin)
    return [cue._replace(end=end) for cue, end in zip(cues, ends, strict=True)]


def _block(cue: Cue) -> str:
    who = escape(cue.who, quote=False).replace("\n", " ")
    return f"\n{_clock(cue.begin)} --> {_clock(cue.end)}\n<v {who}>{escape(cue.text, quote=False)}"


def _clock(seconds: float) -> str:
    whole = round(1000 * seconds)
    minutes, rest = divmod(whole, 60_000)
    return f"{minutes // 60:02}:{minutes % 60:02}:{rest // 1000:02}.{rest % 1000:03}"
