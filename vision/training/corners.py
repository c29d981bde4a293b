"""Trains the network of `vision.board_net` on drawn boards only.

python -m vision.training.corners --data build/train-corners --out vision/models

Boards are drawn first, in shards that stay in `--data` (a run that was stopped goes on there); the network
is trained on many views of each and written with seed, recipe and hashes as ONNX metadata. On two cores it
takes about twenty minutes; `--device cuda` makes it a few. The same recipe gives the same views on both.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from torch import Tensor

import vision
from vision.board_net import HEIGHT, WIDTH
from vision.training.corners_data import Boards, loaded, shards
from vision.training.corners_model import BoardNet, loss_of
from vision.training.corners_views import views

#: Shards from this one on are kept apart to measure with.
APART = 900


@dataclass(frozen=True)
class Recipe:
    """What it takes to make the network again: shards of 100 scenes, passes over them, batch, rate, seed."""

    shards: int = 25
    apart: int = 2
    passes: int = 36
    batch: int = 32
    rate: float = 4e-3
    seed: int = 20261130


def digest(made: Boards) -> str:
    """A hash of all that was drawn."""
    told = hashlib.sha256(made.pictures.tobytes())
    told.update(made.quads.tobytes())
    return told.hexdigest()


def drawing() -> str:
    """A hash of the programs that draw."""
    told = hashlib.sha256()
    for path in sorted(Path(vision.__path__[0]).glob("synth*.py")):
        told.update(path.read_bytes())
    return told.hexdigest()


def train(net: BoardNet, made: Boards, recipe: Recipe, device: str) -> None:
    """Train on views that no pass repeats."""
    rng = np.random.default_rng(recipe.seed)
    each = len(made.bars) // recipe.batch
    optimiser = torch.optim.AdamW(net.parameters(), recipe.rate, weight_decay=1e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimiser, recipe.rate, total_steps=each * recipe.passes + 1)
    net.train()
    for turn in range(recipe.passes):
        began, told = time.monotonic(), torch.zeros((), device=device)
        order = rng.permutation(len(made.bars))
        for k in range(each):
            seen, truth = views(made, order[k * recipe.batch : (k + 1) * recipe.batch], rng, device)
            loss = loss_of(net(seen.contiguous(memory_format=torch.channels_last)), truth)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            plan.step()
            told += loss.detach()
        spent = time.monotonic() - began
        print(f"  pass {turn + 1}/{recipe.passes}: loss {told.item() / each:.4f}, {spent:.1f} s", flush=True)


def measure(net: BoardNet, made: Boards, recipe: Recipe, device: str) -> dict[str, float]:
    """On boards kept apart: share of cells rightly called board or not, mean error of their places."""
    rng = np.random.default_rng(recipe.seed + 1)
    net.eval()
    parts = [
        _measured(net, *views(made, np.arange(k, min(k + recipe.batch, len(made.bars))), rng, device))
        for k in range(0, len(made.bars), recipe.batch)
    ]
    right, miss, end = (float(np.mean(part)) for part in zip(*parts, strict=True))
    return {"cells_right": right, "place_error": miss, "end_on_right": end}


def _measured(net: BoardNet, seen: Tensor, truth: Tensor) -> tuple[float, float, float]:
    with torch.no_grad():
        said = net(seen)
    on = truth[:, 0] > 0
    right = ((said[:, 0] > 0) == on).float().mean().item()
    miss = (said[:, 1:3] - truth[:, 2:4]).abs().mean(1)[on].mean().item()
    end = ((said[:, 3] > 0) == (truth[:, 4] > 0))[on].float().mean().item()
    return right, miss, end


def save(net: BoardNet, path: Path, about: dict[str, object]) -> None:
    """Write ONNX with what it was made from."""
    net = net.eval().cpu().to(memory_format=torch.contiguous_format)
    example = (torch.zeros(1, 3, HEIGHT, WIDTH),)
    torch.onnx.export(
        net,
        example,
        str(path),
        input_names=["picture"],
        output_names=["cells"],
        opset_version=12,
        dynamo=False,
    )
    model = onnx.load(str(path))
    onnx.helper.set_model_props(model, {"kibitz": json.dumps(about)})
    onnx.save(model, str(path))


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("build/train-corners"))
    parser.add_argument("--out", type=Path, default=Path("vision/models"))
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--workers", type=int, default=2, help="processes that draw, threads that train")
    for name, value in asdict(Recipe()).items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    return parser.parse_args()


def main() -> None:
    """Draw, train, measure, write."""
    told = arguments()
    recipe = Recipe(**{name: getattr(told, name) for name in asdict(Recipe())})
    cv2.setNumThreads(1)
    torch.set_num_threads(told.workers)
    torch.manual_seed(recipe.seed)
    began = time.monotonic()
    paths = shards(told.data, [*range(recipe.shards), *range(APART, APART + recipe.apart)], told.workers)
    made, apart = loaded(paths[: recipe.shards]), loaded(paths[recipe.shards :])
    print(f"drawn: {len(made.bars)} boards, {time.monotonic() - began:.0f} s", flush=True)
    net = BoardNet().to(told.device, memory_format=torch.channels_last)
    train(net, made, recipe, told.device)
    measured = measure(net, apart, recipe, told.device)
    print("board", measured, f"{time.monotonic() - began:.0f} s in all")
    about: dict[str, object] = {
        "recipe": asdict(recipe),
        "data_sha256": digest(made),
        "drawing_sha256": drawing(),
        "measured": measured,
    }
    save(net, told.out / "board.onnx", about)


if __name__ == "__main__":
    main()
