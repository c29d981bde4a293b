"""Trains the networks of `vision.net` on drawn boards only.

    python -m vision.training.points --data build/train --out vision/models

Boards are drawn first, in shards that stay in `--data` (a run that was stopped goes on there); then it is
trained, calibrated on boards kept apart, and written with seed, recipe and hashes as ONNX metadata.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.net_view import CELL, QUARTER_HEIGHT, QUARTER_WIDTH, SIDE
from vision.training.points_data import NOTHING, VIEWS, Kind, looks
from vision.training.points_model import COUNTS, PointNet, augmented, mirrored, moved, toned_some

#: Scenes of a shard, and its views.
SCENES = 100
ROWS = SCENES * VIEWS
#: Shards from here on are in flat light, from the next on they hold high stacks, and the last are kept apart.
FLAT, STACKS, APART = 1000, 2000, 9000
#: What a data set is made of: name, shape of one view's.
PARTS = {
    "pictures": (QUARTER_HEIGHT, QUARTER_WIDTH, 3),
    "counts": (SIDE,),
    "hidden": (SIDE,),
    "faces": (QUARTER_HEIGHT // CELL, QUARTER_WIDTH // CELL, 2),
}
#: What the stages give: the network that looks first, nothing, and the one for further looks at photos.
NAMES = ("points.onnx", "", "", "", "points_second.onnx")
#: Layers of fewer weights than this stay in single precision.
SMALL = 64
Batch = tuple[Tensor, Tensor, Tensor, Tensor]
#: What an empty point weighs beside one with checkers.
EMPTY = 0.5


@dataclass(frozen=True)
class Stage:
    """One stretch of training: the shards' numbers, passes over them, the highest rate, and which share of
    the pictures has its tones spread.
    """

    shards: tuple[int, ...]
    passes: int
    rate: float
    spread: float = 0.0


@dataclass(frozen=True)
class Recipe:
    """What it takes to make the networks again: shards of 100 scenes, passes over them, batch, rate, seed,
    and how many processes share a batch; then shards in flat light, learned at a low rate with some of the
    first; then fresh shards of any kind, high stacks, and some flat ones again; then some of all; at last all
    kinds with a few that are new, a share of the pictures with its tones spread.
    """

    shards: int = 90
    apart: int = 4
    passes: int = 6
    batch: int = 64
    crew: int = 2
    rate: float = 3e-3
    seed: int = 20261129
    flat: int = 24
    again: int = 36
    flat_passes: int = 2
    flat_rate: float = 8e-4
    fresh: int = 45
    stacks: int = 40
    flat_again: int = 12
    stacks_passes: int = 4
    stacks_rate: float = 1.5e-3
    last_passes: int = 2
    last_rate: float = 8e-4
    any_new: int = 14
    flat_new: int = 15
    stacks_new: int = 7
    spread: float = 0.3
    spread_passes: int = 3
    spread_rate: float = 8e-4

    def stages(self) -> tuple[Stage, ...]:
        """All boards first, then flat ones among some that were seen before, then high stacks among new ones;
        some of all kinds, and in the end all kinds once more in other tones.
        """
        flat = (*range(self.again), *_some(FLAT, self.flat))
        new = _some(self.shards, self.fresh)
        stacks = (*new, *_some(STACKS, self.stacks), *_some(FLAT, self.flat_again))
        last = (*flat, *new, *_some(STACKS, self.flat))
        spread = (
            *_some(self.shards, self.fresh + self.any_new),
            *_some(FLAT, self.flat + self.flat_new),
            *_some(STACKS, self.flat),
            *_some(STACKS + self.stacks, self.stacks_new),
        )
        return (
            Stage(tuple(range(self.shards)), self.passes, self.rate),
            Stage(flat, self.flat_passes, self.flat_rate),
            Stage(stacks, self.stacks_passes, self.stacks_rate),
            Stage(last, self.last_passes, self.last_rate),
            Stage(spread, self.spread_passes, self.spread_rate, self.spread),
        )


def _some(first: int, many: int) -> range:
    """The numbers of so many shards."""
    return range(first, first + many)


class Data:
    """Views of shards, in files that are mapped into memory."""

    def __init__(self, folder: Path, numbers: Sequence[int]) -> None:
        self.parts = [
            [torch.from_numpy(np.load(folder / f"{n:04d}.{name}.npy", mmap_mode="c")) for n in numbers]
            for name in PARTS
        ]
        hashes = "".join((folder / f"{n:04d}.sha256").read_text() for n in numbers)
        self.digest = hashlib.sha256(hashes.encode()).hexdigest()
        self.size = len(numbers) * ROWS

    def batch(self, which: Iterable[int]) -> Batch:
        """Some of them: pictures 0 … 1, counts, hidden, faces 0 … 1."""
        rows = [divmod(int(i), ROWS) for i in which]
        pictures, counts, hidden, faces = (
            torch.stack([part[shard][row] for shard, row in rows]) for part in self.parts
        )
        pictures, faces = (part.permute(0, 3, 1, 2).float() / 255 for part in (pictures, faces))
        return pictures, counts.long(), hidden.long(), faces


def shard(folder: Path, number: int) -> str:
    """Draw a shard if it is not there yet; its hash."""
    told = folder / f"{number:04d}.sha256"
    if told.exists():
        return told.read_text()
    cv2.setNumThreads(1)
    views = looks(number, SCENES, kind_of(number))
    digest = hashlib.sha256()
    rows = zip(*((v.picture, v.counts, v.hidden, v.faces) for v in views), strict=True)
    for name, values in zip(PARTS, rows, strict=True):
        part = np.array(values, np.uint8)
        digest.update(part.tobytes())
        np.save(folder / f"{number:04d}.{name}.npy", part)
    told.write_text(digest.hexdigest())
    return digest.hexdigest()


def kind_of(number: int) -> Kind:
    """What a shard shows: two fifths of the first are hard, all from `FLAT` on in flat light, all from
    `STACKS` on of high stacks; of those apart one each is of any kind, hard, strange and in flat light.
    """
    if number < FLAT:
        return "hard" if number % 5 in (1, 3) else "any"
    kinds: tuple[Kind, ...] = ("any", "hard", "strange", "flat")
    if number < APART:
        return "flat" if number < STACKS else "stacks"
    return kinds[number % 4]


def loss_of(logits: Tensor, faces: Tensor, counts: Tensor, hidden: Tensor, truth: Tensor) -> Tensor:
    """Count where it can be seen, hidden where that is clear, and the faces."""
    told = counts != NOTHING
    weight = torch.tensor([1.0, 0.0, 0.3], device=counts.device)[hidden] * told
    weight = weight * torch.where(counts == 0, EMPTY, 1.0)
    each = functional.cross_entropy(logits[:, :-1], counts * told, reduction="none")
    count = (each * weight).sum() / weight.sum().clamp(min=1)
    clear = ((hidden != 2) & told).float()
    covered = functional.binary_cross_entropy_with_logits(
        logits[:, -1], (hidden == 1).float(), weight=clear, reduction="mean"
    )
    where = functional.binary_cross_entropy_with_logits(faces, truth)
    return count + 0.5 * covered + where


class Crew:
    """Processes that train copies of one network side by side: each learns from its part of every batch, and
    all take the same step, along the mean of their gradients.
    """

    def __init__(self, size: int, weights: int) -> None:
        self.size = size
        self.gradients = torch.zeros(size, weights).share_memory_()
        self.gate = multiprocessing.get_context("spawn").Barrier(size)

    def agree(self, rank: int, net: PointNet) -> None:
        """Give every weight the mean of all copies' gradients."""
        own = [p.grad for p in net.parameters() if p.grad is not None]
        torch.cat([g.flatten() for g in own], out=self.gradients[rank])
        self.gate.wait()
        mean = self.gradients.mean(dim=0)
        self.gate.wait()
        for g, part in zip(own, mean.split([g.numel() for g in own]), strict=True):
            g.copy_(part.view_as(g))


def fresh(recipe: Recipe) -> PointNet:
    """A network before training."""
    torch.manual_seed(recipe.seed)
    net = PointNet()
    net.to(memory_format=torch.channels_last)
    return net


def train(
    rank: int, crew: Crew, folder: Path, recipe: Recipe, stage: Stage, begun: Path | None, keep: Path
) -> None:
    """One of a crew trains its copy, from what an earlier stage kept in a file; the first keeps its own in
    another at the end.
    """
    torch.set_num_threads(1)
    net, data = fresh(recipe), Data(folder, stage.shards)
    if begun is not None:
        net.load_state_dict(torch.load(begun))
    torch.manual_seed(recipe.seed + rank)
    chance, order = torch.Generator().manual_seed(recipe.seed + rank), np.random.default_rng(recipe.seed)
    each = data.size // recipe.batch
    optimiser = torch.optim.AdamW(net.parameters(), stage.rate, weight_decay=1e-3)
    steps = each * stage.passes + 1
    plan = torch.optim.lr_scheduler.OneCycleLR(optimiser, stage.rate, total_steps=steps, pct_start=0.1)
    net.train()
    for turn in range(stage.passes):
        told, shuffled = torch.zeros(()), order.permutation(data.size)
        for k in range(each):
            own = shuffled[k * recipe.batch + rank : (k + 1) * recipe.batch : crew.size]
            loss = loss_on(net, data.batch(np.sort(own)), chance, stage.spread)
            optimiser.zero_grad()
            loss.backward()
            crew.agree(rank, net)
            optimiser.step()
            plan.step()
            told += loss.detach()
            if rank == 0 and k % 50 == 49:
                print(f"  pass {turn + 1}, batch {k + 1}/{each}: {told.item() / (k + 1):.4f}", flush=True)
    if rank == 0:
        torch.save(net.state_dict(), keep)


def loss_on(net: PointNet, batch: Batch, chance: torch.Generator, spread: float = 0.0) -> Tensor:
    """The loss on a batch in other colours, moved a little, some of it mirrored, a share in spread tones."""
    pictures, *truth = batch
    flip = torch.rand(len(pictures), generator=chance) < 0.5
    pictures = augmented(pictures, chance)
    if spread:
        pictures = toned_some(pictures, spread, chance)
    pictures, counts, hidden, faces = mirrored(flip, pictures, *truth)
    pictures, faces = moved(chance, pictures, faces)
    logits, maps = net(pictures.contiguous(memory_format=torch.channels_last))
    return loss_of(logits, maps, counts, hidden, faces)


def judged(net: PointNet, data: Data) -> tuple[Tensor, Tensor, Tensor]:
    """Logits (N × counts + 1), counts and hidden of all points, a batch at a time."""
    net.eval()
    parts = []
    with torch.no_grad():
        for k in range(0, data.size, 128):
            pictures, counts, hidden, _ = data.batch(range(k, min(k + 128, data.size)))
            logits = net(pictures)[0].movedim(1, 2).reshape(-1, COUNTS + 1)
            parts.append((logits.cpu(), counts.reshape(-1).cpu(), hidden.reshape(-1).cpu()))
    logits, counts, hidden = (torch.cat(part) for part in zip(*parts, strict=True))
    told = counts != NOTHING
    return logits[told], counts[told], hidden[told]


def calibrate(net: PointNet, data: Data) -> dict[str, float]:
    """Temper the counts' logits on boards kept apart, in the last layer itself; what was measured there."""
    logits, counts, hidden = judged(net, data)
    seen, counts = logits[hidden == 0][:, :-1], counts[hidden == 0]
    heats = torch.linspace(0.6, 3.0, 49)
    costs = [functional.cross_entropy(seen / heat, counts).item() for heat in heats]
    heat = float(heats[int(np.argmin(costs))])
    last = net.judge[-2]
    assert isinstance(last, nn.Conv2d)
    assert last.bias is not None
    with torch.no_grad():
        last.weight[:-1] /= heat
        last.bias[:-1] /= heat
    right = (seen.argmax(1) == counts).float().mean().item()
    covered = ((logits[:, -1] > 0) == (hidden == 1))[hidden != 2].float().mean().item()
    return {"temperature": heat, "right": right, "loss": min(costs), "hidden_right": covered}


def save(net: PointNet, path: Path, told: dict[str, object]) -> None:
    """Write ONNX with what it was made from."""
    net = net.to("cpu", memory_format=torch.contiguous_format).eval()
    torch.onnx.export(
        net,
        (torch.zeros(1, 3, QUARTER_HEIGHT, QUARTER_WIDTH),),
        str(path),
        input_names=["views"],
        output_names=["counts", "faces"],
        dynamic_axes={name: {0: "n"} for name in ("views", "counts", "faces")},
        opset_version=12,
        dynamo=False,
    )
    model = onnx.load(str(path))
    halve(model)
    onnx.helper.set_model_props(model, {"kibitz": json.dumps(told)})
    onnx.save(model, str(path))


def halve(model: onnx.ModelProto) -> None:
    """Keep large weights in half precision: half the file, the same answers to two thousandths."""
    for k, weights in enumerate(model.graph.initializer):
        values = onnx.numpy_helper.to_array(weights)
        if values.dtype == np.float32 and values.size > SMALL:
            half = onnx.numpy_helper.from_array(values.astype(np.float16), weights.name)
            model.graph.initializer[k].CopyFrom(half)


def made(folder: Path, recipe: Recipe, out: Path) -> None:
    """Train stage after stage; calibrate and write what each gives."""
    out.mkdir(parents=True, exist_ok=True)
    crew = Crew(recipe.crew, sum(p.numel() for p in fresh(recipe).parameters()))
    begun: Path | None = None
    for stage, name in zip(recipe.stages(), NAMES, strict=True):
        keep = folder / f"points-{stamp(folder, recipe, stage, begun)}.pt"
        if not keep.exists():
            told = (crew, folder, recipe, stage, begun, keep)
            torch.multiprocessing.spawn(train, told, nprocs=recipe.crew)
        begun = keep
        if name:
            finish(folder, recipe, keep, out / name)


def finish(folder: Path, recipe: Recipe, kept: Path, out: Path) -> None:
    """Calibrate what a stage kept, and write it with what it was made from."""
    net = fresh(recipe)
    net.load_state_dict(torch.load(kept))
    learned, apart = numbers(recipe)
    measured = calibrate(net, Data(folder, apart))
    print(out.name, measured, flush=True)
    digest = Data(folder, learned).digest
    save(net, out, {"recipe": asdict(recipe), "data_sha256": digest, "measured": measured})


def stamp(folder: Path, recipe: Recipe, stage: Stage, begun: Path | None) -> str:
    """Names what a stage gives by all that it was made from: a run that was stopped goes on there."""
    how = (recipe.batch, recipe.crew, recipe.seed, stage, begun.name if begun else "")
    return hashlib.sha256(f"{how} {Data(folder, stage.shards).digest}".encode()).hexdigest()[:16]


def numbers(recipe: Recipe) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The shards' numbers: to train on, and kept apart."""
    learned = sorted({n for stage in recipe.stages() for n in stage.shards})
    return tuple(learned), tuple(range(APART, APART + recipe.apart))


def draw(folder: Path, workers: int, recipe: Recipe) -> None:
    """All shards."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [n for part in numbers(recipe) for n in part]
    with ProcessPoolExecutor(workers) as pool:
        list(pool.map(shard, [folder] * len(wanted), wanted))


def arguments() -> tuple[argparse.Namespace, Recipe]:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("build/train"))
    parser.add_argument("--out", type=Path, default=Path("vision/models"))
    parser.add_argument("--workers", type=int, default=2)
    for name, value in asdict(Recipe()).items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    told = parser.parse_args()
    return told, Recipe(**{name: getattr(told, name) for name in asdict(Recipe())})


def main() -> None:
    """Draw, train, calibrate, write."""
    told, recipe = arguments()
    draw(told.data, told.workers, recipe)
    made(told.data, recipe, told.out)


if __name__ == "__main__":
    main()
