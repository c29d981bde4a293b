"""A second move generator, slow and plain on purpose, that shares nothing with `engine.packed`.

It knows the games by name and by the words of RULES.md, tries every die at every step, and keeps tables as
tuples: (26 signed counts, mover's checkers off).
"""

from __future__ import annotations

Table = tuple[tuple[int, ...], int]

THREE_DICE = ("garanguet",)
LARGER_DIE = ("backgammon", "short_nardy", "garanguet", "long_nardy")


def dice_to_play(game: str, roll: tuple[int, ...]) -> list[int]:
    if game not in THREE_DICE:
        return [roll[0]] * 4 if roll[0] == roll[1] else list(roll)
    for die in roll:
        if roll.count(die) == 3:
            return [die] * 6
        if roll.count(die) == 2:
            other = next(d for d in roll if d != die)
            return [die] * 4 + [other] if die > other else list(roll)
    return list(roll)


def single_hops(game: str, table: Table, die: int) -> list[tuple[int, int]]:
    points, _ = table
    if points[25] > 0:
        return [(25, 25 - die)] if may_land(game, points[25 - die]) else []
    hops = []
    for src in range(1, 25):
        if points[src] <= 0:
            continue
        dst = src - die
        if dst >= 1 and may_land(game, points[dst]):
            hops.append((src, dst))
        if dst <= 0 and may_bear_off(game, points, src, die):
            hops.append((src, 0))
        if game == "predators" and src + die <= 24 and points[src + die] < 0:
            hops.append((src, src + die))
    return hops


def may_land(game: str, standing: int) -> bool:
    if game == "predators":
        return True
    if game == "long_nardy":
        return standing >= 0
    return standing >= -1


def may_bear_off(game: str, points: tuple[int, ...], src: int, die: int) -> bool:
    if game == "predators" or any(points[p] > 0 for p in range(7, 26)):
        return False
    return src == die or not any(points[p] > 0 for p in range(src + 1, 7))


def hop(game: str, table: Table, src: int, dst: int) -> Table:
    points, off = list(table[0]), table[1]
    points[src] -= 1
    if dst == 0:
        return tuple(points), off + 1
    if points[dst] < 0:
        if game != "predators":
            points[0] -= 1
        points[dst] = 0
    points[dst] += 1
    return tuple(points), off


def ends(game: str, table: Table, dice: list[int]) -> set[tuple[int, int, Table]]:
    """Every (dice played, their sum, table) that some order of some of the dice gives."""
    seen = set()

    def go(now: Table, left: tuple[int, ...]) -> None:
        key = (now, left)
        if key in seen:
            return
        seen.add(key)
        for die in set(left):
            rest = list(left)
            rest.remove(die)
            for src, dst in single_hops(game, now, die):
                go(hop(game, now, src, dst), tuple(sorted(rest)))

    go(table, tuple(sorted(dice)))
    return {(len(dice) - len(left), sum(dice) - sum(left), now) for now, left in seen}


def results(game: str, table: Table, roll: tuple[int, ...]) -> set[Table]:
    found = [e for e in ends(game, table, dice_to_play(game, roll)) if allowed(game, table, e[2], roll)]
    most = max(count for count, _, _ in found)
    found = [e for e in found if e[0] == most]
    if game in LARGER_DIE:
        pips = max(total for _, total, _ in found)
        found = [e for e in found if e[1] == pips]
    return {now for _, _, now in found}


def allowed(game: str, before: Table, after: Table, roll: tuple[int, ...]) -> bool:
    if game != "long_nardy":
        return True
    left_head = before[0][24] - after[0][24]
    first_turn = before[0][24] == 15
    if left_head > (2 if first_turn and roll in [(3, 3), (4, 4), (6, 6)] else 1):
        return False
    return not shut_in(after[0])


def shut_in(points: tuple[int, ...]) -> bool:
    """Six of the mover's points in a row on the opponent's way, all opposing checkers still before them."""
    way = [12 - i if i < 12 else 36 - i for i in range(24)]
    for at in range(19):
        block = way[at : at + 6]
        ahead = way[at + 6 :]
        none_passed = not any(points[p] < 0 for p in ahead) and sum(-n for n in points if n < 0) == 15
        if all(points[p] > 0 for p in block) and none_passed:
            return True
    return False
