"""Whether a recording is one in which hardly anything lies still, so that little of it was read.

A time lapse that plays fast is such a film: one picture follows the other as in any film, but each shows
another throw or play. It is read with `--lapse`, which takes every picture for itself.
"""

from __future__ import annotations

from kibitz.looks import Recording
from referee.events import Seen, Still

#: Such a share of the time something moves in such a film, if it lasts so long (seconds). In a game at four
#: times its pace, which is still read, something moves 0.62 of the time; at six times, which is not, 0.75.
RESTLESS, LEAST = 0.68, 5.0


def restless(recording: Recording) -> bool:
    """Whether next to nothing lay still in it."""
    lasted = recording.until - recording.head.learned_at
    return lasted >= LEAST and _moving(recording) > RESTLESS * lasted


def _moving(recording: Recording) -> float:
    """Seconds in which something moved."""
    moving, since = 0.0, None
    for item in recording.looks:
        t = item.t if isinstance(item, Still) else item.look.t
        if isinstance(item, Seen) and item.look.hand and not any(b.seen for b in item.look.points):
            since = t if since is None else since
        elif since is not None:
            moving, since = moving + t - since, None
    return moving if since is None else moving + recording.until - since
