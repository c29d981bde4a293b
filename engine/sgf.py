"""GNU Backgammon's SGF: one tree a game; White is side 0 and Black side 1."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from engine.canonical import canonical
from engine.errors import RecordError
from engine.plays import Hop
from engine.position import BAR, OFF, POINTS
from engine.record import Act, Game, Match, Turn
from engine.repairs import Loss, Lost, Mend, Repair
from engine.rules import BACKGAMMON, RULESETS
from engine.text import checked_line, decoded

_COLOURS = ("W", "B")
_TOKEN = re.compile(
    r"(?P<mark>[();])|(?P<name>[A-Za-z]{1,16})|\[(?P<value>(?:[^\]\\]|\\.)*)\]|\s+|.", re.DOTALL
)
_LABEL = re.compile(r'^\[([^"\]]+?) "(.*)"\]$', re.MULTILINE)
_INFO = re.compile(r"(length|game|ws|bs):\s*(\d{1,5})")
_RESULT = re.compile(r"([WB])\+(\d{1,4})(R?)", re.IGNORECASE)
_MOVE = re.compile(r"([1-6]{2,3})((?:[a-z]{2})*)")
_SEEN = re.compile(r"(?:(\d{1,9}\.\d{3})-(\d{1,9}\.\d{3}))?(?: ?([01]\.\d{4}))?")
_WORDS = {Act.DOUBLE: "double", Act.TAKE: "take", Act.DROP: "drop", Act.BEAVER: "double"}
_ACTS = {
    "double": Act.DOUBLE,
    "redouble": Act.DOUBLE,
    "beaver": Act.BEAVER,
    "take": Act.TAKE,
    "drop": Act.DROP,
}

#: One node: its properties, each with its values.
Node = dict[str, list[str]]


def read_sgf(data: str | bytes) -> Match:
    """The match of an SGF file as gnubg writes it; variations beside the game are left out.

    Raises:
        RecordError: it is no SGF, or of another game, or a move in it cannot be read.
    """
    text, repairs = decoded(data)
    found = list(trees(text))
    if not found:
        raise RecordError("no '(;' begins a game: this is not an SGF file")
    head = found[0][0]
    if _text(head, "GM") not in ("", "6"):
        raise RecordError(f"GM[{_text(head, 'GM')[:10]}] is another game than backgammon, which is GM[6]")
    rules = _text(head, "KR") or BACKGAMMON.name
    if rules not in RULESETS:
        raise RecordError(f"KR[{rules[:20]}] names no game; they are {', '.join(sorted(RULESETS))}")
    repaired = list(repairs)
    match = Match(
        (_text(head, "PW") or "White", _text(head, "PB") or "Black"),
        _info(head).get("length", 0),
        rules,
        headers=tuple(_LABEL.findall(_text(head, "GC"))),
    )
    games = tuple(_game(number, tree, match, repaired) for number, tree in enumerate(found))
    return replace(match, games=games, repaired=tuple(repaired))


def trees(text: str) -> Iterator[list[Node]]:
    """The nodes of each tree's main line, each with its properties and their values."""
    nodes: list[Node] = []
    depth, name, over = 0, "", False
    for token in _TOKEN.finditer(text):
        if token["mark"] == "(":
            depth += 1
        elif token["mark"] == ")":
            depth, over = depth - 1, True
            if depth <= 0:
                if nodes:
                    yield nodes
                depth, nodes, name, over = 0, [], "", False
        elif token["mark"] == ";" and depth > 0 and not over:
            nodes.append({})
            name = ""
        elif token["name"]:
            name = token["name"]
        elif token["value"] is not None and nodes and not over:
            nodes[-1].setdefault(name, []).append(_unescaped(token["value"]))
    if nodes:
        yield nodes


def _text(node: Node, name: str) -> str:
    return node.get(name, [""])[0]


def _info(node: Node) -> dict[str, int]:
    return {key: int(number) for value in node.get("MI", []) for key, number in _INFO.findall(value)}


def _game(number: int, tree: list[Node], match: Match, repaired: list[Repair]) -> Game:
    head, info = tree[0], _info(tree[0])
    found = _RESULT.fullmatch(_text(head, "RE"))
    winner, points = (_COLOURS.index(found[1].upper()), int(found[2])) if found else (None, 0)
    turns: list[Turn] = []
    for node in tree[1:]:
        turns += _turns(node, turns, number)
    if found and found[3]:
        turns.append(Turn(1 - (winner or 0), act=Act.RESIGN, value=points))
    crawford = "CrawfordGame" in _text(head, "RU")
    raw = Game(tuple(turns), (info.get("ws", 0), info.get("bs", 0)), winner, points, crawford=crawford)
    game, _ = canonical(raw, match.ruleset)
    return _last_unknown(game, number, repaired)


def _last_unknown(game: Game, number: int, repaired: list[Repair]) -> Game:
    """The loser's last roll without a move is no dance when something could be played: nobody noted it."""
    at = next((i for i in range(len(game.turns) - 1, -1, -1) if game.turns[i].act is not Act.RESIGN), None)
    if at is None or game.winner is None or game.turns[at].play != () or not game.turns[at].stood_illegal:
        return game
    turn = replace(game.turns[at], play=None, stood_illegal=False)
    repaired.append(Repair(Mend.UNKNOWN_PLAY, 0, f"{number + 1}: " + "".join(map(str, turn.roll))))
    return replace(game, turns=(*game.turns[:at], turn, *game.turns[at + 1 :]))


def _turns(node: Node, before: list[Turn], number: int) -> Iterator[Turn]:
    for side, colour in enumerate(_COLOURS):
        if colour in node:
            turn = _turn(side, _text(node, colour), before, number)
            t, confidence = _seen(_text(node, "KT"))
            yield replace(turn, note=_text(node, "C"), t=t, confidence=confidence)


def _seen(text: str) -> tuple[tuple[float, float] | None, float | None]:
    """Time and confidence, in a property of ours that other programs pass over."""
    found = _SEEN.fullmatch(text)
    if found is None:
        return None, None
    t = None if found[1] is None else (float(found[1]), max(float(found[1]), float(found[2])))
    return t, None if found[3] is None else min(1.0, float(found[3]))


def _turn(side: int, text: str, before: list[Turn], number: int) -> Turn:
    if text in _ACTS:
        last = before[-1] if before else Turn(side)
        act = _ACTS[text]
        if act is Act.DOUBLE and last.act is Act.DOUBLE and last.side != side:
            act = Act.BEAVER
        raised = act in (Act.DOUBLE, Act.BEAVER)
        return Turn(side, act=act, value=2 * _cube(before) if raised else 0)
    found = _MOVE.fullmatch(text)
    if found is None:
        raise RecordError(f"game {number + 1}: {_COLOURS[side]}[{text[:20]}] is no move like W[31hefe]")
    hops = hops_of(found[2], side)
    if any(src == OFF or dst == BAR for src, dst, _ in hops):
        raise RecordError(f"game {number + 1}: {_COLOURS[side]}[{text[:20]}] moves off a tray or to the bar")
    return Turn(side, tuple(int(die) for die in found[1]), hops)


def hops_of(letters: str, side: int) -> tuple[Hop, ...]:
    """The hops of a side's move in SGF's letters, two a hop; hits are not told."""
    places = [_own(letter, side) for letter in letters]
    return tuple(Hop(src, dst) for src, dst in zip(places[::2], places[1::2], strict=True))


def _cube(turns: list[Turn]) -> int:
    """The cube's value after these turns."""
    return next((t.value for t in reversed(turns) if t.act in (Act.DOUBLE, Act.BEAVER)), 1)


def _own(letter: str, side: int) -> int:
    """A side's own number of a place: a-x from White's 1 to 24, y the bar, z off."""
    white = ord(letter) - ord("a") + 1
    if white > POINTS:
        return BAR if letter == "y" else OFF
    return POINTS + 1 - white if side else white


def _letter(own: int, side: int) -> str:
    if own in (BAR, OFF):
        return "y" if own == BAR else "z"
    return chr(ord("a") - 1 + (POINTS + 1 - own if side else own))


def _unescaped(text: str) -> str:
    return re.sub(r"\\(\r\n|.)", lambda found: "" if found[1] in "\r\n" else found[1], text, flags=re.DOTALL)


def _escaped(text: str) -> str:
    return re.sub(r"([\]\\])", r"\\\1", text)


def write_sgf(match: Match) -> str:
    """The match as SGF; `losses_sgf` tells what that leaves out.

    Raises:
        RecordError: a name or label would break the file.
    """
    return "\n".join(_tree(number, game, match) for number, game in enumerate(match.games)) + "\n"


def _tree(number: int, game: Game, match: Match) -> str:
    names = "".join(
        f"P{colour}[{_escaped(checked_line(name))}]"
        for colour, name in zip(_COLOURS, match.names, strict=True)
    )
    length = f"[length:{match.length}][game:{number}][ws:{game.score[0]}][bs:{game.score[1]}]"
    ways = "RU[Crawford" + ":CrawfordGame" * game.crawford + "]" if match.length else ""
    rules = f"KR[{match.rules}]" if match.rules != BACKGAMMON.name else ""
    head = f"FF[4]GM[6]CA[UTF-8]AP[Kibitz]MI{length}{names}{ways}{rules}{_labels(match)}{_result(game)}"
    return (
        f"(;{head}" + "".join(f"\n;{_node(turn)}" for turn in game.turns if turn.act is not Act.RESIGN) + ")"
    )


def _labels(match: Match) -> str:
    lines = "\n".join(f'[{checked_line(key)} "{checked_line(value)}"]' for key, value in match.headers)
    return f"GC[{_escaped(lines)}]" if lines else ""


def _result(game: Game) -> str:
    if game.winner is None:
        return ""
    resigned = bool(game.turns) and game.turns[-1].act is Act.RESIGN
    return f"RE[{_COLOURS[game.winner]}+{game.points}{'R' * resigned}]"


def _node(turn: Turn) -> str:
    moves = "".join(_letter(src, turn.side) + _letter(dst, turn.side) for src, dst, _ in turn.play or ())
    text = _WORDS.get(turn.act) or "".join(str(die) for die in turn.roll) + moves
    note = f"C[{_escaped(turn.note)}]" if turn.note else ""
    seen = [f"{turn.t[0]:.3f}-{turn.t[1]:.3f}"] if turn.t else []
    seen += [] if turn.confidence is None else [f"{turn.confidence:.4f}"]
    return f"{_COLOURS[turn.side]}[{text}]{note}" + (f"KT[{' '.join(seen)}]" if seen else "")


def losses_sgf(match: Match) -> tuple[Loss, ...]:
    """What `write_sgf` leaves out: tables and starts of their own, plays unknown in mid-game."""
    found = [Loss(Lost.START, g) for g, game in enumerate(match.games) if game.start is not None]
    for g, game in enumerate(match.games):
        for t, turn in enumerate(game.turns):
            last = game.winner is not None and all(later.act is Act.RESIGN for later in game.turns[t + 1 :])
            found += [Loss(Lost.TABLE, g, t)] * (turn.after is not None)
            found += [Loss(Lost.UNKNOWN, g, t)] * (turn.act is Act.PLAY and turn.play is None and not last)
    return tuple(found)
