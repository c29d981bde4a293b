"""The debug bundle: all that somebody needs to see why the referee said what it said."""

from __future__ import annotations

import io
import json
import platform
import zipfile
from pathlib import Path

from kibitz import __version__
from kibitz.snapshot import Snapshot, to_json

#: What a session's folder holds that may help; nothing else is taken.
KINDS = frozenset({".jsonl", ".json", ".png", ".jpg"})
#: A bundle should still fit into a mail; the newest pictures come first.
MOST_BYTES = 20_000_000


def bundle(folder: Path | None, snapshot: Snapshot, pictures: dict[str, bytes]) -> bytes:
    """A zip: the session's journal, calibration and pictures, and state and `pictures` of this moment."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("about.json", json.dumps(_about(snapshot), indent=2))
        file.writestr("snapshot.json", to_json(snapshot))
        for name, jpeg in pictures.items():
            file.writestr(f"now/{name}.jpg", jpeg)
        for path in _worth_taking(folder):
            file.write(path, f"session/{path.relative_to(folder or path)}")
    return data.getvalue()


def _about(snapshot: Snapshot) -> dict[str, str]:
    return {
        "kibitz": __version__,
        "python": platform.python_version(),
        "system": platform.platform(),
        "source": snapshot.source.url,
        "journal": snapshot.journal,
    }


def _worth_taking(folder: Path | None) -> list[Path]:
    """Journals and calibration first, then pictures from the newest on, for as long as there is room."""
    found = [p for p in folder.rglob("*") if p.suffix in KINDS and p.is_file()] if folder is not None else []
    rank = {p: (p.suffix in (".jpg", ".png"), -p.stat().st_mtime) for p in found}
    taken, room = [], MOST_BYTES
    for path in sorted(found, key=lambda p: rank[p]):
        room -= path.stat().st_size
        if room < 0:
            break
        taken.append(path)
    return taken
