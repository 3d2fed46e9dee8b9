"""A field is used without the lock that its author declared for it.

`# guarded_by: _lock` behind the assignment of a field, or `Annotated[int, guarded_by("_lock")]` as its type, is a
promise: every use holds that lock. A use without it meets the others in the middle of what they do. That goes well
most of the time, because the window is short. For `other._count`, of another object of the same class, the lock of
that object is wanted.

Hold the lock there. If the use is right without it, say so in a comment there; a field that belongs to one thread
is declared `confined`.
"""

from collections.abc import Iterable, Iterator

from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.program import Program
from racehound.analysis.state.compound import is_interruptible
from racehound.analysis.state.discipline import functions
from racehound.analysis.state.fields import Use
from racehound.model.doubt import CERTAIN, Sureness
from racehound.model.finding import Finding, Grade
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once
from racehound.source.declarations import Declaration
from racehound.source.events import CHANGES, Action, Place, Touch
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts


class UnguardedAccess(Rule):
    meta = RuleMeta(
        code="RH115",
        name="unguarded-access",
        summary="`{field}` is declared guarded by `{lock}`, and `{function}` {action} it without that lock",
        severity=Severity.ERROR,
        race_type="Inconsistent Guard",
        impact="Data corruption: one method sees or overwrites what another has half changed.",
        since="0.1.0",
        tags=frozenset({"threads", "shared-state"}),
    )
    bad = (
        Bad("""
            import threading

            class Stock:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._count = 0  # guarded_by: _lock

                def take(self):
                    with self._lock:
                        self._count -= 1

                def left(self):
                    return self._count  # RH
            """),
        Bad("""
            import threading
            from typing import Annotated

            from racehound import guarded_by

            class Stock:
                names: Annotated[list[str], guarded_by("_lock")]

                def __init__(self):
                    self._lock = threading.Lock()
                    self.names = []

                def add(self, name):
                    self.names.append(name)  # RH
            """),
    )
    good = (
        Good("""
            import threading

            class Stock:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._count = 0  # guarded_by: _lock

                def take(self):
                    with self._lock:
                        self._step()

                def _step(self):
                    self._count -= 1
            """),
        Good("""
            import threading

            class Stock:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._seen = 0  # racehound: confined

                def take(self):
                    self._seen += 1
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program)) if program.declared else iter(())

    def _all(self, program: Program) -> Iterator[Finding]:
        owners: Iterable[ClassFacts | ModuleFacts] = (*program.hierarchy.classes, *program.modules)
        for owner in owners:
            said = {name: item for name, item in program.declared.of(owner).items() if item.lock}
            uses = _uses(program, owner) if said else {}
            for name, declaration in said.items():
                yield from self._field(program, owner, declaration, uses.get(name, []))
                if isinstance(owner, ClassFacts):
                    yield from self._others(program, owner, declaration, uses.get(name, []))

    def _others(
        self, program: Program, owner: ClassFacts, declaration: Declaration, uses: list[Use]
    ) -> Iterator[Finding]:
        """`other._count` in a method of the same class: the lock of the other object is wanted."""
        changes = [use for use in uses if use.changes]
        for use in _by_line(list(_foreign_uses(program, owner, declaration.field))) if changes else ():
            wanted = f"{use.touch.place.root}.{declaration.lock}"
            if not any(str(lock) == wanted for lock in program.locksets.named(use.locks)):
                yield self._accuse(program, owner, declaration, [*uses, use], (use, changes[0]))

    def _field(
        self, program: Program, owner: ClassFacts | ModuleFacts, declaration: Declaration, uses: list[Use]
    ) -> Iterator[Finding]:
        for use in _by_line(uses):
            second = _other(use, uses)
            if second is not None and not _is_guarded(program, use, declaration.lock):
                yield self._accuse(program, owner, declaration, uses, (use, second))

    def _accuse(
        self,
        program: Program,
        owner: ClassFacts | ModuleFacts,
        declaration: Declaration,
        uses: list[Use],
        pair: tuple[Use, Use],
    ) -> Finding:
        use, second = pair
        field = declaration.field if isinstance(owner, ModuleFacts) else str(use.touch.place)
        function, other = (outer_method(item.function).name for item in pair)
        accusation = Accusation(
            owner=owner,
            field=declaration.field,
            first=use,
            second=second,
            trigger=f"A thread in `{function}` {use.touch.action.value} `{field}` while another one is in"
            f" `{other}`: `{declaration.lock}`, which would keep them apart, is not held.",
            confidence=_confidence(program, owner, pair),
            grade=_grade(uses, pair),
            others=functions(uses),
            lock=declaration.lock,
        )
        facts = {"field": field, "lock": declaration.lock, "function": function, "action": use.touch.action.value}
        return self.accuse(program, accusation, **facts)


def _uses(program: Program, owner: ClassFacts | ModuleFacts) -> dict[str, list[Use]]:
    return program.fields.of_class(owner) if isinstance(owner, ClassFacts) else program.fields.of_module(owner)


def _foreign_uses(program: Program, owner: ClassFacts, field: str) -> Iterator[Use]:
    for function in program.hierarchy.functions(owner):
        for index, event in enumerate(function.events):
            if isinstance(event, Touch) and _is_of_other(program, owner, function, event.place, field):
                held, changes = program.locksets.at(function, index), event.action in CHANGES
                yield Use(function=function, index=index, touch=event, locks=held, changes=changes)


def _is_of_other(program: Program, owner: ClassFacts, function: FunctionFacts, place: Place, field: str) -> bool:
    """True for a field of a parameter that is annotated with the class, or with nothing."""
    if place.attributes != (field,) or place.root not in function.parameters:
        return False
    kinds = program.kinds.place(function, Place(place.root))
    return not kinds or not kinds.isdisjoint(program.hierarchy.family(owner))


def _by_line(uses: list[Use]) -> list[Use]:
    """One use for each line of a function: its change, where it has one."""
    lines: dict[tuple[object, int], Use] = {}
    for use in sorted(uses, key=lambda use: use.changes):
        lines[use.function, use.touch.span.line] = use
    return list(lines.values())


def _other(use: Use, uses: list[Use]) -> Use | None:
    """What the use meets: a change by another function, else anything, if the use itself is a change."""
    elsewhere = [item for item in uses if outer_method(item.function) is not outer_method(use.function)]
    changes = [item for item in elsewhere if item.changes]
    if changes:
        return max(changes, key=lambda item: bool(item.locks))
    if use.changes:
        return (*elsewhere, use)[0]
    return next((item for item in uses if item.changes), None)


def _is_guarded(program: Program, use: Use, lock: str) -> bool:
    """True if the lock is held, or a lock that cannot be seen: `@synchronized`, `_flush_locked`."""
    wanted = lock.rpartition(".")[2]
    held = program.locksets.named(use.locks)
    return any(str(item).rpartition(".")[2] == wanted or item.owner.endswith("::@") for item in held) or (
        use.function.owner is not None and program.locks.field(use.function.owner, wanted) in held
    )


def _confidence(program: Program, owner: ClassFacts | ModuleFacts, pair: tuple[Use, Use]) -> Sureness:
    resolved = isinstance(owner, ClassFacts) and program.shared.is_resolved(*(item.function for item in pair))
    return CERTAIN if resolved else MeetingDoubt.BY_DECLARATION.likely


def _grade(uses: list[Use], pair: tuple[Use, Use]) -> Grade:
    wide = any(_is_wide(use, [item.index for item in uses if item.function is use.function]) for use in pair)
    return Grade.GIL if wide else Grade.FREE_THREADED


def _is_wide(use: Use, indices: list[int]) -> bool:
    """True if the function can be stopped between two of its uses, or goes over the field in a loop."""
    return use.touch.action is Action.ITERATE or is_interruptible(use.function, min(indices), max(indices))
