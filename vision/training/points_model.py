"""The point network: a strip → its count, whether it is hidden, and where its checkers' faces are."""

from __future__ import annotations

import torch
from torch import Tensor, nn

COUNTS = 16


def block(into: int, out: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    """Convolution, normalisation, ReLU."""
    return nn.Sequential(
        nn.Conv2d(into, out, size, stride, size // 2, bias=False), nn.BatchNorm2d(out), nn.ReLU(inplace=True)
    )


class PointNet(nn.Module):
    """N × 3 × height × 40 (BGR, 0 … 1) → N × (counts + 1) logits, N × 1 × height/4 × 10 face logits.

    The last of the logits says hidden. `rows` is height / 8.
    """

    def __init__(self, rows: int, counts: int = COUNTS) -> None:
        super().__init__()
        self.fine = nn.Sequential(block(3, 16, 2, 5), block(16, 16), block(16, 32, 2), block(32, 32))
        self.deep = nn.Sequential(block(32, 64, 2), block(64, 64))
        self.rise = nn.Sequential(nn.Conv2d(64, 32, 1), nn.Upsample(scale_factor=2, mode="nearest"))
        self.faces = nn.Sequential(block(32, 16), nn.Conv2d(16, 1, 1))
        self.across = nn.Sequential(
            nn.Conv2d(64, 48, (1, 5), bias=False), nn.BatchNorm2d(48), nn.ReLU(inplace=True)
        )
        self.judge = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(48 * rows, 96),
            nn.ReLU(inplace=True),
            nn.Linear(96, counts + 1),
        )

    def forward(self, strips: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of counts and hidden, and of the face map."""
        fine = self.fine(strips - 0.5)
        deep = self.deep(fine)
        faces = self.faces(fine + self.rise(deep))
        return self.judge(self.across(deep)), faces


def augmented(strips: Tensor, chance: torch.Generator) -> Tensor:
    """Pictures in other colours: gains, channels exchanged, mirrored. N × 3 × H × W, 0 … 1."""
    n = strips.shape[0]

    def normal(*shape: int) -> Tensor:
        return torch.randn(n, *shape, generator=chance)

    gain = torch.exp(0.18 * normal(1, 1, 1) + 0.12 * normal(3, 1, 1))
    strips = strips * gain + 0.04 * normal(3, 1, 1)
    turn = torch.rand(n, generator=chance) < 0.4
    order = torch.randperm(3, generator=chance)
    strips = torch.where(turn[:, None, None, None], strips[:, order], strips)
    flip = torch.rand(n, generator=chance) < 0.5
    strips = torch.where(flip[:, None, None, None], strips.flip(3), strips)
    return strips.clamp(0, 1)
