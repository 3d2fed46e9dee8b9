"""The part of RH102 that speaks of finalizers and signal handlers: they come between the read and the write."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.compound import is_interruptible, updates
from racehound.analysis.fields import Use
from racehound.analysis.interruptions import Interruption, interruptions, uses_of
from racehound.analysis.program import Program
from racehound.rules.collected_items import COMES, GOES


class Interrupted(NamedTuple):
    found: Interruption
    read: Use
    write: Use

    @property
    def trigger(self) -> str:
        comes = COMES.get(self.found.context.what, GOES)
        touch, change = self.write.touch, self.found.change.function.name
        return (
            f"A thread in `{self.write.function.name}` reads `{touch.place}{touch.key or ''}`; before it writes "
            f"the new value back, {comes}, and `{change}`, which is called on the spot, changes it; that change "
            "is overwritten."
        )


def interrupted_updates(program: Program) -> Iterator[Interrupted]:
    for found in interruptions(program):
        uses = {(use.function, use.index): use for use in uses_of(program, found)}
        for function in dict.fromkeys(function for function, _ in uses):
            for update in updates(function):
                read, write = uses.get((function, update.read)), uses.get((function, update.write))
                if read and write and write.changes and is_interruptible(function, read.index, write.index):
                    yield Interrupted(found, read, write)
