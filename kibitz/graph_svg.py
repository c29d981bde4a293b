"""Curves over the turns of a game as SVG."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.markup import Markup, el

WIDTH, HEIGHT, LEFT, EDGE = 720, 200, 60, 16

#: One value a turn; None: not known there.
Curve = Sequence[float | None]


def graph(
    title: str,
    curves: Sequence[tuple[str, Curve]],
    low: float,
    high: float,
    *,
    dots: Sequence[int] = (),
    digits: int = 0,
) -> Markup:
    """Curves (name of a class, values) between two values; dots on turns of the first curve."""
    count = max((len(curve) for _, curve in curves), default=0)

    def x(turn: int) -> float:
        return round(LEFT + (WIDTH - LEFT - EDGE) * turn / max(1, count - 1), 1)

    def y(value: float) -> float:
        held = min(high, max(low, value))
        return round(EDGE + (HEIGHT - 2 * EDGE) * (high - held) / (high - low), 1)

    sign = "+" if low < 0 else ""
    lines = [
        part
        for value in (low, (low + high) / 2, high)
        for part in (
            el("line", class_="grid", x1=LEFT, x2=WIDTH - EDGE, y1=y(value), y2=y(value)),
            el("text", f"{value:{sign if value else ''}.{digits}f}", x=LEFT - 6, y=y(value) + 6),
        )
    ]
    drawn = [
        el("polyline", class_=f"curve {name}", points=" ".join(f"{x(n)},{y(v)}" for n, v in run))
        for name, curve in curves
        for run in _runs(curve)
    ]
    first = curves[0][1] if curves else ()
    marks = [
        el("circle", class_="dot", cx=x(n), cy=y(value), r=4) for n in dots if (value := first[n]) is not None
    ]
    return el(
        "svg", el("title", title), *lines, *drawn, *marks,
        viewBox=f"0 0 {WIDTH} {HEIGHT}", class_="graph", role="img", aria_label=title,
    )  # fmt: skip


def _runs(curve: Curve) -> list[list[tuple[int, float]]]:
    """The curve over what is not known: one line through all that is."""
    known = [(n, value) for n, value in enumerate(curve) if value is not None]
    return [known] if len(known) > 1 else []
