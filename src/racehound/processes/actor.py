"""One command of a schedule: what it has done so far and where it stands."""

import os
from dataclasses import dataclass, field

from racehound.errors import HarnessError
from racehound.processes import procfs
from racehound.processes.calls import FileCall, Point
from racehound.processes.launch import Launch, Started
from racehound.processes.limits import limit_of
from racehound.processes.outcome import Run
from racehound.processes.output import Output
from racehound.processes.reading import Seen, Trap
from racehound.processes.waiting import Watcher

MOST_CALLS = 50_000
NOT_RUN = Run(
    status=None, signal=None, stdout=b"", stderr=b"", calls=(), cpu=0.0, ended=False, why="was not started"
)


@dataclass(slots=True)
class Stop:
    """A point, and how many calls that match it have been seen."""

    point: Point
    seen: int = 0
    reached: bool = False

    def meets(self, call: FileCall) -> bool:
        self.seen += self.point.matches(call)
        return self.seen == self.point.occurrence and self.point.matches(call)


@dataclass(slots=True)
class Actor:
    launch: Launch
    stops: list[Stop] = field(default_factory=list)
    """Those still to come; all of them count from the start."""
    started: Started | None = None
    outputs: list[Output] = field(default_factory=list)
    calls: list[FileCall] = field(default_factory=list)
    counts: dict[tuple[str, str], int] = field(default_factory=dict)
    processes: dict[int, int] = field(default_factory=dict)
    """Which process a thread belongs to."""
    order: dict[int, int] = field(default_factory=dict)
    """Processes by their appearance."""
    held: list[Trap] = field(default_factory=list)
    """Calls that came while it was not this command's turn."""
    stopped_at: tuple[Trap, FileCall] | None = None
    status: int | None = None
    """As the kernel reports it, of the process that was started."""
    cpu: float = 0.0
    over: bool = False
    """Nothing more will come of it."""
    resting: bool = False
    """Its process has ended, and what it left behind sleeps; perhaps until the other command does something."""
    rests: int = 0
    """How often it was found resting."""
    waited: bool = False
    gave_way: bool = False
    """Was still waiting when it had been left alone long enough, so that the other went on."""
    stuck: bool = False
    """Was seen waiting, and has not been seen doing anything since."""
    killed: str = ""
    """Why it was ended; empty if it was not."""
    left_behind: int = 0
    dozed: float = 0.0
    """When something that it left behind was first seen asleep for a certain time; of the monotonic clock."""
    loose: bool = False
    """Whether what it left behind is no longer held: the other command may wait for it."""
    limits: dict[str, None] = field(default_factory=dict)
    watcher: Watcher = field(default_factory=Watcher)

    def begin(self, started: Started) -> None:
        self.started = started
        self.order[started.process] = 1
        self.outputs = [Output(started.stdout), Output(started.stderr)]

    @property
    def idle(self) -> bool:
        return self.over or self.resting

    @property
    def process(self) -> int:
        if self.started is None:
            raise AssertionError("asked for the process of a command that was not started")
        return self.started.process

    def count(self, thread: int, seen: Seen) -> FileCall:
        """The call with its place among all of this command."""
        key = kind, path = seen[:2]
        self.counts[key] = occurrence = self.counts.get(key, 0) + 1
        if occurrence == 1:
            self._note(seen)
        number = self.order.get(thread) or self._number_of(thread)
        return FileCall(
            kind, path, seen.mutating, occurrence, number, other_path=seen.other_path, outside=seen.outside
        )

    def _note(self, seen: Seen) -> None:
        """What the first call of a kind on a path tells; the next ones tell nothing more."""
        limit = limit_of(seen)
        if limit:
            self.limits[limit] = None
        self.watcher.saw(seen.kind, seen.path.rpartition("/")[0])

    def meets_stop(self, call: FileCall) -> bool:
        """Whether the command is to be stopped before this call. Later points count it all the same."""
        if not self.stops:
            return False
        met = [stop.meets(call) for stop in self.stops]
        if met[0]:
            self.stops.pop(0).reached = True
            return True
        return False

    def keep(self, call: FileCall) -> bool:
        """Lists the call; False when the list is full."""
        if len(self.calls) >= MOST_CALLS:
            self.limits[f"made more than {MOST_CALLS} calls on files; the later ones are not listed"] = None
            return False
        self.calls.append(call)
        return True

    def forget(self, call: FileCall) -> None:
        """The thread will make this call again: a signal came first."""
        self.counts[call.name, call.path] -= 1
        for stop in self.stops:
            stop.seen -= stop.point.matches(call)

    def alive(self) -> list[int]:
        """The processes of this command that are known and still there."""
        if self.started is None:
            return []
        below = procfs.descendants(self.process)
        return list(dict.fromkeys([self.process, *below, *(p for p in self.order if procfs.threads(p))]))

    def _number_of(self, thread: int) -> int:
        process = self.processes.get(thread)
        if process is None:
            process = self.processes[thread] = procfs.process_of(thread)
        return self.order.setdefault(process, len(self.order) + 1)

    def close(self) -> Run:
        """What came of it; its descriptors are closed."""
        if self.started is None:
            return NOT_RUN
        stdout, stderr = (output.close() for output in self.outputs)
        trouble = _said(self.started.trouble)
        if trouble:
            raise HarnessError(f"{self.launch.argv[0]} could not be started: {trouble}")
        if any(output.cut for output in self.outputs):
            self.limits["printed more than is kept"] = None
        code = os.waitstatus_to_exitcode(self.status) if self.status is not None else None
        return Run(
            status=code if code is not None and code >= 0 else None,
            signal=-code if code is not None and code < 0 else None,
            stdout=stdout,
            stderr=stderr,
            calls=tuple(self.calls),
            cpu=self.cpu,
            ended=not self.killed,
            why=self.killed,
            limits=tuple(self.limits),
            left_behind=self.left_behind,
        )


def _said(descriptor: int | None) -> str:
    if descriptor is None:
        return ""
    try:
        return os.read(descriptor, 4096).decode(errors="replace")
    except BlockingIOError:
        return ""
    finally:
        os.close(descriptor)
