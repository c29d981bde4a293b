"""Trains the network of `vision.board_net` on drawn boards only.

python -m vision.training.corners --data build/train-corners --out vision/models

Boards are drawn first, in shards that stay in `--data` (a run that was stopped goes on there); the network
is trained on many views of each and written with seed, recipe and hash as ONNX metadata.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from torch import Tensor

from vision.board_net import HEIGHT, WIDTH
from vision.training.corners_data import Boards, answer, boards, joined, view
from vision.training.corners_model import BoardNet, loss_of

SHARD = 100
#: Shards from this one on are kept apart to measure with.
APART = 900


@dataclass(frozen=True)
class Recipe:
    """What it takes to make the network again: shards of 100 scenes, passes over them, batch, rate, seed."""

    shards: int = 15
    apart: int = 1
    passes: int = 30
    batch: int = 32
    rate: float = 4e-3
    seed: int = 20261129


def shard(folder: Path, number: int) -> Path:
    """Draw a shard if it is not there yet."""
    path = folder / f"{number:04d}.npz"
    if not path.exists():
        made = boards(number * SHARD, SHARD)
        partial = path.with_suffix(".part.npz")
        np.savez_compressed(partial, pictures=made.pictures, quads=made.quads, bars=made.bars)
        partial.rename(path)
    return path


def loaded(paths: list[Path]) -> tuple[Boards, str]:
    """Shards as one, and a hash of all that is in them."""
    parts, digest = [], hashlib.sha256()
    for path in paths:
        with np.load(path) as data:
            parts.append(Boards(data["pictures"], data["quads"], data["bars"]))
        digest.update(parts[-1].pictures.tobytes())
        digest.update(parts[-1].quads.tobytes())
    return joined(parts), digest.hexdigest()


def batch(made: Boards, which: list[int], rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """A new view of each of the boards, and what must be said of it."""
    views = [view(made.pictures[k], made.quads[k].astype(np.float64), rng) for k in which]
    told = np.stack([answer(quad, float(made.bars[k])) for (_, quad), k in zip(views, which, strict=True)])
    pictures = torch.from_numpy(np.stack([look for look, _ in views])).permute(0, 3, 1, 2).float() / 255
    return pictures.contiguous(memory_format=torch.channels_last), torch.from_numpy(told)


def train(net: BoardNet, made: Boards, recipe: Recipe) -> None:
    """Train on views that no pass repeats."""
    rng = np.random.default_rng(recipe.seed)
    each = len(made.bars) // recipe.batch
    optimiser = torch.optim.AdamW(net.parameters(), recipe.rate, weight_decay=1e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimiser, recipe.rate, total_steps=each * recipe.passes + 1)
    net.train()
    for turn in range(recipe.passes):
        told, order = 0.0, rng.permutation(len(made.bars)).tolist()
        for k in range(each):
            pictures, truth = batch(made, order[k * recipe.batch : (k + 1) * recipe.batch], rng)
            loss = loss_of(net(pictures), truth)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            plan.step()
            told += loss.item()
        print(f"  pass {turn + 1}/{recipe.passes}: loss {told / each:.4f}", flush=True)


def measure(net: BoardNet, made: Boards, recipe: Recipe) -> dict[str, float]:
    """On boards kept apart: share of cells rightly called board or not, mean error of their places."""
    rng = np.random.default_rng(recipe.seed + 1)
    net.eval()
    right, miss, end = [], [], []
    for k in range(0, len(made.bars), recipe.batch):
        pictures, truth = batch(made, list(range(k, min(k + recipe.batch, len(made.bars)))), rng)
        with torch.no_grad():
            said = net(pictures)
        on = truth[:, 0] > 0
        right.append(((said[:, 0] > 0) == on).float().mean().item())
        miss.append((said[:, 1:3] - truth[:, 2:4]).abs().mean(1)[on].mean().item())
        end.append(((said[:, 3] > 0) == (truth[:, 4] > 0))[on].float().mean().item())
    return {
        "cells_right": float(np.mean(right)),
        "place_error": float(np.mean(miss)),
        "end_on_right": float(np.mean(end)),
    }


def save(net: BoardNet, path: Path, about: dict[str, object]) -> None:
    """Write ONNX with what it was made from."""
    net.eval()
    example = (torch.zeros(1, 3, HEIGHT, WIDTH),)
    plain = net.to(memory_format=torch.contiguous_format)
    torch.onnx.export(
        plain,
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


def main() -> None:
    """Draw, train, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("build/train-corners"))
    parser.add_argument("--out", type=Path, default=Path("vision/models"))
    for name, value in asdict(Recipe()).items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    told = parser.parse_args()
    recipe = Recipe(**{name: getattr(told, name) for name in asdict(Recipe())})
    told.data.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    torch.manual_seed(recipe.seed)
    numbers = [*range(recipe.shards), *range(APART, APART + recipe.apart)]
    paths = [shard(told.data, number) for number in numbers]
    made, digest = loaded(paths[: recipe.shards])
    apart, _ = loaded(paths[recipe.shards :])
    net = BoardNet().to(memory_format=torch.channels_last)
    print(sum(p.numel() for p in net.parameters()), "parameters")
    train(net, made, recipe)
    measured = measure(net, apart, recipe)
    print("board", measured)
    save(
        net, told.out / "board.onnx", {"recipe": asdict(recipe), "data_sha256": digest, "measured": measured}
    )


if __name__ == "__main__":
    main()
