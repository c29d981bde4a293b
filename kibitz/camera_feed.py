"""A camera (or a film as if live) as a feed: one thread keeps the newest frame, one reads it."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

import cv2

from kibitz.acquire import acquire
from kibitz.feed import Health, Known, Outline, Post, WrongBoard
from kibitz.health import HealthWatch
from kibitz.moment import Clock, FilmClock
from kibitz.pipeline import SURE
from kibitz.place_watch import PlaceWatch
from referee.events import Ended, Output, TurnPlayed
from referee.observation import POINTS
from referee.verdict import Difference
from vision.calibrate import Calibrated
from vision.corners import from_corners
from vision.errors import NoBoard, NotTheStart, SourceError
from vision.geometry import BoardGeometry, Image
from vision.lens import seen_corners, unbent
from vision.overlay import overlay
from vision.source import Frame, Source, open_source
from vision.watch import Watcher

_log = logging.getLogger(__name__)

#: Seconds before a lost source is tried again: doubled from the first to the last.
BACKOFF, MOST_BACKOFF = 0.5, 8.0
#: A source that sends nothing for so long (seconds) is taken for lost.
SILENT = 3.0
#: Kinds of sources that are not tried again: what is wrong with a file stays wrong.
FILMS = frozenset({"file", "images", "synth"})
#: Seconds between pictures that are encoded, however many people look on.
BETWEEN_PICTURES = 0.12
JPEG = [cv2.IMWRITE_JPEG_QUALITY, 80]


class Newest:
    """The newest frame only: who is slow misses some, nobody waits."""

    def __init__(self) -> None:
        self._ready = threading.Condition()
        self._frame: Frame | None = None
        self.put_count = self.dropped = 0

    def put(self, frame: Frame) -> None:
        with self._ready:
            self.dropped += self._frame is not None
            self.put_count += 1
            self._frame = frame
            self._ready.notify_all()

    def wait_taken(self, seconds: float) -> bool:
        """True once the last frame was taken; False when that takes longer."""
        with self._ready:
            return self._ready.wait_for(lambda: self._frame is None, seconds)

    def take(self, seconds: float) -> Frame | None:
        """The newest frame that was not taken yet, None when none comes in time."""
        with self._ready:
            self._ready.wait_for(lambda: self._frame is not None, seconds)
            frame, self._frame = self._frame, None
            self._ready.notify_all()
            return frame


@dataclass
class _Shown:
    """The last picture."""

    number: int = 0
    image: Image | None = None


def _not_found(t: float, error: NoBoard | NotTheStart) -> Health:
    """Why there is no board yet; a wrong start point by point."""
    if not isinstance(error, NotTheStart) or not error.wrong:
        return Health(t, "searching", str(error))
    wrong = WrongBoard(error.table[:POINTS], tuple(Difference(*differs) for differs in error.wrong))
    return Health(t, "searching", str(error), wrong=wrong)


class CameraFeed:
    """Watches one board through one source.

    `calibrated` None: the board is looked for, in a position that `known` names. `keep` is told of a board
    that was learned, with the picture and the table (24 counts) it was learned from.
    """

    def __init__(
        self,
        url: str,
        clock: Clock,
        speed: float = 1.0,
        calibrated: Calibrated | None = None,
        keep: Callable[[Image, Calibrated], None] = lambda _image, _learned: None,
        open_: Callable[[str], Source] = open_source,
    ) -> None:
        self.url = url
        self._clock, self._speed = clock, speed
        self._calibrated, self._keep, self._open = calibrated, keep, open_
        self._newest = Newest()
        self._closed = threading.Event()
        self._lessons: queue.SimpleQueue[tuple[int, ...]] = queue.SimpleQueue()
        self._shown = _Shown()
        self._encoding = threading.Lock()
        self._encoded: dict[bool, tuple[float, tuple[int, bytes]]] = {}
        self._watcher: Watcher | None = None
        self._place = PlaceWatch()
        self._threads: list[threading.Thread] = []
        self._ended = self._film = False
        self._corners: Outline = ()
        self._placed = False

    # --- what the game calls ---

    def start(self, post: Post, known: Callable[[], Known]) -> None:
        for name, run in (("capture", self._capture), ("vision", self._look)):
            self._threads.append(threading.Thread(target=run, args=(post, known), name=name, daemon=True))
        for thread in self._threads:
            thread.start()

    def heard(self, made: Iterable[Output]) -> None:
        for output in made:
            if isinstance(output, TurnPlayed) and output.confidence >= SURE and not output.stood_illegal:
                self._lessons.put(output.after)

    @property
    def pictures(self) -> int:
        return self._shown.number

    def picture(self, drawn: bool) -> tuple[int, bytes] | None:
        with self._encoding:  # once for all who look on; the vision thread never waits for that
            shown, now = self._shown, time.monotonic()
            if shown.image is None:
                return None
            made, kept = self._encoded.get(drawn, (float("-inf"), (0, b"")))
            if kept[0] != shown.number and now - made >= BETWEEN_PICTURES:
                _, data = cv2.imencode(".jpg", self._drawn(shown.image) if drawn else shown.image, JPEG)
                self._encoded[drawn] = (now, (shown.number, data.tobytes()))
            return self._encoded[drawn][1]

    @property
    def outline(self) -> Outline:
        watcher, image = self._watcher, self._shown.image
        if watcher is None or image is None:
            return self._corners
        height, width = image.shape[:2]
        return tuple((x / width, y / height) for x, y in seen_corners(watcher.board, (width, height)))

    def place(self, corners: Outline) -> bool:
        self._corners, self._placed = corners, True
        return True

    def close(self) -> None:
        self._closed.set()
        for thread in self._threads:
            thread.join(5.0)

    # --- the capture thread ---

    def _capture(self, post: Post, known: Callable[[], Known]) -> None:
        wait = BACKOFF
        while not self._closed.is_set():
            got = self._newest.put_count
            try:
                self._run_source(self._open(self.url), known)
                if self._ended or self._closed.is_set():
                    return
            except SourceError as error:
                if self.url.partition(":")[0] in FILMS:
                    self._closed.set()
                    post(Health(self._clock(), "ended", str(error)))
                    return
                post(Health(self._clock(), "unplugged", str(error)))
            wait = BACKOFF if self._newest.put_count > got else min(wait * 2, MOST_BACKOFF)
            self._closed.wait(wait)

    def _run_source(self, source: Source, known: Callable[[], Known]) -> None:
        """Frames of one opening of the source. A film waits until its start is seen: players would, too."""
        film = self._film = source.seconds is not None
        began = time.monotonic()
        for frame in source.frames():
            if film:
                self._closed.wait(max(0.0, began + frame.t / self._speed - time.monotonic()))
            if self._closed.is_set():
                return
            if isinstance(self._clock, FilmClock):
                self._clock.set(frame.t)
            self._newest.put(Frame(self._clock(), frame.image))
            if not film:
                continue
            starting = self._watcher is None or known().layout is None
            if starting or isinstance(self._clock, FilmClock):  # a patient film always waits
                waited = time.monotonic()
                while not self._newest.wait_taken(0.2) and not self._closed.is_set():
                    pass
                began += time.monotonic() - waited if starting else 0.0
        self._ended = film

    # --- the vision thread ---

    def _look(self, post: Post, known: Callable[[], Known]) -> None:
        """Watch until the source ends or the feed is closed; what fails is said, and the board looked for
        anew.
        """
        health = HealthWatch(SILENT)
        while not self._closed.is_set():
            try:
                self._watch(post, known, health)
                return
            except Exception as error:  # a thread that dies without a word would leave the players waiting
                _log.warning("the board is looked for anew", exc_info=error)
                post(Health(self._clock(), "searching", str(error).strip().splitlines()[0]))
                self._watcher, self._place, self._calibrated = None, PlaceWatch(), None
                self._closed.wait(BACKOFF)

    def _watch(self, post: Post, known: Callable[[], Known], health: HealthWatch) -> None:
        self._watcher = self._found(post, known, health)
        while self._watcher is not None and not self._closed.is_set():
            if self._placed:
                self._watcher, self._place = None, PlaceWatch()
                self._watcher = self._found(post, known, health)
                continue
            self._one(self._watcher, post, health)
            if self._ended and self._newest.wait_taken(0.0):
                post(Ended(self._clock()))
                post(Health(self._clock(), "ended"))
                return

    def _found(self, post: Post, known: Callable[[], Known], health: HealthWatch) -> Watcher | None:
        """The board, looked for until it is found."""
        if self._calibrated is not None and not self._corners:
            return Watcher(self._calibrated)
        while not self._closed.is_set():
            self._placed = False
            try:
                acquired = acquire(self._frames(post, health), known().tables, self._by_hand())
            except (NoBoard, NotTheStart) as error:
                if self._closed.is_set():
                    return None
                post(_not_found(self._clock(), error))
                if self._ended:
                    post(Health(self._clock(), "ended", str(error)))
                    return None
                continue
            self._keep(acquired.frame.image, acquired.calibrated)
            return Watcher(acquired.calibrated)
        return None

    def _by_hand(self) -> BoardGeometry | None:
        """The board between the corners that somebody set."""
        image = self._shown.image
        if not self._corners or image is None:
            return None
        height, width = image.shape[:2]
        a, b, c, d = ((x * width, y * height) for x, y in self._corners)
        return from_corners(image, (a, b, c, d))

    def _frames(self, post: Post, health: HealthWatch, seconds: float = 4.0) -> Iterator[Frame]:
        """Frames for one try at finding the board; their time starts from 0."""
        first = self._clock()
        while not self._closed.is_set() and self._clock() - first < seconds and not self._ended:
            frame = self._newest.take(0.2)
            if frame is None:
                continue
            self._show(frame)
            for news in health.frame(frame, film=self._film):
                post(news)
            yield Frame(frame.t - first, frame.image)

    def _one(self, watcher: Watcher, post: Post, health: HealthWatch) -> None:
        """One frame: whether the board still lies where it lay, what it shows, how well it is seen."""
        frame = self._newest.take(0.2)
        while not self._lessons.empty():
            watcher.confirm(self._lessons.get())
        if frame is None:
            for news in health.silent(self._clock()):
                post(news)
            return
        moved = self._place.frame(frame, watcher)
        if moved is not None:
            post(Health(frame.t, "bumped"))
            watcher = self._watcher = moved
            health.bumped()
        given = watcher.frame(frame.t, frame.image)
        self._show(frame)
        if given is not None:
            post(given)
        seen = watcher.last.observation if watcher.last is not None else None
        for news in chain(health.frame(frame, film=self._film), health.look(frame.t, given, seen)):
            post(news._replace(dropped=self._newest.dropped))

    def _show(self, frame: Frame) -> None:
        self._shown = _Shown(self._shown.number + 1, frame.image)

    def _drawn(self, image: Image) -> Image:
        watcher = self._watcher
        if watcher is None or watcher.last is None:
            return image
        flat = unbent(image, watcher.board.lens)
        return overlay(flat, watcher.board, watcher.last.observation)
