"""Whether camera or board were pushed, and where the board is then."""

from __future__ import annotations

from vision.calibrate import Calibrated
from vision.corners import refine
from vision.geometry import BoardGeometry, Image
from vision.lens import unbent
from vision.register import Anchor, Homography, anchor, far, moved, shifted
from vision.source import Frame
from vision.watch import Watcher

#: Seconds between checks, and checks in a row that must say the same: a hand may look like a push once.
BETWEEN = 0.4
IN_A_ROW = 2


class PlaceWatch:
    """Follows one board through its frames; the first frame seen is the reference."""

    def __init__(self) -> None:
        self._anchor: Anchor | None = None
        self._checked = float("-inf")
        self._found = 0

    def frame(self, frame: Frame, watcher: Watcher) -> Watcher | None:
        """A new watcher when the board has moved for sure, else None."""
        if frame.t - self._checked < BETWEEN:
            return None
        self._checked = frame.t
        image = unbent(frame.image, watcher.board.lens)
        if self._anchor is None:
            self._anchor = anchor(image, watcher.board)
            return None
        way = moved(self._anchor, image)
        self._found = 0 if way is None else self._found + 1
        if way is None or self._found < IN_A_ROW:
            return None
        board = self._there(image, self._anchor.board, way)
        self._anchor, self._found = anchor(image, board), 0
        return Watcher(Calibrated(board, watcher.learned, ()))

    @staticmethod
    def _there(image: Image, before: BoardGeometry, way: Homography) -> BoardGeometry:
        """The board after its move. Few places can be followed far, and they say roughly where it went."""
        board = shifted(before, way)
        return refine(image, board) if far(before, board) else board
