"""The first pass over a recording: pictures → cached looks. What was read once is not read again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from itertools import chain, islice, pairwise
from pathlib import Path

import msgspec
from msgspec.structs import replace

from engine.errors import KibitzError, RecordError
from engine.gnubg_id import from_position_id
from engine.rules import Ruleset, ruleset
from engine.xgid import parse_xgid
from kibitz import calibration
from kibitz.acquire import Acquired, acquire, first_of, locate
from kibitz.borne_off import quarters
from kibitz.cube_watch import CubeWatch
from kibitz.files import OutputError
from kibitz.looks import (
    BoardMoved,
    Done,
    Head,
    Item,
    LooksFile,
    Recording,
    head_of,
    identity_of,
    kept_bytes,
)
from kibitz.options import CallError, given_board, parse_position
from kibitz.threads import one_thread
from referee.counting import free_reading
from referee.events import Setup
from referee.evidence import Evidence, add
from referee.layout import DARK, LAYOUTS, LIGHT, Layout, table_of
from referee.observation import OFF_LIGHT, POINTS, UNSEEN, Observation, totals
from referee.start import start_tables
from vision.calibrate import Calibrated
from vision.dice import get_ready
from vision.errors import SourceError
from vision.geometry import BoardGeometry, Image
from vision.lens import unbent
from vision.net import read_points
from vision.reel import LAPSE, reel
from vision.skim import Skimmer
from vision.source import Frame, Source, open_source

#: So many frames after the first tell whether it is a time lapse.
FIRST = 3
#: By so much (natural log) the first picture must tell in which direction a position lies.
SHOWN = 6.0
#: `--position` may say that the picture itself tells where the checkers stand.
READ = "read"


class Wanted(msgspec.Struct, frozen=True):
    """How a video is to be read. `position`: an XGID, a position ID, counts in image order, or `read`;
    `lapse`: seconds of real time between two pictures.
    """

    setup: Setup = Setup()
    corners: str | None = None
    calibration: Path | None = None
    position: str | None = None
    lapse: float | None = None
    #: tables (24 or 28 counts) that it may begin with besides the start
    known: tuple[tuple[int, ...], ...] = ()


At = Callable[[float], None]
#: Hears the head of a recording and then its items, those that were kept first, as they are read.
Hear = Callable[[Head | Item], None]


def skim(
    video: str, wanted: Wanted, looks: Path, at: At = lambda _: None, hear: Hear = lambda _: None
) -> Recording:
    """Read a video into its file of looks, or go on with one that was broken off; `at` hears how far it is.
    What is there already, whole, is not heard.

    Raises:
        KibitzError: no board, not the start, a broken source; the looks so far are kept.
    """
    with one_thread(), ThreadPoolExecutor(1) as beside:
        return _skimmed(video, wanted, looks, at, hear, beside)


def _skimmed(video: str, wanted: Wanted, looks: Path, at: At, hear: Hear, beside: Executor) -> Recording:
    source = open_source(video)
    kept = _kept(looks, source, asked_of(wanted))
    if kept is not None and kept.done:
        return kept.renamed(wanted.setup)
    # while the board is looked for
    beside.submit(get_ready)
    keep, after = 0, -1.0
    if kept is not None and kept.until > 0:
        began, setup = _again(source, kept, wanted), kept.head.setup
        keep, after = kept_bytes(looks), kept.until
    else:
        began, setup = first_look(source, wanted)
    learned, at_t = began[0].calibrated, began[0].frame.t
    head = head_of(source.url, setup, learned.board, learned.table, at_t, asked_of(wanted))
    known = (kept if kept is not None and keep else Recording(head, ())).renamed(wanted.setup)
    for item in chain([known.head], known.kept):
        hear(item)
    try:
        with LooksFile(looks, head, keep) as file:
            for t, new in _items(source, began, setup, wanted, after, beside):
                at(t)
                if new is not None:
                    hear(file.write(new))
    except SourceError as error:
        raise SourceError(f"{error}; what was read until then: kibitz review {looks}") from error
    except KibitzError:
        raise
    except OSError as error:
        raise OutputError(f"{looks}: cannot be written ({error.strerror}); choose another folder") from error
    return Recording.load(looks).renamed(wanted.setup)


def asked_of(wanted: Wanted) -> str:
    """What the reading of the pictures depends on: of the game only its dice and its start."""
    rules = ruleset(wanted.setup.rules)
    given = (wanted.corners, wanted.calibration, wanted.position, wanted.lapse)
    return repr((*given, rules.dice, rules.start.points, rules.doubling_cube))


def _kept(looks: Path, source: Source, asked: str) -> Recording | None:
    """The looks at this very video, asked for in the same way, if they were kept."""
    if not looks.exists():
        return None
    try:
        kept = Recording.load(looks)
    except RecordError:
        return None
    identity = identity_of(Path(source.url.partition(":")[2]))
    drawn = source.url.startswith("synth:") and kept.head.source == source.url
    same = kept.head.identity == identity and (identity != "" or drawn)
    return kept if same and kept.head.asked == asked else None


Began = tuple[Acquired, Iterator[Frame]]


def first_look(source: Source, wanted: Wanted) -> tuple[Began, Setup]:
    """The learned board with the frames that follow, and the set-up with what the picture told.

    Raises:
        KibitzError: no board, not the start, a broken source, a bad calibration or position.
    """
    rules = ruleset(wanted.setup.rules)
    frames = iter(reel(source, wanted.lapse))
    first = first_of(frames, source.url)
    board = given_board(wanted.corners, first.image)
    setups = _setups_of(wanted, rules, first, board)
    if wanted.calibration is not None:
        found = Acquired(calibration.load(wanted.calibration), first)
        setup = _lying(setups, first.image, found.calibrated.board)
        if setup.start is None:
            setup = _from_calibration(setup, rules, found.calibrated.table)
        return (found, frames), setup
    given = [setup.start for setup in setups if setup.start is not None]
    tables = [*(given or [table for _, table in start_tables(rules)]), *wanted.known]
    began = acquire(chain([first], frames), tables, board, patient=False)
    return (began, frames), _shown(setups, began.calibrated.table)


def _shown(setups: Sequence[Setup], table: tuple[int, ...]) -> Setup:
    """The one whose position lay there; where it may lie so in several directions the plays must tell."""
    fit = [setup for setup in setups if setup.start is not None and setup.start[:POINTS] == table]
    return replace(fit[0], layout=None) if len(fit) > 1 else (fit or setups)[0]


def _lying(setups: Sequence[Setup], image: Image, board: BoardGeometry) -> Setup:
    """The one whose position a picture of a known board shows, of several directions in which it may lie."""
    starts = list(dict.fromkeys(setup.start for setup in setups if setup.start is not None))
    if len(starts) < 2:
        return setups[0]
    evidence = _read_first(image, board)
    first, second = sorted(starts, key=evidence.fit, reverse=True)[:2]
    if evidence.fit(first) - evidence.fit(second) < SHOWN:
        raise CallError(
            "--position: the first picture does not show in which direction it lies; "
            "give 24 counts in image order, or a video that begins without hands"
        )
    return _shown(setups, first[:POINTS])


def _from_calibration(setup: Setup, rules: Ruleset, table: tuple[int, ...]) -> Setup:
    """A calibration that was made from no start tells where the game begins."""
    if any(start[:POINTS] == table for _, start in start_tables(rules)):
        return setup
    return replace(setup, start=_whole(table, totals(table)))


def _whole(table: tuple[int, ...], men: tuple[int, int]) -> tuple[int, ...]:
    """28 counts from 24, or 26 with the bars. What is missing of `men` was borne off; of 24 counts it is on
    the bar where the side stands in more than one quarter of the board, so that it cannot bear off.
    """
    light, dark = totals(table)
    missing = (men[0] - light, dark - men[1])
    if len(table) > POINTS:
        return (*table, *missing)
    away = [quarters(table, sign) > 1 for sign in (1, -1)]
    return (
        *table,
        *(n if on_bar else 0 for n, on_bar in zip(missing, away, strict=True)),
        *(0 if on_bar else n for n, on_bar in zip(missing, away, strict=True)),
    )


def _setups_of(
    wanted: Wanted, rules: Ruleset, first: Frame, board: BoardGeometry | None
) -> tuple[Setup, ...]:
    """The set-up with the start that `--position` tells: several where this may lie in several directions."""
    text, setup = wanted.position, wanted.setup
    if text is None:
        return (setup,)
    if text == READ:
        return (replace(setup, start=_read_start(first.image, board, rules)),)
    layouts = LAYOUTS if setup.layout is None else (setup.layout,)
    told = [(layout, *position_given(text, layout, rules)) for layout in layouts]
    if told[0][2] is None:
        # counts in image order show no directions of play: the plays will
        return (replace(setup, start=told[0][1]),)
    return tuple(replace(setup, start=start, layout=layout, side=side) for layout, start, side in told)


def position_given(text: str, layout: Layout, rules: Ruleset) -> tuple[tuple[int, ...], int | None]:
    """28 counts, and who is to move where the text says so.

    Raises:
        CallError: it is no XGID, no position ID and no 24 counts.
    """
    if "," in text or " " in text.strip():
        counts = parse_position(text)
        return _whole(counts, (rules.men, rules.men)), None
    try:
        if text.upper().startswith("XGID"):
            told = parse_xgid(text)
            # light is the player of the capital letters
            return table_of(layout, rules, LIGHT, told.position), LIGHT if told.turn == 1 else DARK
        return table_of(layout, rules, LIGHT, from_position_id(text)), LIGHT
    except (ValueError, RecordError) as error:
        raise CallError(f"--position {text!r}: {error}; give an XGID, a position ID or 24 counts") from error


def _read_start(image: Image, board: BoardGeometry | None, rules: Ruleset) -> tuple[int, ...]:
    """The position that the first picture shows, by the point network and the number of checkers."""
    evidence = _read_first(image, board if board is not None else locate(image))
    found, _ = free_reading(evidence, (rules.men, rules.men), (0, 0))
    if found is None:
        raise CallError(f"--position {READ}: the picture could not be read; give the position as an XGID")
    return found


def _read_first(image: Image, board: BoardGeometry) -> Evidence:
    beliefs = read_points(unbent(image, board.lens), board)
    bar = (beliefs[POINTS], beliefs[POINTS + 1])
    return add(Evidence(), Observation(0.0, tuple(beliefs[:POINTS]), bar, (UNSEEN, UNSEEN)))


def _again(source: Source, kept: Recording, wanted: Wanted) -> Began:
    """Learn again from the frame that the board was learned from, and go on where the looks end."""
    head = kept.head
    frames = iter(reel(source, wanted.lapse, after=head.learned_at - 1e-3))
    first = first_of(frames, source.url)
    moved = deque((item.board for item in kept.kept if isinstance(item, BoardMoved)), maxlen=1)
    board = next(iter(moved), head.board)
    shown = head.setup.start or head.table
    learned = calibration.learned_from(unbent(first.image, head.board.lens), head.board, shown)
    calibrated = Calibrated(board, learned.learned, head.table)
    return Acquired(calibrated, first), frames


def _items(
    source: Source, began: Began, setup: Setup, wanted: Wanted, after: float, beside: Executor
) -> Iterator[tuple[float, Item | None]]:
    """What each frame after `after` has to say."""
    acquired, frames = began
    rules = ruleset(setup.rules)
    men = rules.men if setup.start is None else max(totals(setup.start[:OFF_LIGHT]))
    t, skimmer, cubes = acquired.frame.t, None, CubeWatch()
    following = list(islice(frames, FIRST))
    apart = min((b.t - a.t for a, b in pairwise([acquired.frame, *following])), default=0.0)
    slow = wanted.lapse is not None or apart > LAPSE or source.url.startswith("images:")
    for frame in chain([acquired.frame], following, frames):
        t = frame.t
        if t <= after:
            continue
        if skimmer is None:
            skimmer = Skimmer(acquired.calibrated, frame.image, men, lapse=slow, beside=beside)
        board = skimmer.board
        item = skimmer.frame(t, frame.image)
        if skimmer.board != board:
            yield t, BoardMoved(t, skimmer.board)
        yield t, item
        if item is not None and rules.doubling_cube and cubes.due(item, frame.image, skimmer.board):
            yield t, cubes.look(t, frame.image, skimmer.board)
    yield t, Done(t)
