"""A constructor starts a thread on the object before the object is complete.

The thread may run at once, and uses a field that the constructor sets only afterwards: AttributeError, on fast
machines or under load. A base class that starts the thread in its constructor does it to every derived class,
whose own fields are set after the call of `super().__init__()`.

Start the thread as the last thing, or in a `start()` method of its own.
"""

from collections.abc import Iterator

from racehound.analysis.locking.locksets import is_constructor
from racehound.analysis.program import Program
from racehound.analysis.threads.starts import Start, starts, used_by
from racehound.model.doubt import CERTAIN, Sureness
from racehound.model.finding import Finding, Grade
from racehound.model.harm_doubts import HarmDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once, operation
from racehound.source.events import SELF, Action, Call, Flow, Place, Touch
from racehound.source.facts import ClassFacts, FunctionFacts


class SelfEscapesEarly(Rule):
    meta = RuleMeta(
        code="RH112",
        name="self-escapes-early",
        summary="`self.{field}` is set after the thread that uses it was started, in `{target}`",
        severity=Severity.ERROR,
        race_type="Unsafe Publication",
        impact="AttributeError in the new thread, whenever it is faster than the constructor.",
        since="0.1.0",
        tags=frozenset({"threads", "shared-state"}),
    )
    bad = (
        Bad("""
            import threading

            class Poller:
                def __init__(self, address):
                    self._thread = threading.Thread(target=self._run)
                    self._thread.start()
                    self._address = address  # RH

                def _run(self):
                    poll(self._address)
            """),
        Bad("""
            import threading

            class Worker(threading.Thread):
                def __init__(self):
                    super().__init__()
                    self.start()

            class Printer(Worker):
                def __init__(self, out):
                    super().__init__()
                    self._out = out  # RH

                def run(self):
                    self._out.write("running")
            """),
    )
    good = (
        Good("""
            import threading

            class Poller:
                def __init__(self, address):
                    self._thread = threading.Thread(target=self._run)
                    self._address = address
                    self._thread.start()

                def _run(self):
                    poll(self._address)
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for owner in program.hierarchy.classes:
            function = owner.methods.get("__init__")
            if function is not None:
                for start in (*starts(program, owner, function), *_of_base(program, owner, function)):
                    yield from self._late(program, owner, function, start)
            for function in owner.methods.values():
                if not is_constructor(function):
                    for start in starts(program, owner, function):
                        yield from self._late(program, owner, function, start)

    def _late(
        self, program: Program, owner: ClassFacts, function: FunctionFacts, start: Start
    ) -> Iterator[Finding]:
        used = used_by(program, owner, start.target)
        early = {name for name, index in _fields(function) if index < start.at}
        early.update(name for item in program.hierarchy.linear(owner) for name in item.attributes)
        if not is_constructor(function):
            early.update(_set_elsewhere(program, owner, function))
        late = [
            (name, index)
            for name, index in _fields(function)
            if index > start.at and name in used and name not in early and not _is_set(used[name])
        ]
        if late:
            name, index = late[0]
            others = sorted({other for other, _ in late} - {name})
            sure = HarmDoubt.SEEN_LATER.possible if _comes_later(start.target, used[name]) else CERTAIN
            yield self._accuse(program, owner, (function, index), used[name], (name, *others), sure)

    def _accuse(
        self,
        program: Program,
        owner: ClassFacts,
        late: tuple[FunctionFacts, int],
        used: tuple[FunctionFacts, int],
        names: tuple[str, ...],
        confidence: Sureness,
    ) -> Finding:
        """One finding for all the fields that the thread may find missing."""
        name, *others = names
        also = "".join(f", neither is `self.{other}`" for other in others)
        place = Place(SELF, (name,))
        first = operation(program, *late, Action.WRITE, place)
        second = operation(program, *used, Action.READ, place)
        accusation = Accusation(
            owner=owner,
            field=name,
            fields=names,
            first=first,
            second=second,
            trigger=f"The thread comes to `{used[0].name}` and looks for `self.{name}`: it is not set yet{also}.",
            confidence=confidence,
            grade=Grade.GIL,
            evidence=(first, second) if used[0].module is late[0].module else (first,),
        )
        return self.accuse(program, accusation, field=name, target=used[0].name)


def _comes_later(target: FunctionFacts, used: tuple[FunctionFacts, int]) -> bool:
    """True for a callback, and for what is done with work: others bring that once they have the object."""
    function, index = used
    if function is not target and Flow.LOOP in target.events:
        return True
    waits = (event.method for event in function.events[:index] if isinstance(event, Call))
    return function.name.lstrip("_").startswith("on_") or not _WAITS.isdisjoint(waits)


_WAITS = frozenset({"get", "wait", "recv", "accept", "read", "readline", "select", "poll"})


def _set_elsewhere(program: Program, owner: ClassFacts, function: FunctionFacts) -> Iterator[str]:
    """Fields that are there by another function, as likely as not before this one starts the thread."""
    for other in program.hierarchy.effective(owner):
        if other is not function:
            yield from (name for name, _ in _fields(other))


def _of_base(program: Program, owner: ClassFacts, function: FunctionFacts) -> Iterator[Start]:
    """Threads that the constructor of a base class starts when `super().__init__()` is called."""
    for index, event in enumerate(function.events):
        if not isinstance(event, Call) or event.method != "__init__" or event.receiver is None:
            continue
        for base in program.hierarchy.linear(owner)[1:]:
            if "__init__" in base.methods:
                for start in starts(program, owner, base.methods["__init__"]):
                    yield Start(index, start.target)
                break


def _fields(function: FunctionFacts) -> Iterator[tuple[str, int]]:
    """Attributes that a constructor sets, in order."""
    for index, event in enumerate(function.events):
        if isinstance(event, Touch) and event.action is Action.WRITE:
            root, attributes = event.place
            if root == SELF and len(attributes) == 1:
                yield attributes[0], index


def _is_set(use: tuple[FunctionFacts, int]) -> bool:
    """True if the thread sets the field itself before it uses it."""
    event = use[0].events[use[1]]
    return isinstance(event, Touch) and event.action is Action.WRITE
