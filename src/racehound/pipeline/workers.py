"""Processes that work through portions of a task beside this one.

They are told numbers of portions and send results back, each over a channel of its own. No thread and no lock
stands between, so that an interrupt ends them at any moment, and the end of a channel tells one side that the
other is gone. What a worker leaves undone, because it was killed or failed, is done here, where an error can be
told.
"""

import gc
import pickle
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Generic, NamedTuple, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_AHEAD = 2
"""Portions that a worker has before it: one to work on, and one so that it need not wait."""


class _Worker(NamedTuple):
    process: SpawnProcess
    channel: Connection
    todo: deque[int]


class Crew(Generic[Item, Result]):
    def __init__(self, work: Callable[[Item], Result], portions: Sequence[Sequence[Item]]) -> None:
        self._work = work
        self._portions = portions
        self._workers: dict[Connection, _Worker] = {}
        self._waiting = deque(range(len(portions)))
        self._done: dict[int, list[Result]] = {}

    def results(self, count: int) -> Iterator[Result]:
        """Of all portions, in their order, by so many workers."""
        try:
            self._hire(count)
            for number in range(len(self._portions)):
                while number not in self._done:
                    self._advance(number)
                yield from self._done.pop(number)
        finally:
            for worker in list(self._workers.values()):
                self._dismiss(worker)

    def _hire(self, count: int) -> None:
        # New processes, because a fork would take threads half along.
        context = get_context("spawn")
        resource_tracker.ensure_running()
        for _ in range(count):
            ours, theirs = context.Pipe()
            arguments = (self._work, self._portions, theirs)
            process = context.Process(target=_serve, args=arguments, daemon=True)
            with _interrupts_held_back(), theirs, suppress(OSError):  # there may be no room for one more
                process.start()
                self._workers[ours] = _Worker(process, ours, deque())
        for worker in list(self._workers.values()):
            self._supply(worker)

    def _advance(self, number: int) -> None:
        if number in self._waiting:
            self._waiting.remove(number)
            self._done[number] = self._work_out(number)
            return
        for channel in wait(list(self._workers)):
            self._take(self._workers[channel])  # type: ignore[index]  # these are what it was given

    def _take(self, worker: _Worker) -> None:
        try:
            number, results = worker.channel.recv()
        except (EOFError, OSError):
            self._dismiss(worker)
            return
        worker.todo.remove(number)
        self._supply(worker)
        self._done[number] = self._work_out(number) if results is None else results

    def _supply(self, worker: _Worker) -> None:
        try:
            while self._waiting and len(worker.todo) < _AHEAD:
                worker.channel.send(self._waiting[0])
                worker.todo.append(self._waiting.popleft())
        except OSError:
            self._dismiss(worker)

    def _dismiss(self, worker: _Worker) -> None:
        """What it had before it is for whoever comes to it first: the others, or this process."""
        del self._workers[worker.channel]
        self._waiting.extendleft(reversed(worker.todo))
        worker.process.kill()
        worker.process.join()
        worker.channel.close()

    def _work_out(self, number: int) -> list[Result]:
        return [self._work(item) for item in self._portions[number]]


def _serve(work: Callable[[Item], Result], portions: Sequence[Sequence[Item]], channel: Connection) -> None:
    gc.disable()
    with suppress(EOFError, ConnectionError):
        while True:
            number = channel.recv()
            channel.send_bytes(_attempt(work, number, portions[number]))


def _attempt(work: Callable[[Item], Result], number: int, portion: Sequence[Item]) -> bytes:
    try:
        return pickle.dumps((number, [work(item) for item in portion]))
    except Exception:  # noqa: BLE001 - it comes again, and is told, where the portion is worked out anew
        return pickle.dumps((number, None))


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """A process that is started meanwhile holds them back for good: whoever started it ends it."""
    if not hasattr(signal, "pthread_sigmask"):  # pragma: needs a system without signal masks
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
