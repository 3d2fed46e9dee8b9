"""What becomes of a call that meets a lock: how it answers, and whether coming back later helps."""

import signal
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from racehound.audit.complaining import first_line, speaks_of_a_lock
from racehound.audit.ending import said, status_of
from racehound.audit.envelope import Envelope, complaints, demands, find_envelope
from racehound.audit.judge import agrees, difference
from racehound.audit.leftovers import new_files, under_common_names, without
from racehound.audit.locks import EXCLUSIVE
from racehound.audit.search import Conflict
from racehound.audit.serial import Serial
from racehound.audit.stage import Stage
from racehound.audit.temporary import lasting
from racehound.processes.outcome import Run
from racehound.processes.run import keep_waiting, signal_waiting

LONGEST_HINT_MS = 15_000
POLLS = 4
"""Tries to take one lock that are more than a call needs to queue for it."""
CANCELLED = 143


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the losing call said, and whether its hint was honest."""

    run: Run
    gave_up: bool
    """False where it was still waiting when patience ended."""
    complaints: tuple[str, ...] = ()
    """What a caller cannot know from the answer."""
    departures: tuple[str, ...] = ()
    """Where the answer is not the published envelope, which costs nothing."""
    hint_ms: int | None = None
    polls: bool = False
    """Whether it looked again and again while it waited: then it may have a limit of its own."""
    patience: float = 0.0
    """Seconds for which it was left waiting."""
    came_back: bool | None = None
    """Whether the call succeeded when it was repeated after the hint; None where it was not repeated."""

    @property
    def words(self) -> str:
        return f"exit {status_of(self.run)}: {first_line(said(self.run)) or 'no message'}"


def answer_to(conflict: Conflict, stage: Stage, serial: Serial, *, patience: float) -> Answer | None:
    """Hold the winner where it is until the loser gives up, then let it come back as it was told to.

    None where the loser is through before the winner is: then there was no conflict this time.
    """
    schedule = conflict.schedule
    stage.sandbox.restore()
    stopped, other = reversed(stage.commands) if schedule.exchanged else stage.commands
    meeting = keep_waiting(
        stopped, other, stage.sandbox, schedule.point, patience=stage.patience(2 * patience), hold=patience
    )
    stopped_lost = (conflict.loser == 0) != schedule.exchanged
    run = meeting.first if stopped_lost else meeting.second
    if status_of(run) in serial.statuses(conflict.loser):
        if meeting.second_gave_way and not stopped_lost:
            return Answer(run=run, gave_up=False, polls=_polls(run), patience=patience)
        if not run.status or not speaks_of_a_lock(said(run)):
            return None
    return _judged(run, conflict, stage, serial)


def _polls(run: Run) -> bool:
    tries = Counter((call.name, call.path) for call in run.calls if call.locking or call.name in EXCLUSIVE)
    return max(tries.values(), default=0) >= POLLS


def _judged(run: Run, conflict: Conflict, stage: Stage, serial: Serial) -> Answer:
    envelope = _envelope(run)
    if envelope is None:
        return Answer(run=run, gave_up=True, complaints=("the answer is no JSON",))
    hint = envelope.retry_after_ms
    came_back = None
    if hint is not None and hint <= LONGEST_HINT_MS:
        time.sleep(hint / 1000)  # the hint is a promise about time, which only time can test
        again = stage.run(stage.commands[conflict.loser])
        came_back = status_of(again) in serial.statuses(conflict.loser)
    return Answer(
        run=run,
        gave_up=True,
        complaints=tuple(demands(envelope, status_of(run))),
        departures=tuple(complaints(envelope, status_of(run))),
        hint_ms=hint,
        came_back=came_back,
    )


def _envelope(run: Run) -> Envelope | None:
    return find_envelope(run.stdout.decode(errors="replace"), run.stderr.decode(errors="replace"))


@dataclass(frozen=True, slots=True)
class Cancellation:
    """What a waiting call did when it was asked to stop."""

    signal: str
    complaints: tuple[str, ...] = ()
    """Why it was not cancelled."""
    departures: tuple[str, ...] = ()
    """Where the answer is not the published one, which costs nothing."""


def cancellations(conflict: Conflict, stage: Stage, serial: Serial) -> list[Cancellation]:
    """SIGTERM and SIGINT to a call that waits for a lock."""
    found = []
    for number, status in ((signal.SIGTERM, CANCELLED), (signal.SIGINT, 130)):
        schedule = conflict.schedule
        stage.sandbox.restore()
        stopped, other = reversed(stage.commands) if schedule.exchanged else stage.commands
        meeting = signal_waiting(stopped, other, stage.sandbox, schedule.point, number, patience=stage.patience())
        if meeting.second_waited:
            wrong = _cancelled(meeting.second, conflict, stage, serial)
            found.append(Cancellation(number.name, tuple(wrong), tuple(_unlike(meeting.second, status))))
    return found


def _cancelled(run: Run, conflict: Conflict, stage: Stage, serial: Serial) -> Iterator[str]:
    """What bears a name of its own and is left behind is in nobody's way."""
    if status_of(run) is None:
        yield "does not end"
    elif status_of(run) == 0:
        yield "ends with 0, as if nothing had happened"
    other = (serial.forward.first, serial.backward.second)[1 - conflict.loser]
    state, wanted = lasting(serial.state(stage.entries())), lasting(serial.alone(1 - conflict.loser))
    left = new_files(state, wanted)
    common = under_common_names(left, other)
    if common:
        yield f"{', '.join(common[:3])} is left behind although the call was cancelled"
    rest = without(state, left)
    if not agrees(rest, wanted):
        yield f"the call was cancelled, and yet it changed {difference(rest, wanted)}"


def _unlike(run: Run, status: int) -> Iterator[str]:
    envelope = _envelope(run)
    if status_of(run) != status:
        yield f"ends with {status_of(run)}, not {status}"
    if envelope is None:
        yield "prints no JSON envelope"
    elif envelope.code != "CANCELLED":
        yield f"`error.code` is {envelope.code or 'missing'}, not CANCELLED"
