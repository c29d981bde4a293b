"""The command line: every command in one place, and one way to fail."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

import typer

from engine.errors import KibitzError
from kibitz import __version__
from kibitz.memory import end_quickly, keep_freed

#: Each is a function in a module of its name.
COMMANDS = (
    "demo", "read", "transcribe", "watch", "calibrate", "check", "convert", "analyse", "review", "replay",
    "doctor",
)  # fmt: skip


def program(commands: Sequence[str] = COMMANDS) -> typer.Typer:
    """The command line with some commands; only their modules are loaded."""
    app = typer.Typer(
        help="Watches a real backgammon / nardy board: reads it, referees it, records it.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        add_completion=False,
    )
    app.callback()(_main)
    for name in commands:
        app.command()(getattr(import_module(f"kibitz.{name}"), name))
    return app


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"kibitz {__version__}")
        raise typer.Exit


def _main(version: bool = typer.Option(False, "--version", callback=_version, is_eager=True)) -> None:
    pass


def main() -> None:
    """Run a command; what goes wrong is one line with the mend, and a status that means something."""
    keep_freed()
    asked = [name for name in COMMANDS if sys.argv[1:2] == [name]]
    try:
        program(asked or COMMANDS)()
    except KibitzError as error:
        sys.exit(_failed(str(error)))
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        what = error.filename or "the system"
        sys.exit(_failed(f"{what}: {error.strerror or error}; make room or check the path"))
    finally:
        end_quickly()


def _failed(line: str) -> int:
    print(f"kibitz: {line}", file=sys.stderr)
    return 2
