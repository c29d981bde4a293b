"""Trains the network of `vision.net` on drawn boards only.

    python -m vision.training.points --data build/train --out vision/models

Boards are drawn first, in shards that stay in `--data` (a run that was stopped goes on there); then it is
trained, calibrated on boards kept apart, and written with seed, recipe and hashes as ONNX metadata.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.net_view import STRIP_HEIGHT, STRIP_WIDTH
from vision.training.points_data import Strips, joined, looks
from vision.training.points_model import COUNTS, PointNet, augmented

SHARD = 100
#: Shards from this one on are kept apart for calibration.
APART = 900


@dataclass(frozen=True)
class Recipe:
    """What it takes to make the networks again: shards of 100 scenes, passes over them, batch, rate, seed.

    The point network is trained on `shards`, then at a third of the rate on `hard` ones and as many others.
    """

    shards: int = 24
    hard: int = 4
    apart: int = 3
    passes: int = 3
    hard_passes: int = 2
    batch: int = 128
    rate: float = 3e-3
    seed: int = 20261129


def shard(folder: Path, number: int, hard: bool) -> Path:
    """Draw a shard if it is not there yet."""
    path = folder / f"{number:04d}.npz"
    if not path.exists():
        cv2.setNumThreads(1)
        strips = looks(number, SHARD, hard=hard)
        partial = path.with_suffix(".part.npz")
        np.savez(
            partial,
            pictures=strips.pictures,
            counts=strips.counts,
            hidden=strips.hidden,
            faces=strips.faces,
        )
        partial.rename(path)
    return path


def loaded(paths: list[Path]) -> tuple[Strips, str]:
    """Shards as one, and a hash of all that is in them."""
    strips, digest = [], hashlib.sha256()
    for path in paths:
        with np.load(path) as data:
            strips.append(Strips(data["pictures"], data["counts"], data["hidden"], data["faces"]))
        for part in (strips[-1].pictures, strips[-1].counts, strips[-1].hidden, strips[-1].faces):
            digest.update(part.tobytes())
    return joined(strips), digest.hexdigest()


def tensor(pictures: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> Tensor:
    """N × H × W × 3 bytes → N × 3 × H × W, 0 … 1."""
    return torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255


def loss_of(logits: Tensor, faces: Tensor, counts: Tensor, hidden: Tensor, truth: Tensor) -> Tensor:
    """Count where it can be seen, hidden where that is clear, and the faces."""
    weight = torch.tensor([1.0, 0.0, 0.3])[hidden]
    each = functional.cross_entropy(logits[:, :-1], counts, reduction="none")
    count = (each * weight).sum() / weight.sum().clamp(min=1)
    clear = (hidden != 2).float()
    covered = functional.binary_cross_entropy_with_logits(
        logits[:, -1], (hidden == 1).float(), weight=clear, reduction="mean"
    )
    where = functional.binary_cross_entropy_with_logits(faces[:, 0], truth)
    return count + 0.5 * covered + where


def train(
    net: PointNet, strips: Strips, passes: int, recipe: Recipe, keep: Path, slower: float = 1.0
) -> None:
    """Train a network on strips; what it has learned is kept in a file after every pass."""
    chance = torch.Generator().manual_seed(recipe.seed)
    order = np.random.default_rng(recipe.seed)
    each = len(strips.counts) // recipe.batch
    rate = recipe.rate / slower
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=1e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=each * passes + 1, pct_start=0.1)
    net.train()
    for turn in range(passes):
        told, shuffled = 0.0, order.permutation(len(strips.counts))
        for k in range(each):
            which = np.sort(shuffled[k * recipe.batch : (k + 1) * recipe.batch])
            pictures = augmented(tensor(strips.pictures[which]), chance)
            logits, faces = net(pictures.contiguous(memory_format=torch.channels_last))
            counts = torch.from_numpy(strips.counts[which].astype(np.int64))
            hidden = torch.from_numpy(strips.hidden[which].astype(np.int64))
            truth = torch.from_numpy(strips.faces[which].astype(np.float32) / 255)
            loss = loss_of(logits, faces, counts, hidden, truth)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            plan.step()
            told += loss.item()
            if k % 50 == 49:
                print(f"  pass {turn + 1}, batch {k + 1}/{each}: loss {told / (k + 1):.4f}", flush=True)
        torch.save(net.state_dict(), keep)


def judged(net: PointNet, strips: Strips) -> Tensor:
    """Logits of all strips, a batch at a time."""
    net.eval()
    with torch.no_grad():
        parts = [net(tensor(strips.pictures[k : k + 256]))[0] for k in range(0, len(strips.counts), 256)]
    return torch.cat(parts)


def calibrate(net: PointNet, strips: Strips) -> dict[str, float]:
    """Temper the counts' logits on strips kept apart, in the last layer itself; what was measured there."""
    logits = judged(net, strips)
    open_ = torch.from_numpy(strips.hidden == 0)
    counts = torch.from_numpy(strips.counts.astype(np.int64))[open_]
    seen = logits[open_][:, :-1]
    heats = torch.linspace(0.6, 3.0, 49)
    costs = [functional.cross_entropy(seen / heat, counts).item() for heat in heats]
    heat = float(heats[int(np.argmin(costs))])
    last = net.judge[-1]
    assert isinstance(last, nn.Linear)
    with torch.no_grad():
        last.weight[:-1] /= heat
        last.bias[:-1] /= heat
    right = (seen.argmax(1) == counts).float().mean().item()
    covered = ((logits[:, -1] > 0) == torch.from_numpy(strips.hidden == 1))[
        torch.from_numpy(strips.hidden != 2)
    ]
    return {
        "temperature": heat,
        "right": right,
        "loss": min(costs),
        "hidden_right": covered.float().mean().item(),
    }


def save(net: PointNet, path: Path, height: int, told: dict[str, object]) -> None:
    """Write ONNX with what it was made from."""
    net.eval()
    torch.onnx.export(
        net.to(memory_format=torch.contiguous_format),
        (torch.zeros(1, 3, height, STRIP_WIDTH),),
        str(path),
        input_names=["strips"],
        output_names=["counts", "faces"],
        dynamic_axes={name: {0: "n"} for name in ("strips", "counts", "faces")},
        opset_version=12,
        dynamo=False,
    )
    model = onnx.load(str(path))
    onnx.helper.set_model_props(model, {"kibitz": json.dumps(told)})
    onnx.save(model, str(path))


def fit_points(strips: Strips, late: Strips, recipe: Recipe, keep: Path) -> PointNet:
    """The point network: trained on many scenes, then on hard ones and as many others; the mean of both."""
    torch.manual_seed(recipe.seed)
    net = PointNet(STRIP_HEIGHT // 8, COUNTS)
    net.to(memory_format=torch.channels_last)
    train(net, strips, recipe.passes, recipe, keep / "points.pt")
    first = {name: value.clone() for name, value in net.state_dict().items()}
    train(net, late, recipe.hard_passes, recipe, keep / "points2.pt", slower=3.0)
    second = net.state_dict()
    mean = {k: (v + first[k]) / 2 if v.is_floating_point() else v for k, v in second.items()}
    net.load_state_dict(mean)
    return net


def shards(folder: Path, workers: int, recipe: Recipe) -> list[Path]:
    """All shards: the many, the hard ones, those kept apart."""
    folder.mkdir(parents=True, exist_ok=True)
    last = recipe.shards + recipe.hard
    numbers = [*range(last), *range(APART, APART + recipe.apart)]
    hard = [recipe.shards <= n < APART for n in numbers]
    with ProcessPoolExecutor(workers) as pool:
        return list(pool.map(shard, [folder] * len(numbers), numbers, hard))


def arguments() -> tuple[argparse.Namespace, Recipe]:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("build/train"))
    parser.add_argument("--out", type=Path, default=Path("vision/models"))
    parser.add_argument("--workers", type=int, default=2)
    for name, value in asdict(Recipe()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    told = parser.parse_args()
    return told, Recipe(**{name: getattr(told, name) for name in asdict(Recipe())})


def main() -> None:
    """Draw, train, calibrate, write."""
    told, recipe = arguments()
    paths = shards(told.data, told.workers, recipe)
    torch.set_num_threads(told.workers)
    last = recipe.shards + recipe.hard
    strips, digest = loaded(paths[: recipe.shards])
    late, late_digest = loaded(paths[recipe.shards - recipe.hard : last])
    apart, _ = loaded(paths[last:])
    net = fit_points(strips, late, recipe, told.data)
    measured = calibrate(net, apart)
    print(measured)
    about: dict[str, object] = {
        "recipe": asdict(recipe),
        "data_sha256": digest,
        "hard_sha256": late_digest,
        "measured": measured,
    }
    told.out.mkdir(parents=True, exist_ok=True)
    save(net, told.out / "points.onnx", STRIP_HEIGHT, about)


if __name__ == "__main__":
    main()
