"""The calls of all commands in the order in which they were let go."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from racehound.processes.actor import Actor
from racehound.processes.calls import FileCall
from racehound.processes.outcome import Run, Step


class Entry(NamedTuple):
    actor: int
    place: int
    """Among the calls of that command."""
    stopped: bool


@dataclass(slots=True)
class Ledger:
    actors: Sequence[Actor]
    entries: list[Entry] = field(default_factory=list)
    under_way: dict[int, Entry] = field(default_factory=dict)
    """By the thread that has not returned from it yet."""

    def enter(self, number: int, call: FileCall, *, thread: int | None = None, stopped: bool = False) -> None:
        actor = self.actors[number]
        if not actor.keep(call):
            return
        entry = Entry(number, len(actor.calls) - 1, stopped)
        self.entries.append(entry)
        if thread is not None:
            self.under_way[thread] = entry

    def returned(self, thread: int, result: int) -> None:
        entry = self.under_way.pop(thread, None)
        if entry is not None:
            calls = self.actors[entry.actor].calls
            calls[entry.place] = calls[entry.place]._replace(result=result)

    def steps(self, runs: Sequence[Run]) -> tuple[Step, ...]:
        """Of one command alone its calls tell it all."""
        if len(runs) == 1:
            return ()
        return tuple(
            Step("second" if entry.actor else "first", runs[entry.actor].calls[entry.place], entry.stopped)
            for entry in self.entries
        )
