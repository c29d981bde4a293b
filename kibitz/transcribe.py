"""`kibitz transcribe`: recorded play → match files, transcripts and journals."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from kibitz.aside import Aside
from kibitz.memory import searched_seldom
from kibitz.options import CalibrationFile, Corners, Names, Rules

Begin = Annotated[
    str | None,
    typer.Option(
        help="What is on the board at the beginning, if not the start: an XGID (light has the capital"
        " letters), a position ID, 24 counts in image order, or 'read': what the first picture shows."
    ),
]
Lapse = Annotated[
    float | None, typer.Option(min=0.01, help="A time lapse: seconds of real time between two pictures.")
]


def transcribe(
    videos: Annotated[
        list[str], typer.Argument(help="Videos, folders of videos or of pictures, or other sources.")
    ],
    rules: Rules = "backgammon",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Match file: .mat, .sgf, .ogxm, .jsonl, .vtt.")
    ] = None,
    json: Annotated[Path | None, typer.Option("--json", help="Transcript for programs.")] = None,
    journal: Annotated[Path | None, typer.Option(help="Journal; default: beside the output.")] = None,
    corners: Corners = None,
    calibration_file: CalibrationFile = None,
    position: Begin = None,
    lapse: Lapse = None,
    names: Names = None,
    length: Annotated[int, typer.Option(min=0, help="Points the match is played to; 0: money.")] = 0,
    one_match: Annotated[
        bool, typer.Option("--one-match", help="The videos are parts of one match, in this order.")
    ] = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Videos read at the same time.")] = 1,
    dask: Annotated[
        str | None,
        typer.Option(help="Dask scheduler (tcp://…) whose workers, with the same files, do the work."),
    ] = None,
) -> None:
    """Turn recorded play into match files, transcripts and journals.

    What was read is kept in a file of looks beside the output: a run that was broken off goes on, and what is
    done is not done again.
    """
    with searched_seldom(), Aside() if _alone(videos, dask) else nullcontext() as aside:
        # loaded while that process begins: both take as long
        from kibitz.skimming import Wanted
        from kibitz.transcribing import expanded, run, setup_of

        wanted = Wanted(setup_of(rules, names, length), corners, calibration_file, position, lapse)
        parts = [tuple(videos)] if one_match else [(video,) for video in expanded(videos)]
        run(parts, wanted, (out, json, journal), jobs, dask, aside)


def _alone(videos: list[str], dask: str | None) -> bool:
    """Whether it is one recording in one video, all of which this machine does."""
    return len(videos) == 1 and dask is None and not Path(videos[0]).is_dir()
