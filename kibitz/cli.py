"""The command line: every command in one place, and one way to fail."""

from __future__ import annotations

import sys

import typer

from engine.errors import KibitzError
from kibitz import __version__
from kibitz.analyse import analyse
from kibitz.calibrate import calibrate
from kibitz.check import check
from kibitz.convert import convert
from kibitz.demo import demo
from kibitz.doctor import doctor
from kibitz.memory import keep_freed
from kibitz.read import read
from kibitz.replay import replay
from kibitz.review import review
from kibitz.transcribe import transcribe
from kibitz.watch import watch

app = typer.Typer(
    help="Watches a real backgammon / nardy board: reads it, referees it, records it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
for command in (demo, read, transcribe, watch, calibrate, check, convert, analyse, review, replay, doctor):
    app.command()(command)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"kibitz {__version__}")
        raise typer.Exit


@app.callback()
def _main(version: bool = typer.Option(False, "--version", callback=_version, is_eager=True)) -> None:
    pass


def main() -> None:
    """Run a command; what goes wrong is one line with the mend, and a status that means something."""
    keep_freed()
    try:
        app()
    except KibitzError as error:
        sys.exit(_failed(str(error)))
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        what = error.filename or "the system"
        sys.exit(_failed(f"{what}: {error.strerror or error}; make room or check the path"))


def _failed(line: str) -> int:
    print(f"kibitz: {line}", file=sys.stderr)
    return 2
