"""OGXM through the `ogxm` package (an extra): side 0 is its White. What OGXM has no field for goes into
annotations of ours, which other programs pass on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from engine.canonical import canonical
from engine.errors import RecordError
from engine.notation import format_play, parse_word
from engine.plays import Hop
from engine.position import BAR, MEN, OFF, PLACES, POINTS, Position, turned
from engine.record import VIDEO, Act, Game, Match, Turn, after_turn, walk
from engine.repairs import Loss, Lost
from engine.resolve import apply_hops
from engine.rules import BACKGAMMON, RULESETS, Roll, Ruleset

MAGIC = b"OGXM"
_DICE = [(a, b) for a in range(1, 7) for b in range(a, 7)]
_DOUBLE, _TAKE, _DROP, _RESIGN, _TABLE, _BEAVER, _PASS = 21, 22, 23, 27, 31, 32, 37
_ACTS = {_DOUBLE: Act.DOUBLE, _TAKE: Act.TAKE, _DROP: Act.DROP, _RESIGN: Act.RESIGN, _BEAVER: Act.BEAVER}
_CODES = {act: code for code, act in _ACTS.items()}
#: More checkers of a side than any table has, and still safe for the generator.
_MEN = 60
_RESIGNED = {1: "single", 2: "gammon", 3: "backgammon"}
_HOPS, _NOTE, _UNKNOWN, _RULES, _LABEL, _UNTIL, _SURE = (
    f"x-kibitz-{name}" for name in ("hops", "note", "unknown", "rules", "label", "until-ms", "confidence")
)

_Doc = dict[str, Any]


def _codec() -> Any:
    try:
        import ogxm
    except ImportError as missing:
        raise RecordError("OGXM needs the ogxm package: pip install 'kibitz[ogxm]'") from missing
    return ogxm


def read_ogxm(data: bytes) -> Match:
    """The match of an OGXM file.

    Raises:
        RecordError: it cannot be read, or the `ogxm` package is missing.
    """
    ogxm = _codec()
    try:
        document = ogxm.binary_to_json(data)
        return _match(document)
    except ogxm.OgxmError as bad:
        raise RecordError(f"this OGXM file cannot be read: {bad}") from bad
    except (KeyError, ValueError, TypeError, IndexError, OverflowError) as bad:
        raise RecordError(f"this OGXM file holds what Kibitz does not know: {bad!r}") from bad


def _match(document: _Doc) -> Match:
    notes = {(a["scope"], a["ref"], a["key"]): a["value"] for a in document.get("annotations", ())}
    rules = RULESETS[notes.get(("match", 0, _RULES), BACKGAMMON.name)]
    labels = [json.loads(value) for (_, _, key), value in notes.items() if key.startswith(_LABEL)]
    games: list[Game] = []
    score = [int(document.get(f"{colour}_score_start") or 0) for colour in ("white", "black")]
    first = 0
    for record in document["games"]:
        plies = [ply | {"notes": notes, "ref": first + n} for n, ply in enumerate(record["plies"])]
        games.append(_game(record, plies, (score[0], score[1]), rules))
        first += len(plies)
        if games[-1].winner is not None:
            score[games[-1].winner or 0] += games[-1].points
    return Match(
        (str(document.get("player_white") or "White"), str(document.get("player_black") or "Black")),
        int(document.get("match_length") or 0),
        rules.name,
        tuple(games),
        tuple((str(key), str(value)) for key, value in labels),
    )


def _game(record: _Doc, plies: list[_Doc], score: tuple[int, int], rules: Ruleset) -> Game:
    start = None if record.get("is_default_board", True) else _table(record["initial_board"])
    winner = record.get("winner") if record.get("winner") in (0, 1) else None
    points = int(record.get("points_won") or 0) if winner is not None else 0
    position, view, cube = start or rules.start, 0, 1
    turns: list[Turn] = []
    for ply in plies:
        side = 1 - int(ply.get("color") or 0)
        if ply["action_id"] == _TABLE and ply.get("illegal"):
            side = 1 - side
        if side != view:
            position, view = turned(position, rules), side
        turn = _turn(ply, side, position, cube, points, rules)
        if turn is not None:
            turn = _when(turn, ply)
            turns.append(turn)
            cube = turn.value if turn.act in (Act.DOUBLE, Act.BEAVER) else cube
            position = after_turn(position, turn, rules) if turn.act is Act.PLAY else position
    crawford = bool(record.get("is_crawford"))
    game, _ = canonical(Game(tuple(turns), score, winner, points, start, crawford), rules)
    return game


def _turn(ply: _Doc, side: int, position: Position, cube: int, points: int, rules: Ruleset) -> Turn | None:
    """One ply as a turn; None for a ply that is none (a pass, a marker of an end)."""
    code, note = ply["action_id"], ply["notes"].get(("ply", ply["ref"], _NOTE), "")
    if code < len(_DICE):
        unknown = ("ply", ply["ref"], _UNKNOWN) in ply["notes"]
        hops = tuple(_hop(move, side) for move in ply.get("moves", ()))
        return Turn(side, _DICE[code][::-1], None if unknown else hops, note=note)
    if code == _TABLE and ply.get("d1"):
        roll = (max(ply["d1"], ply["d2"]), min(ply["d1"], ply["d2"]))
        return _illegal_turn(ply, side, roll, position, note, rules)
    if code not in _ACTS:
        return None
    act = _ACTS[code]
    raised = {Act.DOUBLE: 2 * cube, Act.BEAVER: 2 * cube, Act.RESIGN: points}
    return Turn(side, act=act, value=raised.get(act, 0), note=note)


def _when(turn: Turn, ply: _Doc) -> Turn:
    """The turn with its time in the video: OGXM has room for its beginning, a note of ours for its end."""
    sure = ply["notes"].get(("ply", ply["ref"], _SURE))
    if sure is not None:
        turn = replace(turn, confidence=min(1.0, max(0.0, float(sure))))
    if ply.get("video_ms") is None:
        return turn
    begin = int(ply["video_ms"])
    until = int(ply["notes"].get(("ply", ply["ref"], _UNTIL), begin))
    return replace(turn, t=(begin / 1000, max(begin, until) / 1000))


def _illegal_turn(ply: _Doc, side: int, roll: Roll, position: Position, note: str, rules: Ruleset) -> Turn:
    seen = _table(ply["set_position"])
    after = turned(seen, rules) if side else seen
    text = ply["notes"].get(("ply", ply["ref"], _HOPS))
    if text is None:
        return Turn(side, roll, None, stood_illegal=True, note=note, after=after)
    hops = tuple(Hop(*hop) for word in text.split() for hop in parse_word(word))
    told = apply_hops(position, hops, rules) == after
    return Turn(side, roll, hops, stood_illegal=True, note=note, after=None if told else after)


def _hop(move: _Doc, side: int) -> Hop:
    src = int(move["from"]) if side else BAR - int(move["from"])
    if not OFF < src <= BAR:
        raise ValueError(f"a move from {move['from']}")
    return Hop(src, max(OFF, src - int(move["pips"])))


def _table(absolute: list[int]) -> Position:
    """White's position of a table: White counts +, climbs from 1 to 24; [0] is its bar, [25] Black's."""
    if len(absolute) != PLACES or any(abs(n) > MEN for n in absolute):
        raise ValueError(f"the table {absolute}")
    position = Position.of([absolute[BAR - own] for own in range(PLACES)])
    if max(position.men()) > _MEN:
        raise ValueError(f"a table with {max(position.men())} checkers of a side")
    return position


def write_ogxm(match: Match) -> bytes:
    """The match as OGXM; `losses_ogxm` tells what that leaves out.

    Raises:
        RecordError: the game's rules or a turn do not fit the format, or the `ogxm` package is missing.
    """
    ogxm, rules = _codec(), match.ruleset
    if rules.dice != 2 or rules.eats or rules.mirror(1) != POINTS:
        raise RecordError(f"OGXM holds games on backgammon's table only, not {match.rules}; use .jsonl")
    document = _document(match, rules)
    broken = ogxm.v2_problem(document)
    if broken is not None:
        raise RecordError(f"OGXM cannot hold this match: its rule {broken!r} is broken; use .jsonl")
    try:
        return bytes(ogxm.json_to_binary(document))
    except ogxm.OgxmError as bad:
        raise RecordError(f"OGXM cannot hold this match: {bad}; use .jsonl") from bad


def _document(match: Match, rules: Ruleset) -> _Doc:
    notes: list[_Doc] = []
    if match.rules != BACKGAMMON.name:
        notes.append({"scope": "match", "ref": 0, "key": _RULES, "value": match.rules})
    for number, label in enumerate(match.headers):
        text = json.dumps(label, ensure_ascii=False)
        notes.append({"scope": "match", "ref": 0, "key": f"{_LABEL}{number:03}", "value": text})
    games: list[_Doc] = []
    first = 0
    for number, game in enumerate(match.games):
        plies = list(_plies(game, rules))
        notes += [note | {"ref": first + n} for n, (_, marks) in enumerate(plies) for note in marks]
        games.append(_record(number, game, [ply for ply, _ in plies]))
        first += len(plies)
    start = match.games[0].score if match.games else (0, 0)
    document = {
        "ogxm": {"major": 2, "minor": 2},
        "match_length": match.length,
        "player_white": match.names[0],
        "player_black": match.names[1],
        "games": games,
        "annotations": sorted(notes, key=lambda note: (note["scope"], note["ref"], note["key"])),
        "beaver": any(t.act is Act.BEAVER for g in match.games for t in g.turns),
    }
    scores = {f"{colour}_score_start": n for colour, n in zip(("white", "black"), start, strict=True) if n}
    film = next((value for key, value in match.headers if key == VIDEO), None)
    where = {} if film is None else {"video_info": {"kind": "file", "url": film, "offset_ms": 0}}
    return document | scores | where


def _record(number: int, game: Game, plies: list[_Doc]) -> _Doc:
    record: _Doc = {"game_index": number, "plies": plies, "is_crawford": game.crawford}
    if game.winner is not None:
        record |= {"winner": game.winner, "points_won": game.points}
    if game.start is not None:
        record["initial_board"] = _absolute(game.start)
    return record


def _plies(game: Game, rules: Ruleset) -> Iterator[tuple[_Doc, list[_Doc]]]:
    """Each ply with its annotations; a side that did not throw, because it could not move, passes."""
    last: Turn | None = None
    cube = 1
    for turn, position in walk(game, rules):
        again = last is not None and last.act is turn.act is Act.PLAY and last.side == turn.side
        # A table that comes first would be taken for the game's start.
        if again or (last is None and _as_table(turn)):
            yield {"action_id": _PASS, "color": turn.side}, []
        marks = [{"scope": "ply", "key": _NOTE, "value": turn.note}] if turn.note else []
        if turn.act is Act.PLAY:
            ply, more = _play_ply(turn, position, rules)
        else:
            ply, more = {"action_id": _CODES[turn.act], "color": 1 - turn.side}, []
            if turn.act is Act.RESIGN:
                ply["resign_value"] = _RESIGNED.get(turn.value // cube, "single")
        yield ply | _moment(turn), [*marks, *more, *_seen(turn)]
        cube = turn.value if turn.act in (Act.DOUBLE, Act.BEAVER) else cube
        last = turn


def _moment(turn: Turn) -> _Doc:
    return {} if turn.t is None else {"video_ms": round(1000 * turn.t[0])}


def _seen(turn: Turn) -> list[_Doc]:
    until = None if turn.t is None else str(round(1000 * turn.t[1]))
    sure = None if turn.confidence is None else f"{turn.confidence:.4f}"
    found = {_UNTIL: until, _SURE: sure}
    return [{"scope": "ply", "key": key, "value": value} for key, value in found.items() if value is not None]


def _as_table(turn: Turn) -> bool:
    """Whether OGXM can only tell the table after this play."""
    return turn.act is Act.PLAY and (turn.stood_illegal or turn.after is not None)


def _play_ply(turn: Turn, position: Position, rules: Ruleset) -> tuple[_Doc, list[_Doc]]:
    low, high = sorted(turn.roll)
    if _as_table(turn):
        after = after_turn(position, turn, rules)
        seen = turned(after, rules) if turn.side else after
        board = {"action_id": _TABLE, "color": turn.side, "d1": low, "d2": high, "illegal": True}
        text = None if turn.play is None else format_play(turn.play, joined=False)
        hops = [] if text is None else [{"scope": "ply", "key": _HOPS, "value": text}]
        return board | {"set_position": _absolute(seen)}, hops
    moves = [
        {"from": src if turn.side else BAR - src, "pips": pips}
        for src, pips in _pips(turn.play or (), [low, high] * (1 + (low == high)))
    ]
    dice = {"action_id": _DICE.index((low, high)), "d1": low, "d2": high}
    unknown = [{"scope": "ply", "key": _UNKNOWN, "value": "1"}] if turn.play is None else []
    return dice | {"color": 1 - turn.side, "moves": moves}, unknown


def _pips(hops: tuple[Hop, ...], dice: list[int]) -> Iterator[tuple[int, int]]:
    """Each hop's source and the die it used: bearing off may use a larger one than the way is long."""
    for src, dst, _ in hops:
        fits = [die for die in dice if die == src - dst or (dst == OFF and die > src)]
        die = min(fits, default=src - dst)
        if die in dice:
            dice.remove(die)
        yield src, die


def _absolute(white: Position) -> list[int]:
    return [white.points[BAR - place] for place in range(PLACES)]


def losses_ogxm(match: Match) -> tuple[Loss, ...]:
    """What `write_ogxm` leaves out: the order of the dice, and scores that do not follow from the games."""
    found: list[Loss] = []
    score = match.games[0].score if match.games else (0, 0)
    for g, game in enumerate(match.games):
        found += [Loss(Lost.SCORE, g)] * (game.score != score)
        if game.winner is not None:
            score = (score[0] + game.points * (game.winner == 0), score[1] + game.points * game.winner)
        for t, turn in enumerate(game.turns):
            found += [Loss(Lost.DICE_ORDER, g, t)] * (list(turn.roll) != sorted(turn.roll, reverse=True))
    return tuple(found)
