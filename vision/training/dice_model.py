"""The dice networks in PyTorch: a finder for dice and cubes, and readers for one or the other."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from vision.dice_nets import CROP

#: What a reader answers: nothing or one of six values, leaning, the six values on the sides, and where the
#: thing lies. A miss of that by a crop's width weighs so much.
ANSWERS, PLACE_WEIGHT = 17, 3.0


def conv(inward: int, outward: int, stride: int = 1, apart: int = 1, size: int = 3) -> list[nn.Module]:
    """Convolution, normalised and rectified."""
    layer = nn.Conv2d(inward, outward, size, stride, apart * (size // 2), apart, bias=False)
    return [layer, nn.BatchNorm2d(outward), nn.ReLU()]


def finder() -> nn.Module:
    """Straightened view → logits of die and cube, dx, dy, log size for each cell of 8 × 8 pixels."""
    head = nn.Conv2d(40, 5, 1)
    assert head.bias is not None
    nn.init.constant_(head.bias, -2.0)
    body = [*conv(3, 8, 2), *conv(8, 24, 2), *conv(24, 40, 2), *conv(40, 40), *conv(40, 40, apart=2)]
    return nn.Sequential(*body, *conv(40, 40), head)


def reader() -> nn.Module:
    """Crop with the lean as a fourth layer → `ANSWERS` numbers, logits of nothing and 1-6 first."""
    body = [*conv(4, 24, 2, size=5), *conv(24, 24), *conv(24, 48, 2), *conv(48, 48), *conv(48, 64, 2)]
    seen = [*body, *conv(64, 64), nn.Flatten(), nn.Dropout(0.2)]
    return nn.Sequential(*seen, nn.Linear(64 * (CROP // 8) ** 2, 128), nn.ReLU(), nn.Linear(128, ANSWERS))


def normal(images: Tensor) -> Tensor:
    """Pictures (N × H × W × 3, 0-255) → N × 3 × H × W with mean 0 and deviation 1 each."""
    x = images.permute(0, 3, 1, 2).float()
    mean = x.mean((1, 2, 3), keepdim=True)
    deviation = x.std((1, 2, 3), keepdim=True)
    return ((x - mean) / (deviation + 4)).contiguous(memory_format=torch.channels_last)


def with_lean(x: Tensor, leans: Tensor) -> Tensor:
    """Normalised crops with the camera's lean as a fourth layer."""
    layer = leans.view(-1, 1, 1, 1).expand(-1, 1, *x.shape[2:])
    return torch.cat([x, layer], 1)


def find_loss(said: Tensor, maps: Tensor) -> Tensor:
    """Cross entropy of where a die is, and distance of place and size where one is; by patch."""
    wanted, weight = maps[:, :2], maps[:, 2:3]
    cross = nn.functional.binary_cross_entropy_with_logits(said[:, :2], wanted, reduction="none")
    here = (cross * weight * (1 + 3 * wanted)).sum((1, 2, 3))
    off = ((said[:, 2:] - maps[:, 3:]).abs() * wanted.sum(1, keepdim=True)).sum((1, 2, 3))
    return here + 1.5 * off


def read_loss(said: Tensor, labels: Tensor) -> Tensor:
    """Cross entropy of nothing or a value; what cannot be told should spread over six values; by crop."""
    log = said[:, :7].log_softmax(1)
    unsure = (labels == 7).float()
    named = -log.gather(1, labels.clamp(max=6).unsqueeze(1))[:, 0]
    return named * (1 - unsure) - 0.5 * unsure * log[:, 1:7].mean(1)


def marks_loss(said: Tensor, cocked: Tensor, shown: Tensor) -> Tensor:
    """Cross entropy of leaning, and of the values that the sides show; -1 is not asked."""
    wanted = torch.cat([cocked.unsqueeze(1), shown], 1)
    cross = nn.functional.binary_cross_entropy_with_logits(
        said[:, 7:14], wanted.clamp(min=0), reduction="none"
    )
    weights = torch.tensor([0.5] + [0.1] * 6, device=said.device)
    return (cross * (wanted >= 0) * weights).sum(1)


def place_loss(said: Tensor, places: Tensor) -> Tensor:
    """How far off the place is (`dice_nets.Read.place`), by crop; what is not a number is not asked."""
    off = (said[:, 14:] - places.nan_to_num()).abs().sum(1)
    return PLACE_WEIGHT * off * places[:, 0].isfinite()
