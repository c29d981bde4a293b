"""Trains the small networks of `vision.dice` and `vision.cube` on invented dice: one finds them, two read.

    python -m vision.training.dice --out vision/models

`make train` runs it. Everything is made from nothing, the same scenes whatever the number of workers; no real
picture is used. A graphics card (`--device cuda`) only makes it faster.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import time
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.dice_nets import CROP, FINDER, KINDS, READERS, Kind, places
from vision.training.dice_data import CHUNK, PATCH, SEED, Cutter, Place, Seat, Sheet, seats_of, sheets
from vision.training.dice_model import (
    find_loss,
    finder,
    marks_loss,
    normal,
    place_loss,
    read_loss,
    reader,
    with_lean,
)
from vision.training.dice_table import LEANING

#: Pictures, two of each scene. The readers see as many more, which the finder has not been trained on, and in
#: which this share of the dice leans.
SCENES, MORE_LEANING = 16000, 0.32
FINDER_EPOCHS, READER_EPOCHS = 12, 10
BATCH, PEAK = 64, 4e-3
#: The finder's places from this probability on are shown to the readers, so many of each kind for a scene.
LEAST_SHOWN, MOST_SHOWN = 0.03, 8

#: A scene for the readers has neither the finder's patch nor its map.
NO_PATCH, NO_MAP = np.zeros((0, 0, 3), np.uint8), np.zeros((0, 0, 0), np.float32)

Loss = Callable[[Tensor], Tensor]


def drawn(first: int, scenes: int, leaning: float, pool: Executor) -> list[Sheet]:
    """So many scenes from a first number on, the same whatever the number of workers."""
    chunks = range(first // CHUNK, (first + scenes) // CHUNK)
    return [one for part in pool.map(sheets, chunks, [leaning] * len(chunks)) for one in part]


def shuffled(x: Tensor, rng: np.random.Generator) -> Tensor:
    """The colours exchanged, at times the tones turned over."""
    x = x[:, torch.from_numpy(rng.permutation(3)).to(x.device)]
    return -x if rng.random() < 0.15 else x


def flip(x: Tensor, maps: Tensor, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """A batch of finder patches and maps mirrored or turned alike."""
    if rng.random() < 0.5:
        signs = torch.tensor([1, 1, 1, -1, 1, 1.0], device=x.device).view(1, 6, 1, 1)
        x, maps = x.flip(3), maps.flip(3) * signs
    if rng.random() < 0.5:
        signs = torch.tensor([1, 1, 1, 1, -1, 1.0], device=x.device).view(1, 6, 1, 1)
        x, maps = x.flip(2), maps.flip(2) * signs
    if rng.random() < 0.5:
        x, maps = x.transpose(2, 3), maps.transpose(2, 3)[:, [0, 1, 2, 4, 3, 5]]
    return x, maps


def fit_finder(found: list[Sheet], epochs: int, device: str) -> nn.Module:
    """Train the finder."""
    torch.manual_seed(SEED)
    rng, net = np.random.default_rng(SEED), finder().to(device)
    images = torch.from_numpy(np.array([s.patch for s in found])).to(device)
    maps = torch.from_numpy(np.array([s.wanted for s in found])).to(device)

    def loss(index: Tensor) -> Tensor:
        x, wanted = flip(shuffled(normal(images[index]), rng), maps[index], rng)
        spread = torch.from_numpy(rng.normal(1, 0.15, (len(x), 1, 1, 1)).astype(np.float32))
        return find_loss(net(x * spread.to(device)), wanted)

    _fit(net, loss, len(images), epochs, rng, known=0.0)
    return net.eval()


def fit_reader(scenes: list[Sheet], seats: list[Seat], epochs: int, device: str, kind: Kind) -> nn.Module:
    """Train a reader; all crops are cut anew each time, off their places as the finder may be. A die's mirror
    image shows the same value, a cube's does not.
    """
    torch.manual_seed(SEED)
    rng, net = np.random.default_rng(SEED), reader().to(device)
    cutters = [Cutter(rng, one, number, kind == "cube") for number, one in enumerate(scenes)]
    columns, kinds = list(zip(*seats, strict=True))[2:5], (np.int64, np.float32, np.float32)
    labels, cocked, shown = (
        torch.from_numpy(np.array(c, k)).to(device) for c, k in zip(columns, kinds, strict=True)
    )

    def loss(index: Tensor) -> Tensor:
        images, leans, places = (part.to(device) for part in cut(cutters, [seats[k] for k in index.tolist()]))
        x = shuffled(normal(images), rng)
        if kind == "die" and rng.random() < 0.5:
            x, places = x.flip(3), places * torch.tensor([-1.0, 1, 1], device=device)
        said = net(with_lean(x, leans))
        marks = marks_loss(said, cocked[index], shown[index])
        return read_loss(said, labels[index]) + marks + place_loss(said, places)

    _fit(net, loss, len(seats), epochs, rng, known=0.05)
    return net.eval()


def cut(cutters: list[Cutter], seats: list[Seat]) -> tuple[Tensor, Tensor, Tensor]:
    """A batch: pictures, leans and places (not numbers where none is asked)."""
    cuts = [cutters[seat.scene].cut(seat) for seat in seats]
    places = [one.place or (math.nan,) * 3 for one in cuts]
    pictures = torch.from_numpy(np.array([one.picture for one in cuts]))
    return pictures, torch.tensor([one.lean for one in cuts]), torch.tensor(places)


def _fit(net: nn.Module, loss: Loss, count: int, epochs: int, rng: np.random.Generator, known: float) -> None:
    """Train for some epochs; of the samples whose loss fell below `known` only one in five is shown again."""
    net.to(memory_format=torch.channels_last)
    device = next(net.parameters()).device
    optimiser = torch.optim.AdamW(net.parameters(), 0.0, weight_decay=1e-3)
    last, began = torch.full((count,), np.inf, device=device), time.monotonic()
    for epoch in range(epochs):
        shown = np.flatnonzero((last.cpu().numpy() > known) | (rng.random(count) < 0.2))
        batches = np.array_split(rng.permutation(shown), max(len(shown) // BATCH, 1))
        for k, batch in enumerate(batches):
            optimiser.param_groups[0]["lr"] = PEAK * _slope((epoch + k / len(batches)) / epochs)
            optimiser.zero_grad()
            index = torch.from_numpy(batch).to(device)
            each = loss(index)
            each.mean().backward()
            optimiser.step()
            last[index] = each.detach()
        mean, spent = float(last[torch.from_numpy(shown).to(device)].mean()), time.monotonic() - began
        print(f"epoch {epoch + 1}/{epochs}: {len(shown)} shown, loss {mean:.4f}, {spent:.0f} s", flush=True)


def _slope(progress: float) -> float:
    """Learning rate over the training, 0-1: a short rise, then a cosine down to almost nothing."""
    return min(progress / 0.1 + 0.02, 1.0) * (0.5 + 0.5 * math.cos(math.pi * progress)) + 1e-3


def places_of(net: nn.Module, found: list[Sheet], device: str) -> list[list[list[Place]]]:
    """What the trained finder takes for dice and for cubes in each scene (patch pixels), best first."""
    said: list[NDArray[np.float32]] = []
    with torch.no_grad():
        for k in range(0, len(found), 500):
            patches = torch.from_numpy(np.array([s.patch for s in found[k : k + 500]])).to(device)
            said.append(net(normal(patches)).cpu().numpy())
    return [[_places(one, kind) for part in said for one in part] for kind in range(len(KINDS))]


def _places(said: NDArray[np.float32], kind: int) -> list[Place]:
    return [(f.x, f.y, f.side) for f in places(said, LEAST_SHOWN, KINDS[kind])[:MOST_SHOWN]]


def save(net: nn.Module, path: Path, shape: tuple[int, ...], made: dict[str, Any]) -> None:
    """Write a network as ONNX, what it is made from and the hash of its weights in the metadata."""
    net = net.cpu().to(memory_format=torch.contiguous_format)
    axes = {"x": {0: "n"}} if shape[2] == CROP else {"x": {2: "h", 3: "w"}}
    torch.onnx.export(
        net, (torch.zeros(shape),), str(path), dynamo=False, input_names=["x"], output_names=["y"],
        dynamic_axes=axes,
    )  # fmt: skip
    model = onnx.load(path)
    weights = b"".join(t.raw_data for t in model.graph.initializer)
    told = {**made, "sha256": hashlib.sha256(weights).hexdigest()}
    onnx.helper.set_model_props(model, {"kibitz": json.dumps(told)})
    onnx.save(model, path)


def main() -> None:
    """Draw, train, save."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--out", type=Path, default=Path("vision/models"))
    options.add_argument("--scenes", type=int, default=SCENES)
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--device", default="cpu")
    options.add_argument("--finder-epochs", type=int, default=FINDER_EPOCHS)
    options.add_argument("--reader-epochs", type=int, default=READER_EPOCHS)
    told = options.parse_args()
    torch.set_num_threads(told.workers)
    told.out.mkdir(parents=True, exist_ok=True)
    # The workers start before the graphics card is touched: forking after that is not safe.
    with ProcessPoolExecutor(told.workers) as pool:
        train(pool, told)


def train(pool: Executor, told: argparse.Namespace) -> None:
    """Everything, from the first scene to the last network."""
    began = time.monotonic()
    found = drawn(0, told.scenes, LEANING, pool)
    more = drawn(told.scenes, told.scenes, MORE_LEANING, pool)
    print(f"{len(found)} and {len(more)} scenes, {time.monotonic() - began:.0f} s", flush=True)
    net = fit_finder(found, told.finder_epochs, told.device)
    spots = places_of(net, [*found, *more], told.device)
    save(net, told.out / FINDER, (1, 3, PATCH, PATCH), recipe(told, told.finder_epochs))
    scenes = [one._replace(patch=NO_PATCH, wanted=NO_MAP) for one in [*found, *more]]
    # Side by side, a thread each: two threads do not make one reader much faster.
    for _ in pool.map(train_reader, [scenes] * len(KINDS), spots, [told] * len(KINDS), KINDS):
        pass
    print(f"done, {time.monotonic() - began:.0f} s", flush=True)


def train_reader(
    scenes: list[Sheet], places: list[list[Place]], told: argparse.Namespace, kind: Kind
) -> None:
    """Train a reader on the scenes and the finder's places in them, and write it."""
    torch.set_num_threads(1)
    seats = seats_of(scenes, places, kind == "cube")
    print(f"{kind}: {len(seats)} places, labels {np.bincount([s.label for s in seats])}", flush=True)
    net = fit_reader(scenes, seats, told.reader_epochs, told.device, kind)
    save(net, told.out / READERS[kind], (1, 4, CROP, CROP), recipe(told, told.reader_epochs))


def recipe(told: argparse.Namespace, epochs: int) -> dict[str, Any]:
    """What a network is made from."""
    return {"seed": SEED, "scenes": told.scenes, "torch": torch.__version__, "epochs": epochs}


if __name__ == "__main__":
    main()
