"""`kibitz doctor --board URL`: a sensor board looked at live, slot by slot and lamp by lamp.

`gpio:` is the full board on a Raspberry Pi's own pins; all others are boards with a microcontroller.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from firmware_bridge import board, sensing
from firmware_bridge.buttons import Pressed, RollEntered
from firmware_bridge.leds import lamp_name
from firmware_bridge.messages import BOTH, NORTH, SOUTH, Stats, Styles
from firmware_bridge.serial_board import BoardEvent, LinkNews, SerialBoard

#: The screen is drawn so often; each lamp is lit for so many drawings, in each of the colours in turn.
LOOK_S, LOOKS_A_LAMP = 0.1, 3
COLOURS = ("white", "red", "green", "blue")
_CHAIN_SLOTS = board.CHAIN_BITS // 2
_ROWS = ((0, 12), (12, 24), (24, 28))


@dataclass
class BoardCheck:
    """What has been seen of a board since the check began."""

    link: str = "looking for the board"
    up: bool = False
    sensors: sensing.Sensing = field(default_factory=sensing.Sensing)
    stats: Stats | None = None
    broken: int = 0
    lamp: int = 0
    colour: str = COLOURS[0]
    pressed: list[str] = field(default_factory=list)
    weak: tuple[int, ...] = ()
    felt: dict[int, set[int]] = field(default_factory=dict)
    impossible: set[int] = field(default_factory=set)
    flips: list[int] = field(default_factory=lambda: [0] * len(board.SLOT_PLACE))

    def heard(self, event: BoardEvent) -> None:
        """Take in what the board said."""
        if isinstance(event, LinkNews):
            self.link, self.up = event.words, event.up
        elif isinstance(event, Pressed):
            self.pressed.append(event.button)
        elif isinstance(event, RollEntered):
            self.pressed.append(f"dice {'-'.join(map(str, event.roll))}")

    def sensed(self, now: sensing.Sensing, t: float) -> None:
        """Take in the sensors as they are."""
        for slot, (old, new) in enumerate(zip(self.sensors.poles, now.poles, strict=True)):
            self.flips[slot] += old != new
            if new in (NORTH, SOUTH):
                self.felt.setdefault(slot, set()).add(new)
            elif new == BOTH:
                self.impossible.add(slot)
        self.sensors, self.weak = now, sensing.weak_slots(now, t)

    @property
    def untested(self) -> list[int]:
        """Slots that have not felt both poles yet."""
        return [slot for slot in range(len(board.SLOT_PLACE)) if len(self.felt.get(slot, ())) < 2]

    def faults(self) -> list[str]:
        """What is wrong with the board, in words; what was merely not tried is none."""
        found = [] if self.up else [self.link]
        for chain in range(board.CHAINS):
            if self.sensors.faults >> chain & 1:
                words = "its registers do not pass their bits on (a wire, a chip's power, CLK or SH/LD)"
                found.append(f"chain {chain}: {words}")
        for slot in sorted(self.impossible):
            found.append(f"{slot_name(slot)}: feels both poles at once (a short, or a wrong sensor type)")
        if self.stats is not None and self.stats.watchdog_resets:
            found.append(f"the board hung and was restarted {self.stats.watchdog_resets} times (power?)")
        return found


def slot_name(slot: int) -> str:
    """A sensor in words, as in the wiring diagram: `S3_0`."""
    return f"S{board.SLOT_PLACE[slot]}_{board.SLOT_LEVEL[slot]}"


def view(check: BoardCheck) -> RenderableType:
    """The whole screen."""
    rows = [_places(check, first, last) for first, last in _ROWS]
    return Group(Text(check.link, style="green" if check.up else "red"), *rows, _legend(), _lines(check))


def _places(check: BoardCheck, first: int, last: int) -> Table:
    table = Table(show_edge=False, pad_edge=False, box=None)
    for place in range(first, last):
        table.add_column(str(place) if place < 24 else lamp_name(place), justify="center")
    table.add_row(*(_slots(check, place) for place in range(first, last)))
    return table


def _slots(check: BoardCheck, place: int) -> Text:
    """A place's sensors from the rim to the middle, one mark each."""
    text = Text()
    for slot, where in enumerate(board.SLOT_PLACE):
        if where == place:
            text.append(*_mark(check, slot))
    return text


def _mark(check: BoardCheck, slot: int) -> tuple[str, str]:
    if check.sensors.faults >> slot // _CHAIN_SLOTS & 1:
        return "?", "red"
    pole = check.sensors.poles[slot]
    if pole == BOTH:
        return "!", "red"
    style = "yellow" if slot in check.weak else ""
    light = NORTH if board.LIGHT_IS_NORTH else SOUTH
    return {0: "·", light: "o"}.get(pole, "x"), style


def _legend() -> Text:
    return Text("o light  x dark  ! both poles at once  ? broken chain  yellow: comes and goes", style="dim")


def _lines(check: BoardCheck) -> Text:
    done = len(board.SLOT_PLACE) - len(check.untested)
    lines = [
        f"lamp {check.lamp}: {lamp_name(check.lamp)} {check.colour}",
        f"slots that have felt both poles: {done} of {len(board.SLOT_PLACE)}{_next_untested(check)}",
        f"buttons: {', '.join(check.pressed[-6:]) or 'none pressed yet'}",
        f"frames that came broken: {check.broken}",
    ]
    if check.stats is not None:
        s = check.stats
        lines.append(
            f"on the board: {s.broken_frames} broken frames, {s.overruns} bytes overrun, "
            f"{s.dropped_states} states dropped, {s.watchdog_resets} watchdog resets, "
            f"{s.never_used} bytes of RAM never used"
        )
    noisy = [
        slot for slot in sorted(range(len(check.flips)), key=lambda i: -check.flips[i]) if check.flips[slot]
    ]
    lines.append(
        "most changes: " + (", ".join(f"{slot_name(i)} {check.flips[i]}" for i in noisy[:6]) or "none")
    )
    return Text("\n".join(lines))


def _next_untested(check: BoardCheck) -> str:
    return f"; next {slot_name(check.untested[0])}" if check.untested else ""


def lamp_styles(step: int) -> tuple[int, str, Styles]:
    """The lamp test's step: lamp, colour, command."""
    lamp, colour = step % board.LAMPS, COLOURS[step // board.LAMPS % len(COLOURS)]
    styles = bytearray(board.LAMPS)
    styles[lamp] = list(board.PALETTE).index(colour)
    return lamp, colour, Styles(bytes(styles))


class Checked(Protocol):
    """What a check needs of a board."""

    @property
    def sensing(self) -> sensing.Sensing: ...

    def events(self) -> Iterator[BoardEvent]: ...

    def light(self, styles: Styles) -> None: ...

    def close(self) -> None: ...


def _opened(url: str) -> Checked:
    if url != "gpio:":
        return SerialBoard(url)
    from firmware_bridge.gpio import opened  # gpiozero is loaded only where it is used
    from firmware_bridge.pi_board import PiBoard

    return opened(PiBoard, url)


def check_board(url: str, console: Console, seconds: float | None = None) -> int:
    """Show a board live until Ctrl-C (or for so many seconds), then name its faults; 0 when there are none.

    Raises:
        KibitzError: the URL is of no known kind, or this machine has no pins.
    """
    source, check = _opened(url), BoardCheck()
    if not isinstance(source, SerialBoard):
        check.link, check.up = "board on the pins of this machine", True
    listener = threading.Thread(target=_listen, args=(source, check), daemon=True)
    listener.start()
    begun = time.monotonic()
    try:
        with Live(view(check), console=console, auto_refresh=False) as live:
            step = 0
            while seconds is None or time.monotonic() - begun < seconds:
                _look(source, check, step)
                live.update(view(check), refresh=True)
                time.sleep(LOOK_S)
                step += 1
    except KeyboardInterrupt:
        console.print("stopped")
    source.close()
    listener.join()
    return _verdict(check, console)


def _listen(source: Checked, check: BoardCheck) -> None:
    for event in source.events():
        check.heard(event)


def _look(source: Checked, check: BoardCheck, step: int) -> None:
    """One refresh of the screen; every few a lamp further."""
    if step % LOOKS_A_LAMP == 0:
        check.lamp, check.colour, styles = lamp_styles(step // LOOKS_A_LAMP)
        source.light(styles)
        if isinstance(source, SerialBoard):
            source.ask_stats()
    check.sensed(source.sensing, time.monotonic())
    if isinstance(source, SerialBoard):
        check.stats, check.broken = source.stats, source.broken_frames


def _verdict(check: BoardCheck, console: Console) -> int:
    for fault in check.faults():
        console.print(fault, style="red")
    if check.untested:
        console.print(
            f"not tried with both poles: {len(check.untested)} slots, from {slot_name(check.untested[0])}"
        )
    return 1 if check.faults() else 0
