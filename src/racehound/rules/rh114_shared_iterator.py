"""Several threads ask one generator for its next item.

A generator that is asked while it runs raises `ValueError: generator already executing`. It takes two threads that
ask at the same time, so a generator that is quick goes well for long.

Hold a lock around `next()`, or let one thread run the generator and hand the items on through a queue.
"""

from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.analysis.state.discipline import functions
from racehound.analysis.state.fields import Use
from racehound.analysis.state.meeting import Meetings, Owner
from racehound.model.finding import Finding, Grade
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once, operation
from racehound.source.events import SELF, Action, Call, Pause, Place, Shape, Value
from racehound.source.facts import ClassFacts, FunctionFacts


class SharedIterator(Rule):
    meta = RuleMeta(
        code="RH114",
        name="shared-iterator",
        summary="`next({target})` in `{function}` is called by several threads on one generator",
        severity=Severity.ERROR,
        race_type="Shared Iterator",
        impact="`ValueError: generator already executing`, or an item that two threads get.",
        since="0.1.0",
        tags=frozenset({"threads", "shared-state"}),
    )
    bad = (
        Bad("""
            from concurrent.futures import ThreadPoolExecutor

            def numbers():
                number = 0
                while True:
                    yield number
                    number += 1

            class Tickets:
                def __init__(self):
                    self._numbers = numbers()

                def draw(self):
                    return next(self._numbers)  # RH

                def draw_many(self):
                    with ThreadPoolExecutor() as pool:
                        return [pool.submit(self.draw) for _ in range(9)]
            """),
    )
    good = (
        Good("""
            import itertools
            from concurrent.futures import ThreadPoolExecutor

            class Tickets:
                def __init__(self):
                    self._numbers = itertools.count()

                def draw(self):
                    return next(self._numbers)

                def draw_many(self):
                    with ThreadPoolExecutor() as pool:
                        return [pool.submit(self.draw) for _ in range(9)]
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        meetings = Meetings(program)
        for module in program.modules:
            for function in module.callers.get("next", ()):
                for index, event in enumerate(function.events):
                    place = _advanced(event)
                    if place is not None and not program.locksets.at(function, index):
                        yield from self._judge(
                            program, meetings, operation(program, function, index, Action.MUTATE, place)
                        )

    def _judge(self, program: Program, meetings: Meetings, use: Use) -> Iterator[Finding]:
        function, place = use.function, use.touch.place
        owner: Owner | None = function.owner if place.root == SELF else function.module
        if owner is None or not meetings.may_meet(owner, function, function):
            return
        if any(_is_generator(program, *given) or _is_passed_in(*given) for given in _given(program, owner, place)):
            accusation = Accusation(
                owner=owner,
                field=(place.attributes or (place.root,))[0],
                first=use,
                second=use,
                trigger=f"Two threads are in `{function.name}`: one calls `next` on `{place}` while the other is "
                "still inside it.",
                confidence=meetings.certainty(owner, function, function, [use]),
                grade=Grade.GIL,
                others=functions([use]),
            )
            yield self.accuse(program, accusation, target=str(place), function=function.name)


def _advanced(event: object) -> Place | None:
    """What `next()` is called on: a field or a variable of the module."""
    if not isinstance(event, Call) or event.callee != Place("next") or not event.arguments:
        return None
    place = event.arguments[0].place
    if place is None or event.arguments[0].shape is not Shape.PLACE:
        return None
    return place if len(place.attributes) == (place.root == SELF) else None


def _given(program: Program, owner: Owner, place: Place) -> Iterator[tuple[FunctionFacts, Value]]:
    if isinstance(owner, ClassFacts):
        yield from program.kinds.field_values(owner, place.attributes[0])
    else:
        yield from ((owner.functions[0], value) for value in owner.variables.get(place.root, ()))


def _is_passed_in(function: FunctionFacts, value: Value) -> bool:
    """True for what the caller gives, which may well be a generator, or an iterator made from that."""
    inner = value.arguments[0] if value.name == "iter" and value.arguments else value
    return inner.shape is Shape.PLACE and inner.place is not None and inner.place.root in function.parameters


def _is_generator(program: Program, function: FunctionFacts, value: Value) -> bool:
    if value.shape is Shape.CONTAINER:
        return value.name == "generator"
    if value.shape is not Shape.CALL or value.place is None:
        return False
    made = program.kinds.callee(function, value.place)
    return isinstance(made, FunctionFacts) and any(
        isinstance(event, Pause) and event.yields for event in made.events
    )
