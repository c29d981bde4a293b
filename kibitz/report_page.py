"""The report on a match as one HTML file that needs nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from engine.notation import format_play
from engine.record import Match
from kibitz import __version__
from kibitz.analysis import BLUNDER, ERROR, CubeError, Judgement, Rates, rates
from kibitz.board_svg import board
from kibitz.coach import known
from kibitz.facts import Moment, SideFacts, moments, race_start, side_facts
from kibitz.graph_svg import graph
from kibitz.lang import Language
from kibitz.markup import Markup, el, join
from kibitz.wording import done, played, verdict, wrongs

CSS = Path(__file__).with_name("report.css")


@dataclass(frozen=True, slots=True)
class Findings:
    """What the report tells. `engine` "": none; `judged`, `refused` by game; `video`: a link, None: none."""

    match: Match
    file: str
    engine: str = ""
    plies: int = 0
    judged: Mapping[int, Judgement] = field(default_factory=dict)
    refused: Mapping[int, str] = field(default_factory=dict)
    video: str | None = None


def page(findings: Findings, language: Language) -> str:
    """The whole page. Every text of the record is escaped."""
    match, say = findings.match, language.say
    title = say("report_title", one=match.names[0], other=match.names[1])
    kind = say("match_length", length=match.length) if match.length else say("money_play")
    inner = join(
        el("h1", title),
        el("p", f"{match.rules}, {kind}", class_="soft"),
        *_sources(findings, language),
        el("h2", say("figures")),
        el("div", _figures(findings, language), class_="wide"),
        *(_game(number, findings, language) for number in range(len(match.games))),
        el("footer", say("made_by", version=__version__, file=findings.file)),
    )
    head = join(
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("title", title),
        el("style", Markup(CSS.read_text(encoding="utf-8"))),
    )
    return "<!doctype html>\n" + el("html", el("head", head), el("body", inner), lang=language.code)


def _sources(findings: Findings, language: Language) -> Iterator[Markup]:
    say = language.say
    if not findings.engine:
        mend = say("no_engine_mend") if known(findings.match.ruleset) else say("engine_unknown")
        yield el("p", f"{say('no_engine')} {mend}")
        return
    yield el("p", say("judged_by", engine=findings.engine, plies=findings.plies))
    if findings.match.rules != "backgammon":
        yield el("p", say("judged_as"))
    yield el("p", say("rating_note"), class_="soft")


def _figures(findings: Findings, language: Language) -> Markup:
    match = findings.match
    rows = [] if not findings.judged else list(_rate_rows(findings, language))
    rows += _fact_rows(match, language)
    head = el("tr", el("th"), *(el("th", name, class_="n") for name in match.names))
    lines = [
        el("tr", el("th", label), *(el("td", value, class_="n") for value in values), class_=kind)
        for label, values, kind in rows
    ]
    return el("table", head, *lines)


Row = tuple[str, tuple[str, str], str | None]


def _rate_rows(findings: Findings, language: Language) -> Iterator[Row]:
    one, two = (rates(findings.match, findings.judged, side) for side in (0, 1))

    def row(key: str, tell: str, low: float = 0, main: bool = False) -> Row:
        values = (_figure(one, tell), _figure(two, tell))
        return language.say(key, low=low), values, "main" if main else None

    yield row("f_rating", "rating", main=True)
    yield row("f_rate", "per_decision")
    yield row("f_lost", "lost")
    yield row("f_cube_lost", "cube_lost")
    yield row("f_decisions", "decisions")
    yield row("f_errors", "errors", ERROR)
    yield row("f_blunders", "blunders", BLUNDER)
    if one.luck is not None or two.luck is not None:
        yield row("f_luck", "luck")


def _figure(side: Rates, name: str) -> str:
    value = getattr(side, name)
    if value is None:
        return "–"
    if isinstance(value, int):
        return str(value)
    digits = 1 if name in ("rating", "per_decision") else 3
    return f"{value:+.{digits}f}" if name == "luck" else f"{value:.{digits}f}"


def _fact_rows(match: Match, language: Language) -> Iterator[Row]:
    sides = (side_facts(match, 0), side_facts(match, 1))
    eats = match.ruleset.eats
    names = [
        "games",
        "points",
        "rolls",
        "average",
        "doubles",
        "dances",
        "eaten" if eats else "hits",
        "illegal",
    ]
    if any(side.seconds is not None for side in sides):
        names += ["time", "longest"]
    for name in names:
        yield language.say(f"f_{name}"), (_fact(sides[0], name), _fact(sides[1], name)), None


def _fact(side: SideFacts, name: str) -> str:
    if name == "average":
        return f"{side.pips_rolled / side.rolls:.2f}" if side.rolls else "–"
    if name in ("time", "longest"):
        seconds = side.seconds if name == "time" else side.longest
        return "–" if seconds is None else clock(seconds)
    fields = {"games": "won", "eaten": "hits"}
    return str(getattr(side, fields.get(name, name)))


def _game(number: int, findings: Findings, language: Language) -> Markup:
    match, say = findings.match, language.say
    game = match.games[number]
    played_turns = moments(game, match.ruleset)
    score = say("game_score", one=game.score[0], other=game.score[1])
    end = say("game_open")
    if game.winner is not None:
        end = say("game_won", name=match.names[game.winner], points=game.points)
    refused = findings.refused.get(number)
    return join(
        el("h2", say("game_n", number=number + 1)),
        el("p", f"{score}; {end}"),
        *([] if refused is None else [el("p", say("engine_refused", why=refused), class_="bad")]),
        *_graphs(number, played_turns, findings, language),
        _race(played_turns, match, language),
        *([_blunders(number, played_turns, findings, language)] if number in findings.judged else []),
        _all_turns(number, played_turns, findings, language),
    )


def _race(played_turns: list[Moment], match: Match, language: Language) -> Markup:
    if match.ruleset.eats or not played_turns:
        return Markup()
    start = race_start(played_turns)
    if start is None:
        return el("p", language.say("no_race"))
    one, other = start.pips
    return el("p", language.say("race_from", turn=start.number + 1, one=one, other=other))


def _graphs(
    number: int, played_turns: list[Moment], findings: Findings, language: Language
) -> Iterator[Markup]:
    match = findings.match
    judged = findings.judged.get(number)
    names = join(
        el("span", class_="key one"), f"{match.names[0]}  ", el("span", class_="key two"), match.names[1]
    )
    if judged is not None and any(play.equity is not None for play in judged.plays.values()):
        title = language.say("g_equity", name=match.names[0])
        curve, blunders = [], []
        for moment in played_turns:
            play = judged.plays.get(moment.number)
            sign = 1 if moment.turn.side == 0 else -1
            curve.append(None if play is None or play.equity is None else sign * play.equity)
            if play is not None and (play.cost or 0.0) >= BLUNDER:
                blunders.append(moment.number)
        high = max(1.0, *(abs(value) for value in curve if value is not None))
        drawn = graph(title, [("one", curve)], -high, high, dots=blunders, digits=1)
        yield el("figure", drawn, el("figcaption", title, class_="soft"))
    if played_turns:
        key = "men" if match.ruleset.eats else "pips"
        pairs = [getattr(moment, key) for moment in played_turns]
        title, high = language.say(f"g_{key}"), max(max(pair) for pair in pairs) or 1
        curves = [("one", [pair[0] for pair in pairs]), ("two", [pair[1] for pair in pairs])]
        caption = el("figcaption", f"{title}: ", names, class_="soft")
        yield el("figure", graph(title, curves, 0, high), caption)


def _blunders(number: int, played_turns: list[Moment], findings: Findings, language: Language) -> Markup:
    judged = findings.judged[number]
    worst = [m for m in played_turns if (cost := _cost(judged, m.number)) is not None and cost >= ERROR]
    worst.sort(key=lambda moment: -(_cost(judged, moment.number) or 0.0))
    cube = [
        _cube_line(error, count, played_turns, findings, language)
        for error, count in Counter(judged.cube).items()
        if error.cost >= ERROR
    ]
    pictures = [_blunder(moment, judged, findings, language) for moment in worst]
    if not pictures and not cube:
        return el("p", language.say("no_blunders", low=ERROR))
    return join(el("h3", language.say("blunders")), *cube, el("div", *pictures, class_="pair"))


def _cube_line(
    error: CubeError, count: int, played_turns: list[Moment], findings: Findings, language: Language
) -> Markup:
    what = language.say(f"e_{error.kind}") + (f" (×{count})" if count > 1 else "")
    name, cost = findings.match.names[error.side], f"{error.cost * count:.3f}"
    told = language.say("cube_cost", name=name, what=what, cost=cost)
    return el("p", told, *_clip(played_turns, error.turn, findings, language))


def _cost(judged: Judgement, turn: int) -> float | None:
    play = judged.plays.get(turn)
    return None if play is None else play.cost


def _blunder(moment: Moment, judged: Judgement, findings: Findings, language: Language) -> Markup:
    play, turn = judged.plays[moment.number], moment.turn
    name, roll = findings.match.names[turn.side], "-".join(map(str, turn.roll))
    picture = board(
        moment.position, turn.side, played=turn.play or (), best=play.best,
        alt=language.say("board_alt", name=name, roll=roll),
    )  # fmt: skip
    cost = language.say("costs", cost=f"{play.cost:.3f}")
    caption = el(
        "figcaption",
        el("strong", f"{moment.number + 1}. {name} {roll}: {cost}"),
        *_clip([moment], moment.number, findings, language),
        _keyed("best", language.say("was_best", play=format_play(play.best))),
        _keyed("", language.say("was_played", play=played(turn, language))),
    )
    return el("figure", picture, caption)


def _keyed(kind: str, text: str) -> Markup:
    return el("div", el("span", class_=f"key {kind}"), text)


def _clip(
    played_turns: list[Moment], turn: int | None, findings: Findings, language: Language
) -> Iterator[Markup]:
    """A link to where the turn begins in the video."""
    moment = next((m for m in played_turns if m.number == turn), None)
    if findings.video is None or moment is None or moment.turn.t is None:
        return
    begin = moment.turn.t[0]
    yield Markup(" ")
    yield el("a", language.say("clip", time=clock(begin)), href=f"{findings.video}#t={begin:.1f}")


def _all_turns(number: int, played_turns: list[Moment], findings: Findings, language: Language) -> Markup:
    game, judged = findings.match.games[number], findings.judged.get(number)
    timed = any(turn.t is not None for turn in game.turns)
    heads = ["h_turn", "h_side", "h_done", "h_pips", *(["h_cost", "h_luck"] if judged else []), "h_verdict"]
    heads += ["h_time"] if timed else []
    wrong = wrongs(game, findings.match.ruleset)
    rows = []
    for moment in played_turns:
        cells = [
            el("td", str(moment.number + 1), class_="n"),
            el("td", findings.match.names[moment.turn.side]),
        ]
        cells.append(el("td", done(moment.turn, language)))
        cells.append(el("td", "–".join(map(str, moment.pips)), class_="n"))
        cells += _judged_cells(judged, moment.number) if judged else []
        told = verdict(moment.number, moment.turn, wrong, language)
        cells.append(el("td", told, class_="bad" if moment.number in wrong else None))
        cells += [_time_cell(moment, findings)] if timed else []
        rows.append(el("tr", *cells))
    table = el("table", el("tr", *(el("th", language.say(head)) for head in heads)), *rows)
    return el("details", el("summary", language.say("all_plays")), el("div", table, class_="wide"))


def _judged_cells(judged: Judgement, turn: int) -> list[Markup]:
    play = judged.plays.get(turn)
    cost = "" if play is None or not play.cost else f"{play.cost:.3f}"
    luck = "" if play is None or play.luck is None else f"{play.luck:+.3f}"
    bad = play is not None and (play.cost or 0.0) >= BLUNDER
    return [el("td", cost, class_="n bad" if bad else "n"), el("td", luck, class_="n")]


def _time_cell(moment: Moment, findings: Findings) -> Markup:
    if moment.turn.t is None:
        return el("td")
    told = clock(moment.turn.t[0])
    if findings.video is None:
        return el("td", told, class_="n")
    return el("td", el("a", told, href=f"{findings.video}#t={moment.turn.t[0]:.1f}"), class_="n")


def clock(seconds: float) -> str:
    """Seconds as h:mm:ss or m:ss.

    >>> clock(3725.4)
    '1:02:05'
    """
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"
