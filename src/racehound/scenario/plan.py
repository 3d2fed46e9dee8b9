"""A scenario as functions: how to make the subject, and what each task does to it."""

import asyncio
import inspect
import types
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from racehound.model.proof import ScenarioText
from racehound.scenario.blocks import no_hold
from racehound.scenario.expressions import callable_of, forget_shared
from racehound.scenario.parts import parts_of, run_on_loop, run_whole
from racehound.scenario.surroundings import Surroundings

Operation = Callable[[object], object]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run: how to make the subject, and for each task its operations on it."""

    make: Callable[[], object]
    tasks: Sequence[Sequence[Operation]]
    text: ScenarioText
    make_on_loop: Callable[[], Coroutine[Any, Any, object]] | None = None
    """The same on the event loop on which all tasks run, where that is another thing to do."""
    surroundings: Surroundings | None = None
    """The modules it begins with, where they are known already."""
    handed: Mapping[str, object] = field(default_factory=dict)
    """What calls hand over and have in common."""

    def is_hosted(self, task: int) -> bool:
        """Whether a task runs on the event loop."""
        return self.text.on_loop or is_hosted(self.tasks[task])

    @property
    def hosted(self) -> list[int]:
        return [task for task in range(len(self.tasks)) if self.is_hosted(task)]

    @property
    def is_made_on_loop(self) -> bool:
        """Whether there is no thread but that of the event loop."""
        return len(self.hosted) == len(self.tasks)

    @property
    def groups(self) -> tuple[int, ...]:
        """A number for each task, the same for tasks that consist of the same operations.

        Where threads and coroutines meet nobody is a twin: what a coroutine uses is known only after its turn.
        """
        if 0 < len(self.hosted) < len(self.tasks):
            return tuple(range(len(self.tasks)))
        kinds: dict[tuple[object, ...], int] = {}
        return tuple(kinds.setdefault(tuple(map(_identity, task)), len(kinds)) for task in self.tasks)

    @property
    def names_of_parts(self) -> list[list[str]]:
        """For each task what its parts are called: the first one as its operation, the others not at all."""
        return [
            [name for text, operation in zip(texts, task, strict=True) for name in _parts(text, operation)]
            for texts, task in zip(self.text.tasks, self.tasks, strict=True)
        ]


def _parts(text: str, operation: Operation) -> list[str]:
    return [text, *[""] * (parts_of(operation) - 1)]


def is_hosted(operations: Sequence[Operation]) -> bool:
    """Whether the operations of a task run on the event loop."""
    return any(
        inspect.iscoroutinefunction(operation) or inspect.isasyncgenfunction(operation) for operation in operations
    )


def _identity(operation: Operation) -> tuple[int, ...]:
    """Bound methods are made anew each time they are asked for; what they bind is not."""
    if isinstance(operation, types.MethodType):
        return id(operation.__self__), id(operation.__func__)
    return (id(operation),)


def plan_of(text: ScenarioText, names: Mapping[str, object]) -> Plan:
    """A scenario written as source, evaluated among the names of a module."""
    handed: dict[str, object] = {}
    operation = cache(partial(callable_of, names=names, functions=handed))
    setup = operation(text.setup)
    prefix = [operation(call) for call in text.prefix]

    def make() -> object:
        forget_shared(handed)
        subject = setup(None)
        for call in prefix:
            result = run_whole(call, subject)
            if inspect.iscoroutine(result):
                asyncio.run(result)
        return subject

    async def make_on_loop() -> object:
        forget_shared(handed)
        subject = setup(None)
        if inspect.iscoroutine(subject):  # else it is the subject, even one that can be awaited
            subject = await subject
        for call in prefix:
            await run_on_loop(call, subject, no_hold)
        return subject

    tasks = [[operation(call) for call in task] for task in text.tasks]
    return Plan(make, tasks, text, make_on_loop, handed=handed)
