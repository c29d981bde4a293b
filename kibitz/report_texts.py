"""The words of subtitles and of the report on a match: a key, the English, the Russian."""

from __future__ import annotations

REPORT_ROWS: tuple[tuple[str, str, str], ...] = (
    ("cue_legal", "legal", "по правилам"),
    ("cue_stood", "illegal, let stand: {reasons}", "не по правилам, оставлено: {reasons}"),
    ("cue_wrong", "illegal: {reasons}", "не по правилам: {reasons}"),
    ("cue_unknown", "the play was not seen", "ход не виден"),
    ("cue_dance", "cannot move", "хода нет"),
    ("cue_sure", "{verdict} ({percent} % sure)", "{verdict} (уверенность {percent} %)"),
    ("act_double", "doubles to {value}", "удваивает до {value}"),
    ("act_beaver", "beavers to {value}", "бобёр: {value}"),
    ("act_take", "takes", "принимает"),
    ("act_drop", "drops", "пасует"),
    ("act_resign", "resigns {value}", "сдаётся: {value}"),
    ("wins_game", "wins the game: {points}", "выигрывает партию: {points}"),
)
