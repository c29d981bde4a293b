"""Many views of each drawn board, made by the batch and on the device that learns: turned, mirrored, nearer
or farther, cut off, through another lens, in other colours, partly covered. With each view goes what the
network of `vision.board_net` must say of it.
"""

from __future__ import annotations

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.board_net import CELL, HEIGHT, WIDTH
from vision.synth_random import maybe, pick
from vision.training.corners_data import KEPT, Boards
from vision.training.corners_model import LOOK_MARGIN

#: How far beyond the board its coordinates are still taught, in board lengths.
BEYOND = 0.1
#: Share of the views through a lens, and its strengths (see `vision.lens`).
BENT, LENSES = 0.4, (-0.12, 0.4)
#: Share of the views in which the board is nearly straightened already.
NEAR = 0.5
#: Share of the views that something flat covers at a side or in the middle.
COVERED = 0.3
#: What is seen beyond the drawn picture, and how often.
PADDINGS, OFTEN = ("border", "zeros", "reflection"), (5, 4, 1)

Rng = np.random.Generator
Array = NDArray[np.float64]


def views(made: Boards, which: NDArray[np.int64], rng: Rng, device: str) -> tuple[Tensor, Tensor]:
    """A new view of each chosen board, N × 3 × HEIGHT × WIDTH (BGR, 0 … 1), and its answer, N × 6 × rows ×
    columns: board, taught, across, down, end-on, bar.
    """
    warps = np.stack(
        [_near(made.quads[k], made.bars[k], rng) if maybe(rng, NEAR) else _far(rng) for k in which]
    )
    lenses = np.where(rng.random(len(which)) < BENT, rng.uniform(*LENSES, len(which)), 0.0)
    lens = torch.from_numpy(lenses).float().to(device)
    pictures = torch.from_numpy(made.pictures[which]).to(device).permute(0, 3, 1, 2).float() / 255
    back = torch.from_numpy(np.linalg.inv(warps)).float().to(device)
    padding = pick(rng, PADDINGS, OFTEN)
    seen = _looked_up(pictures, _through(back, _straight(_grid(1, device), lens)), padding)
    told = _answers(made.quads[which], made.bars[which], warps, lens)
    return _recoloured(_covered(seen, rng), rng), told


def _grid(step: int, device: str) -> Tensor:
    """Middles of the cells of `step` pixels, rows × columns × 2 (x, y)."""
    x = torch.arange(0, WIDTH, step, device=device) + (step - 1) / 2
    y = torch.arange(0, HEIGHT, step, device=device) + (step - 1) / 2
    return torch.stack(torch.meshgrid(x, y, indexing="xy"), dim=-1)


def _straight(at: Tensor, lens: Tensor) -> Tensor:
    """Where places (rows × columns × 2) would be without the lens, N × rows × columns × 2."""
    middle = torch.tensor([WIDTH / 2, HEIGHT / 2], device=at.device)
    off = (at - middle) / (WIDTH / 2)
    grow = 1 + lens[:, None, None] * off.square().sum(-1)[None]
    return off[None] * grow[..., None] * (WIDTH / 2) + middle


def _through(homography: Tensor, at: Tensor) -> Tensor:
    """N × rows × columns × 2 places through N homographies."""
    moved = torch.einsum("nij,nrcj->nrci", homography[:, :, :2], at) + homography[:, None, None, :, 2]
    return moved[..., :2] / moved[..., 2:].clamp(min=1e-3)


def _looked_up(pictures: Tensor, at: Tensor, padding: str) -> Tensor:
    """The pictures' colours at places in pixels."""
    size = torch.tensor(KEPT, device=at.device)
    inside = (at + 0.5) / size * 2 - 1
    return nn.functional.grid_sample(pictures, inside, "bilinear", padding, align_corners=False)


def _far(rng: Rng) -> Array:
    """A whole picture as cameras give it."""
    warp: Array = _wander(rng) @ _centred(rng)
    return warp


def _near(quad: NDArray[np.float32], bar: np.float32, rng: Rng) -> Array:
    """The board straightened by a guess that is off by some of its size or by columns."""
    margin = np.array([WIDTH, HEIGHT]) * LOOK_MARGIN
    right, low = np.array([WIDTH, HEIGHT]) - margin
    target = np.array([margin, (right, margin[1]), (right, low), (margin[0], low)])
    off = rng.normal(0, pick(rng, (0.008, 0.03, 0.06)), (4, 2)) * (WIDTH, HEIGHT)
    column = (right - margin[0]) / (12 + float(bar))
    off += (column * pick(rng, (0, -1, 1), (6, 1, 1)), 0.0)
    target = np.roll(target, pick(rng, (0, 2)), axis=0) + off
    if maybe(rng, 0.5):
        target = target[[1, 0, 3, 2]]
    return np.asarray(cv2.getPerspectiveTransform(quad, target.astype(np.float32)), np.float64)


def _centred(rng: Rng) -> Array:
    """Drawn picture → the network's, turned by quarters and mirrored at times; the middle stays."""
    quarter = int(rng.choice(4, p=(0.7, 0.1, 0.1, 0.1)))
    mirror = np.diag([rng.choice((-1.0, 1.0)), rng.choice((-1.0, 1.0)), 1.0])
    turn = np.deg2rad(90 * quarter + rng.normal(0, 6))
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    fit = WIDTH / KEPT[0] if quarter % 2 == 0 else HEIGHT / KEPT[0]
    grow = fit * np.exp(rng.normal(0, 0.16))
    before = np.array([[1, 0, -KEPT[0] / 2], [0, 1, -KEPT[1] / 2], [0, 0, 1]])
    after: Array = np.diag([grow, grow, 1.0]) @ spin @ mirror @ before
    return after


def _wander(rng: Rng) -> Array:
    """A shift and a slight tilt."""
    tilt = rng.normal(0, 0.0006, 2)
    shift = rng.normal(0, 0.05, 2) * (WIDTH, HEIGHT) + (WIDTH / 2, HEIGHT / 2)
    stretch = np.exp(rng.normal(0, 0.06))
    place = np.array([[stretch, 0, shift[0]], [0, 1 / stretch, shift[1]], [0, 0, 1]])
    wandered: Array = place @ np.array([[1, 0, 0], [0, 1, 0], [tilt[0], tilt[1], 1]])
    return wandered


def _covered(seen: Tensor, rng: Rng) -> Tensor:
    """Flat patches: a stream's score panel, a sheet of paper, a sleeve."""
    for k in np.nonzero(rng.random(len(seen)) < COVERED)[0]:
        wide, tall = int(rng.uniform(0.06, 0.3) * WIDTH), int(rng.uniform(0.06, 1.0) * HEIGHT)
        left = pick(rng, (0, WIDTH - wide, int(rng.integers(0, WIDTH - wide))))
        top = int(rng.integers(0, HEIGHT - tall + 1))
        colour = torch.from_numpy(rng.random(3)).float().to(seen.device)
        seen[k, :, top : top + tall, left : left + wide] = colour[:, None, None]
    return seen


def _recoloured(seen: Tensor, rng: Rng) -> Tensor:
    """Other light and sharpness: gains, grey at times, channels exchanged at times, soft at times."""
    order = np.stack([rng.permutation(3) if rng.random() < 0.3 else np.arange(3) for _ in range(len(seen))])
    seen = seen[torch.arange(len(seen))[:, None], torch.from_numpy(order)]
    pick = torch.from_numpy(rng.random((2, len(seen), 1, 1, 1)) < 0.15).to(seen.device)
    seen = torch.where(pick[0], seen.mean(1, keepdim=True), seen)
    seen = torch.where(pick[1], nn.functional.avg_pool2d(seen, 3, 1, 1, count_include_pad=False), seen)
    gain = np.exp(rng.normal(0, 0.2, (len(seen), 1)) + rng.normal(0, 0.08, (len(seen), 3)))
    more = rng.normal(0, 6 / 255, (len(seen), 1))
    light = torch.from_numpy(np.stack([gain, np.broadcast_to(more, gain.shape)])).float().to(seen.device)
    return (seen * light[0, :, :, None, None] + light[1, :, :, None, None]).clamp(0, 1)


def in_picture_order(quad: Array) -> tuple[Array, bool]:
    """A board's corners clockwise from the picture's top left, and whether it is seen from its end."""
    if np.linalg.det(np.stack([quad[1] - quad[0], quad[2] - quad[1]])) < 0:
        quad = quad[[1, 0, 3, 2]]
    right = quad[1] + quad[2] - quad[0] - quad[3]
    end_on = bool(abs(right[1]) > abs(right[0]))
    if (right[1] > 0) if end_on else (right[0] < 0):
        quad = np.roll(quad, 2, axis=0)
    return (np.roll(quad, -1, axis=0) if end_on else quad), end_on


def corners_of(quads: NDArray[np.float32], warps: Array) -> tuple[Array, NDArray[np.bool_]]:
    """The boards' corners in views without a lens, N × 4 × 2 in picture order, and which are end-on."""
    moved = [
        cv2.perspectiveTransform(q.reshape(-1, 1, 2).astype(np.float64), w)
        for q, w in zip(quads, warps, strict=True)
    ]
    ordered = [in_picture_order(np.asarray(m, np.float64).reshape(4, 2)) for m in moved]
    return np.stack([quad for quad, _ in ordered]), np.array([end for _, end in ordered])


def _answers(quads: NDArray[np.float32], bars: NDArray[np.float32], warps: Array, lens: Tensor) -> Tensor:
    """What the network must say of each view."""
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    corners, end_on = corners_of(quads, warps)
    to_square = np.stack([cv2.getPerspectiveTransform(c.astype(np.float32), square) for c in corners])
    device = lens.device
    place = _through(
        torch.from_numpy(to_square).float().to(device), _straight(_grid(CELL, str(device)), lens)
    )
    outside = (place - 0.5).abs().amax(-1)
    shape = outside.shape
    ends = torch.from_numpy(end_on).float().to(device)[:, None, None].expand(shape)
    wide = torch.from_numpy(bars).float().to(device)[:, None, None].expand(shape)
    board, taught = (outside < 0.5).float(), (outside < 0.5 + BEYOND).float()
    return torch.stack([board, taught, place[..., 0], place[..., 1], ends, wide], dim=1).clamp(-1, 2)
