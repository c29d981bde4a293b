"""One running game on the asyncio side: inputs from a feed and commands of people in, snapshots out.

Whatever happens is stepped, written to the journal, and only then shown. See docs/live-api.md.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import CancelledError as FutureCancelled
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from engine.errors import KibitzError
from firmware_bridge.leds import LedSink, RecordingLeds
from kibitz.banner import BLIND
from kibitz.coach import Coach
from kibitz.commands import Command, CommandError, Place, PlayAnyway, TakeBack
from kibitz.feed import Feed, Health, Known
from kibitz.files import write_whole
from kibitz.moment import Clock
from kibitz.options import clockwise
from kibitz.orders import input_of
from kibitz.pipeline import Journal
from kibitz.show import Story
from kibitz.snapshot import Snapshot
from kibitz.trainer import Trainer
from referee.clock import falls_at
from referee.events import Input, Lit, Output, Refused, Resume, Setup, Tick, TurnPlayed, TurnUndone
from referee.journal import Entry
from referee.orders import pairs
from referee.session import State, begin, known_tables, step
from referee.signal import Sign, Signal

if TYPE_CHECKING:
    from kibitz.web.phone import Phone

_log = logging.getLogger(__name__)

#: More inputs than this are not kept waiting: the feed's thread waits instead.
INBOX = 64
#: Seconds without any input after which time itself is told to the session.
TICK = 0.25


@contextmanager
def _logged(what: str) -> Iterator[None]:
    """What is recorded stands, whatever fails after it: that is logged, and the game goes on."""
    try:
        yield
    except Exception as error:
        _log.error("%s failed", what, exc_info=error)


class Restored(NamedTuple):
    """A journal taken up again: open for more, and what it told; `t` is its last time."""

    journal: Journal
    setup: Setup
    entries: tuple[Entry, ...]
    state: State
    t: float


class _Asked(NamedTuple):
    command: Command
    done: asyncio.Future[None]


class LiveGame:
    """One game, its feed, lamps and journal. Use it as an async context manager, on one event loop."""

    def __init__(
        self,
        feed: Feed,
        journal: Journal,
        setup: Setup,
        clock: Clock,
        leds: LedSink | None = None,
        folder: Path | None = None,
        mode: str = "tournament",
        old: Restored | None = None,
        phone: Phone | None = None,
        coach: Coach | None = None,
    ) -> None:
        """`old`: what a journal told that this game goes on with."""
        self.feed, self.clock, self.folder, self.phone = feed, clock, folder, phone
        self.state = begin(setup) if old is None else old.state
        entries = old.entries if old is not None else ()
        self.story = Story(feed.url, journal.path.name, mode, entries, self.state.setup)
        self._journal, self._leds = journal, leds if leds is not None else RecordingLeds()
        self._inbox: asyncio.Queue[Input | Health | _Asked] = asyncio.Queue(INBOX)
        self._changed = asyncio.Event()
        self._t = 0.0
        #: None in tournament mode: aids are not allowed there
        self.trainer = Trainer(coach, self._advised) if mode == "trainer" else None
        self._task: asyncio.Task[None] | None = None
        if old is not None:
            self.put(Resume(self.clock()))
        self._snapshot = self.story.snapshot(self.state, self.clock(), 0)

    # --- what a page needs ---

    def snapshot(self) -> Snapshot:
        """All there is to show, now."""
        return self._snapshot

    async def subscribe(self) -> AsyncIterator[Snapshot]:
        """Snapshots as they come, the newest only; the first at once. Ends with the game's task."""
        shown = -1
        while self._task is not None:
            if self._snapshot.revision != shown:
                shown = self._snapshot.revision
                yield self._snapshot
            else:
                await self._changed.wait()

    async def command(self, command: Command) -> None:
        """Carry out a command; returns when it is in the journal.

        Raises:
            CommandError: it does not fit the moment; one line that says why.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        await self._inbox.put(_Asked(command, done))
        await done

    async def picture(self, kind: str) -> bytes | None:
        """A JPEG: `overlay` or `plain` is the camera's newest picture, `turn/12` the one kept for a turn's
        id.
        """
        if kind in ("overlay", "plain"):
            found = await asyncio.to_thread(self.feed.picture, kind == "overlay")
            return None if found is None else found[1]
        return await asyncio.to_thread(self._kept_picture, kind)

    async def __aenter__(self) -> LiveGame:
        loop = asyncio.get_running_loop()
        self._task = loop.create_task(self._run())

        def post(item: Input | Health) -> None:
            # the loop has ended, or its tasks were cancelled: nobody listens any more
            with suppress(RuntimeError, FutureCancelled):
                asyncio.run_coroutine_threadsafe(self._inbox.put(item), loop).result()

        self.feed.start(post, self._known)
        return self

    async def __aexit__(self, *_: object) -> None:
        task, self._task = self._task, None
        while task is not None and not task.done():
            task.cancel()  # again and again: `wait_for` of Python 3.11 may swallow one that meets its result
            await asyncio.wait({task}, timeout=0.2)
        drain = asyncio.create_task(self._drain())
        await asyncio.to_thread(self.feed.close)
        drain.cancel()
        if self.trainer is not None:
            self.trainer.close()
        self._journal.close()
        self._leds.close()
        self._wake()

    # --- the loop ---

    async def _run(self) -> None:
        while True:
            try:
                item = await asyncio.wait_for(self._inbox.get(), TICK)
            except TimeoutError:
                self._tick()
                continue
            self._one(item)
            self._tick()
            self._publish()

    def _one(self, item: Input | Health | _Asked) -> None:
        if isinstance(item, Health):
            self._health(item)
        elif isinstance(item, _Asked):
            self._obey(item)
        else:
            self._stepped(item)

    def _stepped(self, given: Input) -> None:
        """Step what the feed saw. What cannot be written, or fails, changes nothing; the next look may do."""
        try:
            self.put(given)
        except Exception as error:  # a game of people must not end by one look that nobody foresaw
            self._failed(error)
            return
        if self.story.failed:
            self.story.failed = ""
            self._light(self.story.signal or Signal(given.t, Sign.OFF))

    def _failed(self, error: Exception) -> None:
        """Say that nothing is recorded; a full disk in its own words, a fault of ours by its name."""
        first = not self.story.failed
        self.story.failed = str(error) if isinstance(error, KibitzError) else f"internal error: {error!r}"
        if first:
            trace = None if isinstance(error, KibitzError) else error
            _log.error("nothing is recorded: %s", self.story.failed, exc_info=trace)
            self._light(Signal(max(self._t, self.clock()), Sign.NO_SIGHT))

    async def _drain(self) -> None:
        """Let a feed that waits for room in the inbox end."""
        while True:
            await self._inbox.get()

    def put(self, given: Input) -> tuple[Output, ...]:
        """Step one input; on disk before it is shown."""
        self._t = max(self._t, given.t)
        state, made = step(self.state, given)
        self._journal.write(given, made)
        self.state, self.story.setup = state, state.setup
        self.story.take(made)
        with _logged("what follows a step"):
            self._follow(made)
        return made

    def _follow(self, made: tuple[Output, ...]) -> None:
        """Lamps, pictures, trainer and reader hear what happened."""
        for output in made:
            if isinstance(output, Lit):
                self._light(output.signal)
            if isinstance(output, TurnPlayed):
                self._keep_picture(output)
        if self.trainer is not None:
            lamps = self.trainer.heard(self.state, made)
            if lamps is not None:
                self._light(lamps)
        self.feed.heard(made)

    def _obey(self, asked: _Asked) -> None:
        failed = self._obeyed(asked.command)
        if asked.done.done():
            return
        if failed is None:
            asked.done.set_result(None)
        else:
            asked.done.set_exception(failed)

    def _obeyed(self, command: Command) -> CommandError | None:
        """Carry a command out; what went wrong, if anything did: it never ends the game."""
        try:
            self._carry_out(command)
        except CommandError as error:
            return error
        except Exception as error:
            self._failed(error)
            return CommandError(f"not done: {self.story.failed}")
        return None

    def _carry_out(self, command: Command) -> None:
        if isinstance(command, PlayAnyway | TakeBack):
            self._trained(command)
            return
        if isinstance(command, Place):
            self._place(command)
            return
        given = input_of(command, max(self._t, self.clock()), self.state)
        for output in self.put(given):
            if isinstance(output, Refused):
                raise CommandError(output.why)

    def _place(self, command: Place) -> None:
        if not clockwise(command.corners):
            raise CommandError("the corners must go clockwise round the board, from the picture's top left")
        if not self.feed.place(command.corners):
            raise CommandError("this game has no camera whose board could be placed")

    def _trained(self, command: PlayAnyway | TakeBack) -> None:
        if self.trainer is None:
            raise CommandError("this is tournament mode: there are no aids; start with --train")
        if isinstance(command, PlayAnyway):
            self.trainer.dismiss()
            return
        if self.state.layout is None:
            raise CommandError("the game has not started")
        if self.trainer.warned and self.trainer.too_late:
            self.put(TurnUndone(max(self._t, self.clock())))
            return
        if self.state.roll is None:
            raise CommandError("nothing was played in this turn; undo takes the last one back")
        self._light(self.trainer.back(self.state, max(self._t, self.clock())))

    def _advised(self) -> None:
        """The coach has answered."""
        self._publish()

    def _tick(self) -> None:
        """Clocks run even when nothing comes; their flag falls by an input like all others."""
        falls, now = falls_at(self.state.clock), max(self._t, self.clock())
        if falls is not None and now >= falls:
            self._stepped(Tick(now))
            self._publish()

    def _health(self, health: Health) -> None:
        before, self.story.health = self.story.health, health
        blind = before.state in BLIND
        if health.wrong is not None and health.wrong != before.wrong and self.state.layout is None:
            self._light(Signal(health.t, Sign.HINT, pairs(health.wrong.difference)))
        if health.state in BLIND and not blind:
            self._light(Signal(health.t, Sign.NO_SIGHT))
        elif blind and health.state not in BLIND:
            self._light(self.story.signal or Signal(health.t, Sign.OFF))

    def _light(self, signal: Signal) -> None:
        if signal.sign is not Sign.NO_SIGHT:
            self.story.signal = signal
        self.story.lamps_shown = signal
        with _logged("the lamps"):
            self._leds.show(signal)

    def _publish(self) -> None:
        with _logged("the page"):
            self._published()

    def _published(self) -> None:
        self.story.outline = self.feed.outline
        fresh = self.story.snapshot(self.state, max(self._t, self.clock()), self.feed.pictures, self.trainer)
        if self.story.differs(fresh, self._snapshot):
            self._snapshot = fresh
            self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def _known(self) -> Known:
        return Known(known_tables(self.state), self.state.layout)

    # --- pictures of turns ---

    def _picture_file(self, name: str) -> Path | None:
        return None if self.folder is None else self.folder / "turns" / f"{name}.jpg"

    def _keep_picture(self, turn: TurnPlayed) -> None:
        path, found = self._picture_file(str(turn.id)), self.feed.picture(False)
        if path is None or found is None:
            return
        with suppress(OSError):  # the record is worth more than its pictures
            path.parent.mkdir(exist_ok=True)
            write_whole(path, found[1])
            self.story.pictures.add(turn.id)

    def _kept_picture(self, kind: str) -> bytes | None:
        group, _, name = kind.partition("/")
        path = self._picture_file(name) if group == "turn" and name.isdecimal() else None
        return path.read_bytes() if path is not None and path.is_file() else None
