"""A small network's idea of where the board is: for blurred, dim or odd boards whose spikes are hard to see.

For each cell of the picture it says whether the board is there and which place of the board it shows; a
homography through all cells gives the corners, even where they lie outside the picture or under a hand. The
result is rough (a few percent); `vision.corners_fit` does the rest.
"""

from __future__ import annotations

#: What the network sees, pixels, and the side of a cell.
WIDTH, HEIGHT, CELL = 192, 160, 4
