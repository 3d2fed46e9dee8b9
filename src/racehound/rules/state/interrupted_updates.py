"""The part of RH102 that speaks of finalizers and signal handlers: they come between the read and the write."""

from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.analysis.state.compound import is_interruptible, updates
from racehound.analysis.state.fields import Use
from racehound.analysis.threads.interruptions import Interruption, interruptions, is_of_the_living, uses_of
from racehound.model.finding import Grade
from racehound.rules.rule import Accusation
from racehound.rules.state.interrupted import interrupted, what_comes


def interrupted_updates(program: Program) -> Iterator[Accusation]:
    for found in interruptions(program):
        uses = {(use.function, use.index): use for use in uses_of(program, found)}
        for function in dict.fromkeys(function for function, _ in uses):
            for update in updates(function):
                read, write = uses.get((function, update.read)), uses.get((function, update.write))
                if not (read and write and write.changes) or is_of_the_living(write, found.change):
                    continue
                if is_interruptible(function, read.index, write.index):
                    yield interrupted(_accusation(found, read, write), found.context)


def _accusation(found: Interruption, read: Use, write: Use) -> Accusation:
    target = f"{write.touch.place}{write.touch.key or ''}"
    return Accusation(
        owner=found.owner,
        field=found.field,
        first=write,
        second=found.change,
        trigger=(
            f"A thread in `{write.function.name}` reads `{target}`; before it writes the new value back, "
            f"{what_comes(found.context)}, and `{found.change.function.name}`, which is called on the spot, "
            "changes it; that change is overwritten."
        ),
        confidence=found.confidence,
        grade=Grade.GIL,
        evidence=(read, write),
    )
