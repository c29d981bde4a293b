"""When to look for the doubling cube: between turns, seldom where none is, and at once when it has moved."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.looks import CubeLook
from referee.events import Seen, Still
from vision.cube import Cube, read_cube
from vision.geometry import HEIGHT, PITCH, BoardGeometry, Image, to_picture
from vision.lens import seen, unbent

#: Seconds between looks for the cube: where there is one, or something covers a point; after so many looks
#: that saw none; where it is new.
CUBE_OFTEN, CUBE_SOON, CUBE_RARELY, CUBE_AGAIN, CUBE_TRIES = 2.0, 1.0, 8.0, 0.4, 4
#: So many points that cannot be seen do not keep from looking for the cube.
FEW = 3
#: The place where the cube lay is compared so large (point widths), in so many pixels along each side; with
#: this mean change of grey it looks otherwise.
AROUND, PIXELS, CHANGED = 1.2, 16, 8.0

Patch = NDArray[np.float32]
RIGHT_UP = np.array([1.0, -1.0])


class CubeWatch:
    """Looks for the doubling cube now and then: between turns, and rarely where none was ever seen."""

    def __init__(self) -> None:
        self._looked = float("-inf")
        self._none = 0
        self._bare = self._beside = False
        self._last: CubeLook | None = None
        self._new = False
        self._lies: Cube | None = None
        self._looks_like: Patch | None = None

    def due(self, item: Seen | Still, image: Image, board: BoardGeometry) -> bool:
        """Whether it is time for a look: no dice lie there, no hand is over the board. The `image` is as the
        camera took it.
        """
        if isinstance(item, Seen):
            # a cube that was just put on the frame may itself look like a hand that comes in there
            self._beside = 0 < len(item.look.unseen) <= FEW
            covered = len(item.look.unseen) > FEW
            # one die alone may be a print
            self._bare = not (item.look.hand or len(item.look.dice or ()) > 1 or covered)
        waited = item.t - self._looked
        return self._bare and (waited >= self._wait() or (waited >= CUBE_AGAIN and self._gone(image, board)))

    def _wait(self) -> float:
        if self._none >= CUBE_TRIES:
            return CUBE_RARELY
        if self._new:
            return CUBE_AGAIN
        return CUBE_SOON if self._beside else CUBE_OFTEN

    def _gone(self, image: Image, board: BoardGeometry) -> bool:
        """Whether the place where the cube lay looks otherwise than at the last look."""
        if self._lies is None or self._looks_like is None:
            return False
        now = place_of(self._lies, image, board)
        return bool(np.abs(now - self._looks_like).mean() > CHANGED)

    def look(self, t: float, image: Image, board: BoardGeometry) -> CubeLook:
        """What is to be seen of the cube in a picture as the camera took it; what is new is looked at again
        soon.
        """
        cube = read_cube(unbent(image, board.lens), board)
        self._looked = t
        self._none = self._none + 1 if cube is None else 0
        self._lies = cube or self._lies
        self._looks_like = None if self._lies is None else place_of(self._lies, image, board)
        told = CubeLook(t, 0, 0.0, "") if cube is None else CubeLook(t, cube.value, cube.p, cube.where)
        known = self._last is not None and (told.value, told.where) == (self._last.value, self._last.where)
        self._new, self._last = not known and cube is not None, told
        return told


def place_of(cube: Cube, image: Image, board: BoardGeometry) -> Patch:
    """The place of a cube in grey (`PIXELS` × `PIXELS`), from a picture as the camera took it."""
    middle, half = np.array([cube.x * board.width, cube.y * HEIGHT]), AROUND * PITCH / 2
    corners = to_picture(board, np.array([middle - half, middle + half * RIGHT_UP, middle + half]))
    places = seen(corners, board.lens, (image.shape[1], image.shape[0]))
    size = PIXELS - 1
    way = cv2.getAffineTransform(
        places.astype(np.float32), np.array([[0, 0], [size, 0], [size, size]], np.float32)
    )
    patch = cv2.warpAffine(image, way, (PIXELS, PIXELS), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), np.float32)
