"""The point network: a quarter of a board → six counts, whether they are hidden, and where faces are."""

from __future__ import annotations

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.net_view import CELL, FINE, QUARTER_HEIGHT

COUNTS = 16
#: How far tones are spread at most, and in how many parts (across, along) of a picture each for itself.
SPREAD, TILES = 2.0, (2, 2)


def block(into: int, out: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    """Convolution, normalisation, ReLU."""
    return nn.Sequential(
        nn.Conv2d(into, out, size, stride, size // 2, bias=False), nn.BatchNorm2d(out), nn.ReLU(inplace=True)
    )


def risen(into: int, out: int) -> nn.Sequential:
    """Twice as large."""
    return nn.Sequential(nn.Conv2d(into, out, 1), nn.Upsample(scale_factor=2, mode="nearest"))


class Added(nn.Module):
    """A convolution whose answer is added to what it was given: deep networks learn faster so."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.more = block(size, size)

    def forward(self, maps: Tensor) -> Tensor:
        """N × size × H × W → the same shape."""
        more: Tensor = self.more(maps)
        return maps + more


class PointNet(nn.Module):
    """N × 3 × 176 × 176 (BGR, 0 … 1) → N × (counts + 1) × 6 logits, N × 2 × 44 × 44 face logits.

    The last of the logits says hidden; the first face map holds what the frame covers of a checker, too. Both
    work for views of any width that 16 divides.
    """

    def __init__(self, counts: int = COUNTS) -> None:
        super().__init__()
        self.fine = nn.Sequential(block(3, 16, 2), block(16, 24, 2), block(24, 24))
        self.middle = nn.Sequential(block(24, 64, 2), Added(64))
        self.deep = nn.Sequential(block(64, 96, 2), Added(96), Added(96), Added(96))
        self.deep_up, self.middle_up = risen(96, 64), risen(48, 24)
        self.joined = block(64, 48)
        self.faces = nn.Sequential(block(24, 16), nn.Conv2d(16, 2, 1))
        # A point is three columns wide here and judged with two more on either side.
        self.judge = nn.Sequential(
            nn.Conv2d(48, 48, (1, 7), (1, FINE // 8), bias=False),
            nn.BatchNorm2d(48),
            nn.ReLU(inplace=True),
            nn.Dropout(0.1),
            nn.Conv2d(48, 128, (QUARTER_HEIGHT // 8, 1), bias=False),
            nn.BatchNorm2d(128),
            nn.ReLU(inplace=True),
            nn.Conv2d(128, counts + 1, 1),
            nn.Flatten(2),
        )

    def forward(self, views: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of counts and hidden, and of the face map."""
        fine = self.fine(views - 0.5)
        middle = self.middle(fine)
        joined = self.joined(middle + self.deep_up(self.deep(middle)))
        return self.judge(joined), self.faces(fine + self.middle_up(joined))


def augmented(views: Tensor, chance: torch.Generator) -> Tensor:
    """Pictures in other colours: gains, channels exchanged, overexposed, noisy. N × 3 × H × W, 0 … 1."""
    n, device = views.shape[0], views.device

    def drawn(*shape: int) -> Tensor:
        return torch.randn(n, *shape, generator=chance).to(device)

    gain = torch.exp(0.18 * drawn(1, 1, 1) + 0.12 * drawn(3, 1, 1))
    views = views * gain + 0.04 * drawn(3, 1, 1)
    turn = (torch.rand(n, generator=chance) < 0.3).to(device)
    order = torch.randperm(3, generator=chance).to(device)
    views = torch.where(turn[:, None, None, None], views[:, order], views)
    return views.clamp(0, 1)


def toned(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A picture (BGR), its lightness spread where it is crowded: white on white stands out."""
    lab = cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_BGR2LAB)
    lab[:, :, 0] = cv2.createCLAHE(SPREAD, TILES).apply(lab[:, :, 0])
    return np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2BGR), np.uint8)


def toned_some(views: Tensor, share: float, chance: torch.Generator) -> Tensor:
    """Pictures (N × 3 × H × W, 0 … 1), a share of them with their tones spread."""
    turn = torch.rand(len(views), generator=chance) < share
    for k in torch.nonzero(turn).flatten().tolist():
        picture = (views[k].permute(1, 2, 0) * 255).round().to(torch.uint8).numpy()
        views[k] = torch.from_numpy(toned(picture)).permute(2, 0, 1).float() / 255
    return views


def moved(chance: torch.Generator, views: Tensor, faces: Tensor) -> tuple[Tensor, Tensor]:
    """A batch and its face maps moved by a cell or not at all: corners are never quite right."""
    down, right = (int(n) for n in torch.randint(-1, 2, (2,), generator=chance))
    return views.roll((CELL * down, CELL * right), (2, 3)), faces.roll((down, right), (2, 3))


def mirrored(
    turn: Tensor, views: Tensor, counts: Tensor, hidden: Tensor, faces: Tensor
) -> tuple[Tensor, ...]:
    """Those of a batch that `turn` (N) names, left and right exchanged."""
    return tuple(
        torch.where(turn.view(-1, *[1] * (part.dim() - 1)), part.flip(-1), part)
        for part in (views, counts, hidden, faces)
    )
