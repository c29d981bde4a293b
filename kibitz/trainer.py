"""The trainer: the legal plays of a roll before it is played, what a play costs when it lies on the table.

Off in tournament mode, where aids are not allowed; without an engine it teaches the rules of every game.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from engine.errors import KibitzError
from engine.notation import format_play
from engine.plays import legal_plays
from engine.position import turned
from kibitz.coach import Coach, Stake, cost_of
from kibitz.snapshot import Advice, LegalPlay
from referee.events import Judged, Output, Rolled, Superseded, TurnPlayed
from referee.findings import way_back
from referee.layout import place_of
from referee.signal import Sign, Signal
from referee.state import State, expected, rules_of, table_of_state, turns_of

#: More legal plays than this are not listed: nobody reads them.
MOST_PLAYS = 60
#: Equity from which on a play is warned of.
THRESHOLD = 0.08


class Trainer:
    """Watches a game beside the referee. `changed` is called when an engine's answer has come."""

    def __init__(
        self, coach: Coach | None, changed: Callable[[], None], threshold: float = THRESHOLD
    ) -> None:
        self._coach, self._changed, self._threshold = coach, changed, threshold
        self._asking: asyncio.Task[None] | None = None
        self._kept_for: tuple[int, ...] | None = None
        self._ended_with: tuple[int, ...] | None = None
        self.legal: tuple[LegalPlay, ...] = ()
        self.advice: Advice | None = None
        self.warned = False

    def heard(self, state: State, made: Iterable[Output]) -> Signal | None:
        """Follow the game; the lamps to light for a new roll."""
        lamps = None
        for output in made:
            if isinstance(output, Rolled | Superseded):
                self._forget()
                self.legal = legal_of(state)
                if isinstance(output, Rolled):
                    lamps = Signal(output.t, Sign.HINT, hint_places(self.legal))
            elif isinstance(output, TurnPlayed):
                self.legal, self.warned, self._kept_for = (), False, None
                self._ended_with = output.after
            elif isinstance(output, Judged):
                self._judged(state, output)
        return lamps

    def dismiss(self) -> None:
        """The mover plays it anyway."""
        self.warned = False

    @property
    def too_late(self) -> bool:
        """True when the play that was warned of is in the record already."""
        return self._kept_for is None

    def back(self, state: State, t: float) -> Signal:
        """The lamps that lead the checkers back to where the turn began."""
        self.warned = False
        now = state.rest if state.rest is not None else expected(state)
        side = 0 if state.side is None else state.side
        assert state.base is not None
        return Signal(t, Sign.HINT, way_back(now, table_of_state(state).of(side, state.base)))

    def close(self) -> None:
        """Stop asking."""
        if self._asking is not None:
            self._asking.cancel()

    def _forget(self) -> None:
        self._kept_for, self._ended_with, self.warned = None, None, False

    def _judged(self, state: State, said: Judged) -> None:
        kept = state.kept
        if kept is None or said.verdict != "accepted":
            self.warned = False
            return
        if self._coach is None or not kept.verdict.play.hops or kept.verdict.table == self._kept_for:
            return
        self._kept_for = kept.verdict.table
        self.close()
        self._asking = asyncio.create_task(self._ask(self._coach, state))

    async def _ask(self, coach: Coach, state: State) -> None:
        kept = state.kept
        assert kept is not None
        assert state.base is not None
        side = 0 if state.side is None else state.side
        before = state.base if side == kept.side else turned(state.base, rules_of(state))
        try:
            rows = await asyncio.to_thread(coach.rate, before, kept.roll, stake_of(state, kept.side))
        except KibitzError:
            return  # a coach that is silent is no coach: the referee goes on
        cost = cost_of(rows, kept.verdict.play.result)
        if cost is not None:
            text = format_play(kept.verdict.play)
            self.advice = Advice(state.turn, text, cost[1], cost[0], coach.name)
            # an answer may come when the turn has ended: then the turn is taken back, if that is wished
            holds = kept.verdict.table in (self._kept_for, self._ended_with)
            self.warned = cost[0] >= self._threshold and holds
            self._changed()


def stake_of(state: State, side: int) -> Stake:
    """Cube and match as a side sees them."""
    owner = 0 if state.cube_owner is None else (1 if state.cube_owner == side else -1)
    score = (state.score[side], state.score[1 - side])
    return Stake(state.cube, owner, score, state.setup.length, state.crawford)


def legal_of(state: State) -> tuple[LegalPlay, ...]:
    """The legal plays of the roll, for page and lamps; of both sides while nobody knows who begins."""
    if state.roll is None:
        return ()
    table, rules, found = table_of_state(state), rules_of(state), []
    for turn in turns_of(state, state.roll):
        own = {n: place_of(table.layout, rules, turn.side, n) for n in range(26)}
        for play in legal_plays(turn.before, turn.roll, rules)[:MOST_PLAYS]:
            ways = tuple((own[hop.src], own[hop.dst]) for hop in play.hops)
            found.append(LegalPlay(format_play(play), ways, table.of(turn.side, play.result)))
    return tuple(found[:MOST_PLAYS])


def hint_places(plays: Iterable[LegalPlay]) -> tuple[int, ...]:
    """Every first hop once, as pairs from, to."""
    pairs = dict.fromkeys(play.hops[0] for play in plays if play.hops)
    return tuple(place for pair in pairs for place in pair)
