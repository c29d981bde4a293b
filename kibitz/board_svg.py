"""A board as an SVG picture: the mover sits below, its home at the right; hops are drawn as arrows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.plays import Hop
from engine.position import BAR, OFF, POINTS, Position
from kibitz.markup import Markup, el, join

#: Measures of the drawing: a column, the bar, the tray, the frame, a triangle, a checker.
COLUMN, MIDDLE, TRAY, EDGE, SPIKE, RADIUS = 40, 36, 40, 22, 150, 18
WIDTH = 2 * EDGE + 12 * COLUMN + MIDDLE + TRAY
HEIGHT = 400
#: Checkers drawn on one point; more are told by a number.
MOST = 5


def board(
    position: Position, side: int, *, played: Sequence[Hop] = (), best: Sequence[Hop] = (), alt: str = ""
) -> Markup:
    """The table as `side` sees it (0 light, 1 dark), with what it played and what was best."""
    parts = [
        el("title", alt),
        el("rect", class_="frame", width=WIDTH, height=HEIGHT, rx=8),
        el("rect", class_="felt", x=EDGE, y=EDGE, width=12 * COLUMN + MIDDLE, height=HEIGHT - 2 * EDGE),
        el("rect", class_="frame", x=EDGE + 6 * COLUMN, y=0, width=MIDDLE, height=HEIGHT),
        *(_spike(own) for own in range(1, POINTS + 1)),
        *(_stack(own, position.points[own], side) for own in range(BAR + 1)),
        *_off(position, side),
        *_arrows(position, played, "played"),
        *_arrows(position, best, "best"),
    ]
    return el("svg", *parts, viewBox=f"0 0 {WIDTH} {HEIGHT}", class_="board", role="img", aria_label=alt)


def _x(own: int) -> float:
    """The middle of a place's column."""
    if own in (BAR, OFF):
        return EDGE + 6 * COLUMN + MIDDLE / 2
    column = 12 - own if own <= 12 else own - 13
    return EDGE + COLUMN * (column + 0.5) + MIDDLE * (column >= 6)


def _below(own: int) -> bool:
    """Whether a place is in the mover's half; its own bar is entered from above."""
    return own <= 12 and own != OFF


def _y(own: int, number: float) -> float:
    """The middle of the checker of a number on a place."""
    if own in (BAR, OFF):
        return HEIGHT / 2 + (-1 if own == BAR else 1) * (30 + 2 * RADIUS * number)
    step = EDGE + RADIUS * (2 * number + 1) + 1
    return HEIGHT - step if _below(own) else step


def _spike(own: int) -> Markup:
    x, base = _x(own), HEIGHT - EDGE if _below(own) else EDGE
    tip = base - SPIKE if _below(own) else base + SPIKE
    half = COLUMN / 2 - 2
    label = base + 16 if _below(own) else base - 6
    return join(
        el("polygon", class_=f"spike{own % 2}", points=f"{x - half},{base} {x + half},{base} {x},{tip}"),
        el("text", str(own), class_="number", x=x, y=label),
    )


def _stack(own: int, count: int, side: int) -> Markup:
    """The checkers of a place; the mover counts +."""
    owner = side if count > 0 else 1 - side
    shown = min(abs(count), MOST)
    discs = [_disc(_x(own), _y(own, n), owner) for n in range(shown)]
    if abs(count) > MOST:
        x, y = _x(own), _y(own, MOST - 1)
        discs.append(el("text", str(abs(count)), class_=f"count{owner}", x=x, y=y + 6))
    return join(*discs)


def _disc(x: float, y: float, owner: int) -> Markup:
    ring = [el("circle", class_="ring", cx=x, cy=y, r=RADIUS - 7)] if owner else []
    return join(el("circle", class_=f"side{owner}", cx=x, cy=y, r=RADIUS - 1), *ring)


def _off(position: Position, side: int) -> Iterator[Markup]:
    """How many checkers are borne off: the mover's below, the opponent's above."""
    x = WIDTH - TRAY / 2 - EDGE / 2
    for count, owner, y in ((position.off[0], side, HEIGHT - 60), (position.off[1], 1 - side, 60)):
        if count:
            yield _disc(x, y, owner)
            yield el("text", f"×{count}", class_="number", x=x, y=y + 36)


def _arrows(position: Position, hops: Sequence[Hop], kind: str) -> Iterator[Markup]:
    """From the top checker of a place to the next free spot; the best way is drawn beside the other."""
    aside = 7 if kind == "best" else 0
    for src, dst, _ in hops:
        x, y = _x(src) + aside, _y(src, max(0, min(MOST, position.points[src]) - 1))
        to_x, to_y = WIDTH - TRAY / 2 - EDGE / 2, HEIGHT - 60.0
        if dst != OFF:
            to_x, to_y = _x(dst) + aside, _y(dst, max(0, min(MOST - 1, position.points[dst])))
        middle = (HEIGHT / 2 + (y + to_y) / 2) / 2
        yield el("path", class_=f"way {kind}", d=f"M{x} {y}Q{(x + to_x) / 2} {middle} {to_x} {to_y}")
        yield el("circle", class_=f"end {kind}", cx=to_x, cy=to_y, r=7)
