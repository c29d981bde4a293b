"""The board network: a whole picture → where the board is, and which of its places each cell shows."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from vision.board_net import CELL, HEIGHT, WIDTH
from vision.training.points_model import block

#: Room around a board that fills the picture as usual, as a share of it.
LOOK_MARGIN = 0.12
#: Rows and columns of cells.
ROOM = (HEIGHT // CELL, WIDTH // CELL)
#: Answers for each cell: board (logit), across, down (0-1), end-on (logit), bar width.
ANSWERS = 5


class BoardNet(nn.Module):
    """N × 3 × 160 × 192 (BGR, 0 … 1) → N × 5 × 40 × 48. Cells know where they are: without that, places
    are hard to say.
    """

    where: Tensor
    usual: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.quarter = nn.Sequential(block(5, 16, 2, 5), block(16, 24, 2), block(24, 24))
        self.eighth = nn.Sequential(block(24, 48, 2), block(48, 48))
        self.sixteenth = nn.Sequential(block(48, 72, 2), block(72, 72))
        self.whole = nn.Sequential(block(72, 80, 2), block(80, 80))
        self.rise = nn.ModuleList([_rise(80, 72), _rise(72, 48), _rise(48, 24)])
        self.blend = nn.ModuleList([block(72, 72), block(48, 48), block(24, 32)])
        self.say = nn.Conv2d(32, ANSWERS, 1)
        self.register_buffer("where", places(1) - 0.5, persistent=False)
        self.register_buffer("usual", torch.cat([torch.zeros(1, 1, *ROOM), places(CELL), _rest()], 1), False)

    def forward(self, pictures: Tensor) -> Tensor:
        """The five answers for each cell."""
        where = self.where.expand(len(pictures), -1, -1, -1)
        steps = [self.quarter(torch.cat([pictures - 0.5, where], 1))]
        for down in (self.eighth, self.sixteenth):
            steps.append(down(steps[-1]))
        seen = self.whole(steps[-1])
        for rise, blend, fine in zip(self.rise, self.blend, reversed(steps), strict=True):
            seen = blend(rise(seen) + fine)
        return self.say(seen) + self.usual


def places(step: int) -> Tensor:
    """Across and down (0-1) of each cell for a board that lies straight, 1 × 2 × rows × columns."""
    x, y = (
        ((torch.arange(0, size, step) + step / 2) / size - LOOK_MARGIN) / (1 - 2 * LOOK_MARGIN)
        for size in (WIDTH, HEIGHT)
    )
    return torch.stack(torch.meshgrid(x, y, indexing="xy"))[None]


def _rest() -> Tensor:
    """What is usual of end-on (never) and of the bar (one point width)."""
    return torch.tensor([-2.0, 1.0]).reshape(1, 2, 1, 1).expand(1, 2, *ROOM)


def _rise(into: int, out: int) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(into, out, 1), nn.Upsample(scale_factor=2, mode="nearest"))


def loss_of(said: Tensor, told: Tensor) -> Tensor:
    """`told` N × 6 × rows × columns as `vision.training.corners_views.views` gives it."""
    board, taught = told[:, 0], told[:, 1]
    share = taught.sum().clamp(min=1)
    there = nn.functional.binary_cross_entropy_with_logits(said[:, 0], board)
    place = nn.functional.smooth_l1_loss(said[:, 1:3], told[:, 2:4], reduction="none", beta=0.02).sum(1)
    end_on = nn.functional.binary_cross_entropy_with_logits(said[:, 3], told[:, 4], reduction="none")
    bar = (said[:, 4] - told[:, 5]).abs()
    return there + ((3 * place + 0.2 * end_on + 0.3 * bar) * taught).sum() / share
