"""Trains the two small networks of `vision.dice` on invented dice: one finds them, one reads them.

    python -m venv /tmp/venv && /tmp/venv/bin/pip install torch==2.13.0 onnx opencv-python-headless
    /tmp/venv/bin/python -m vision.training.dice --out vision/models

Both are made from nothing in about a quarter of an hour on one core. No real picture is used.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.dice_nets import CELL, CROP, FINE, USUAL_SIDE
from vision.geometry import Image
from vision.training.dice_scene import CANVAS, Rng, Truth, weather
from vision.training.dice_table import Spot, scene

SEED = 20261129
SCENES = 10000
CHUNK = 250
BATCH, PEAK = 64, 4e-3
PATCH = round(CANVAS / FINE)
GRID = PATCH // CELL
#: Reader labels beside 1-6 for dice and 7-12 for cubes: nothing; a die or a cube that cannot be told.
NONE, UNSURE, BLURRED_CUBE = 0, 13, 14


class Samples(NamedTuple):
    """Finder patches with their target maps (die, cube, weight, dx, dy, log size), reader crops, labels.

    `leans` is 1 for a cocked die, 0 for one that lies flat, -1 where that is not known.
    """

    patches: NDArray[np.uint8]
    maps: NDArray[np.float32]
    crops: NDArray[np.uint8]
    labels: NDArray[np.int64]
    leans: NDArray[np.float32]


def chunk(seed: int) -> Samples:
    """The samples of `CHUNK` scenes."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng([SEED, seed])
    patches, maps, crops = [], [], []
    for _ in range(CHUNK):
        canvas, truths, traps, blur = scene(rng)
        stretch = rng.uniform(0.87, 1.15)
        image = weather(rng, canvas)
        patches.append(find_patch(image, stretch))
        maps.append(target(truths, stretch))
        crops += read_samples(rng, image, truths, traps, blur, stretch)
    pictures, labels, leans = zip(*crops, strict=True)
    return Samples(
        np.array(patches), np.array(maps), np.array(pictures), np.array(labels), np.array(leans, np.float32)
    )


def find_patch(image: Image, stretch: float) -> Image:
    """A scene as the finder sees it, stretched as for a board whose sides are not well known."""
    step = np.diag([FINE * stretch, FINE / stretch])
    start = CANVAS / 2 - step @ np.array([PATCH / 2, PATCH / 2])
    soft = cv2.blur(image, (FINE, FINE))
    patch = cv2.warpAffine(
        soft,
        np.column_stack([step, start]),
        (PATCH, PATCH),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REFLECT,
    )
    return np.asarray(patch, np.uint8)


def target(truths: list[Truth], stretch: float) -> NDArray[np.float32]:
    """What the finder should say for a patch: 6 × GRID × GRID."""
    middle = CANVAS / 2
    truths = [
        t._replace(x=middle + (t.x - middle) / stretch, y=middle + (t.y - middle) * stretch) for t in truths
    ]
    wanted = np.zeros((6, GRID, GRID), np.float32)
    wanted[2] = 1
    y, x = np.mgrid[0:GRID, 0:GRID].astype(np.float32) + 0.5
    for t in truths:
        cx, cy, side = t.x / FINE / CELL, t.y / FINE / CELL, t.side / FINE
        wanted[2][np.hypot(x - cx, y - cy) < max(0.5 * side / CELL, 0.8)] = 0
    for t in truths:
        cx, cy, side = t.x / FINE / CELL, t.y / FINE / CELL, t.side / FINE
        i, j = int(cy), int(cx)
        if 0 <= i < GRID and 0 <= j < GRID and 0 <= cx < GRID and 0 <= cy < GRID:
            cube = t.kind == "cube"
            wanted[:, i, j] = (not cube, cube, 1, cx - j - 0.5, cy - i - 0.5, np.log(side / USUAL_SIDE))
    return wanted


Crop = tuple[Image, int, float]


def read_samples(
    rng: Rng, image: Image, truths: list[Truth], traps: list[Spot], blur: float, stretch: float
) -> list[Crop]:
    """Crops of the dice of a scene, and of places where there is none."""
    found: list[Crop] = []
    for t in truths:
        if max(abs(t.x - CANVAS / 2), abs(t.y - CANVAS / 2)) > CANVAS / 2 - 0.4 * t.side:
            continue
        label, lean = _label(t, blur), -1.0 if t.kind == "cube" else float(t.kind == "cocked")
        found += [(cut(rng, image, t.x, t.y, t.side, stretch), label, lean) for _ in range(2)]
        if t.kind == "cube" and rng.random() < 0.5:
            found.append((cut(rng, image, t.x, t.y, t.side * rng.uniform(0.3, 0.5), stretch), NONE, -1.0))
    side = truths[0].side if truths else rng.uniform(30, 72)
    traps = [t for t in traps if min(t) >= 0 and max(t) < CANVAS]
    places = [traps[int(k)] for k in rng.permutation(len(traps))[:2]]
    places += [(int(a), int(b)) for a, b in rng.uniform(0, CANVAS, (1, 2))]
    for a, b in places:
        x, y = a + rng.normal(0, 0.2 * side), b + rng.normal(0, 0.2 * side)
        if all(np.hypot(x - t.x, y - t.y) > 1.0 * t.side for t in truths):
            found.append((cut(rng, image, x, y, side, stretch), NONE, -1.0))
    return found


def _label(t: Truth, blur: float) -> int:
    if t.kind == "cube":
        return BLURRED_CUBE if blur > 0.5 else 6 + t.value
    return UNSURE if t.kind == "cocked" or blur > 0.3 else t.value


def cut(rng: Rng, image: Image, x: float, y: float, side: float, stretch: float) -> Image:
    """A crop around a place, some way off its middle, from closer or farther."""
    span = side * (rng.uniform(0.8, 3.0) if rng.random() < 0.3 else 1.7 * np.exp(rng.normal(0, 0.2)))
    slack = 0.14 * side if rng.random() < 0.8 else 0.5 * max(span - 1.2 * side, 0.2 * side)
    cx, cy = x + rng.uniform(-slack, slack), y + rng.uniform(-slack, slack)
    a = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    step = turn @ np.diag([stretch, 1 / stretch]) * span / CROP
    start = np.array([cx, cy]) - step @ np.array([CROP / 2, CROP / 2])
    matrix = np.column_stack([step, start])
    crop = cv2.warpAffine(
        image,
        matrix,
        (CROP, CROP),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(crop, np.uint8)


def conv(inward: int, outward: int, stride: int = 1, apart: int = 1, size: int = 3) -> list[nn.Module]:
    """Convolution, normalised and rectified."""
    layer = nn.Conv2d(inward, outward, size, stride, apart * (size // 2), apart, bias=False)
    return [layer, nn.BatchNorm2d(outward), nn.ReLU()]


def finder() -> nn.Module:
    """Straightened view → logits of die and cube, dx, dy, log size for each cell of 8 × 8 pixels."""
    head = nn.Conv2d(32, 5, 1)
    assert head.bias is not None
    nn.init.constant_(head.bias, -2.0)
    body = [*conv(3, 8, 2), *conv(8, 16, 2), *conv(16, 32, 2), *conv(32, 32), *conv(32, 32, apart=2)]
    return nn.Sequential(*body, head)


def reader() -> nn.Module:
    """Crop → logits of nothing, 1-6, the cube's 2-64, and of leaning."""
    body = [*conv(3, 24, 2, size=5), *conv(24, 24), *conv(24, 48, 2), *conv(48, 48), *conv(48, 64, 2)]
    return nn.Sequential(*body, nn.Flatten(), nn.Dropout(0.2), nn.Linear(64 * (CROP // 8) ** 2, 14))


def normal(images: Tensor) -> Tensor:
    """Pictures (N × H × W × 3, 0-255) → N × 3 × H × W with mean 0 and deviation 1 each."""
    x = images.permute(0, 3, 1, 2).float()
    mean = x.mean((1, 2, 3), keepdim=True)
    deviation = x.std((1, 2, 3), keepdim=True)
    return ((x - mean) / (deviation + 4)).contiguous(memory_format=torch.channels_last)


def shuffled(x: Tensor, rng: Rng) -> Tensor:
    """The colours exchanged, at times the tones turned over."""
    x = x[:, torch.from_numpy(rng.permutation(3))]
    return -x if rng.random() < 0.15 else x


def flip(x: Tensor, maps: Tensor, rng: Rng) -> tuple[Tensor, Tensor]:
    """A batch of finder patches and maps mirrored or turned alike."""
    if rng.random() < 0.5:
        x, maps = x.flip(3), maps.flip(3) * torch.tensor([1, 1, 1, -1, 1, 1.0]).view(1, 6, 1, 1)
    if rng.random() < 0.5:
        x, maps = x.flip(2), maps.flip(2) * torch.tensor([1, 1, 1, 1, -1, 1.0]).view(1, 6, 1, 1)
    if rng.random() < 0.5:
        x, maps = x.transpose(2, 3), maps.transpose(2, 3)[:, [0, 1, 2, 4, 3, 5]]
    return x, maps


def find_loss(said: Tensor, maps: Tensor) -> Tensor:
    """Cross entropy of where a die is, and distance of place and size where one is; by patch."""
    wanted, weight = maps[:, :2], maps[:, 2:3]
    cross = nn.functional.binary_cross_entropy_with_logits(said[:, :2], wanted, reduction="none")
    here = (cross * weight * (1 + 3 * wanted)).sum((1, 2, 3))
    off = ((said[:, 2:] - maps[:, 3:]).abs() * wanted.sum(1, keepdim=True)).sum((1, 2, 3))
    return here + off


def read_loss(said: Tensor, labels: Tensor, leans: Tensor) -> Tensor:
    """Cross entropy of the value; what cannot be told should spread over six values; by crop."""
    log = said[:, :13].log_softmax(1)
    die, cube = (labels == UNSURE).float(), (labels == BLURRED_CUBE).float()
    spread = -(die * log[:, 1:7].mean(1) + cube * log[:, 7:].mean(1))
    named = -log.gather(1, labels.clamp(max=12).unsqueeze(1))[:, 0] * (1 - die - cube)
    lean = nn.functional.binary_cross_entropy_with_logits(said[:, 13], leans.clamp(min=0), reduction="none")
    return named + 0.5 * spread + 0.3 * lean * (leans >= 0)


def fit_finder(data: Samples, epochs: int) -> nn.Module:
    """Train the finder."""
    torch.manual_seed(SEED)
    rng, net = np.random.default_rng(SEED), finder()
    images, maps = torch.from_numpy(data.patches), torch.from_numpy(data.maps)

    def loss(index: Tensor) -> Tensor:
        x, wanted = flip(shuffled(normal(images[index]), rng), maps[index], rng)
        spread = torch.from_numpy(rng.normal(1, 0.15, (len(x), 1, 1, 1)).astype(np.float32))
        return find_loss(net(x * spread), wanted)

    _fit(net, loss, len(images), epochs, rng, known=0.0)
    return net.eval()


def fit_reader(data: Samples, epochs: int) -> nn.Module:
    """Train the reader."""
    torch.manual_seed(SEED)
    rng, net = np.random.default_rng(SEED), reader()
    images, labels, leans = (torch.from_numpy(a) for a in (data.crops, data.labels, data.leans))

    def loss(index: Tensor) -> Tensor:
        x = shuffled(normal(images[index]), rng)
        x = x.flip(3) if rng.random() < 0.5 else x
        x = x.transpose(2, 3) if rng.random() < 0.5 else x
        return read_loss(net(x), labels[index], leans[index])

    _fit(net, loss, len(images), epochs, rng, known=0.05)
    return net.eval()


def _fit(
    net: nn.Module, loss: Callable[[Tensor], Tensor], count: int, epochs: int, rng: Rng, known: float
) -> None:
    """Train for some epochs; of the samples whose loss fell below `known` only one in five is shown again."""
    net.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), 0.0, weight_decay=1e-3)
    last = np.full(count, np.inf)
    for epoch in range(epochs):
        shown = np.flatnonzero((last > known) | (rng.random(count) < 0.2))
        batches = np.array_split(rng.permutation(shown), max(len(shown) // BATCH, 1))
        for k, batch in enumerate(batches):
            optimiser.param_groups[0]["lr"] = PEAK * _slope((epoch + k / len(batches)) / epochs)
            optimiser.zero_grad()
            each = loss(torch.from_numpy(batch))
            each.mean().backward()
            optimiser.step()
            last[batch] = each.detach().numpy()
        print(f"epoch {epoch + 1}/{epochs}: {len(shown)} shown, loss {last[shown].mean():.4f}", flush=True)


def _slope(progress: float) -> float:
    """Learning rate over the training, 0-1: a short rise, then a cosine down to almost nothing."""
    return min(progress / 0.1 + 0.02, 1.0) * (0.5 + 0.5 * math.cos(math.pi * progress)) + 1e-3


def save(net: nn.Module, path: Path, shape: tuple[int, ...], recipe: dict[str, object]) -> None:
    """Write a network as ONNX, its recipe and the hash of its weights in the metadata."""
    net = net.to(memory_format=torch.contiguous_format)
    axes = {"x": {0: "n"}} if shape[2] == CROP else {"x": {2: "h", 3: "w"}}
    torch.onnx.export(
        net,
        (torch.zeros(shape),),
        str(path),
        dynamo=False,
        input_names=["x"],
        output_names=["y"],
        dynamic_axes=axes,
    )
    model = onnx.load(path)
    weights = b"".join(t.raw_data for t in model.graph.initializer)
    told = {**recipe, "sha256": hashlib.sha256(weights).hexdigest()}
    onnx.helper.set_model_props(model, {"kibitz": json.dumps(told)})
    onnx.save(model, path)


def samples(scenes: int, workers: int) -> Samples:
    """All samples, the same whatever the number of workers."""
    with ProcessPoolExecutor(workers) as pool:
        parts = list(pool.map(chunk, range(scenes // CHUNK)))
    return Samples(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def main() -> None:
    """Draw, train, save."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--out", type=Path, default=Path("vision/models"))
    options.add_argument("--scenes", type=int, default=SCENES)
    options.add_argument("--workers", type=int, default=1)
    options.add_argument("--finder-epochs", type=int, default=14)
    options.add_argument("--reader-epochs", type=int, default=8)
    told = options.parse_args()
    torch.set_num_threads(1)
    data = samples(told.scenes, told.workers)
    print(
        f"{len(data.patches)} patches, {len(data.crops)} crops, labels {np.bincount(data.labels)}", flush=True
    )
    recipe: dict[str, object] = {"seed": SEED, "scenes": told.scenes, "torch": torch.__version__}
    told.out.mkdir(parents=True, exist_ok=True)
    find = fit_finder(data, told.finder_epochs)
    save(find, told.out / "dice_find.onnx", (1, 3, PATCH, PATCH), {**recipe, "epochs": told.finder_epochs})
    read = fit_reader(data, told.reader_epochs)
    save(read, told.out / "dice_read.onnx", (1, 3, CROP, CROP), {**recipe, "epochs": told.reader_epochs})


if __name__ == "__main__":
    main()
