"""A condition is waited for once, without a look, or notified without its lock.

`wait()` returns when it was notified, which does not mean that what it waited for is so: another thread may have
been faster, or the notification was for somebody else. One who does not look first, with the lock in his hands,
may wait for what has happened already: the notification is gone, and nobody sends another. And a condition that is
notified without its lock raises RuntimeError.

Wait in a loop inside the lock, `while not ready: condition.wait()`, or use `wait_for`; hold the lock around
`notify`.
"""

import re
from collections.abc import Iterator

from racehound.analysis.locking.free_at_switches import is_passed_at_once
from racehound.analysis.locking.locksets import is_private
from racehound.analysis.program import Program
from racehound.analysis.state.discipline import is_flag
from racehound.analysis.state.fields import Use
from racehound.analysis.testfiles import is_in_a_test
from racehound.model.doubt import CERTAIN, Sureness
from racehound.model.finding import Finding, Grade
from racehound.model.lock_doubts import LockDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.locking.fresh_locks import is_named_otherwise
from racehound.rules.rule import Accusation, Rule, once, operation, owner_of
from racehound.source.events import SELF, Acquire, Action, Call, Decision, Pause, Place, Touch
from racehound.source.facts import FunctionFacts


class ConditionMisuse(Rule):
    meta = RuleMeta(
        code="RH207",
        name="condition-misuse",
        summary="{what}",
        severity=Severity.ERROR,
        race_type="Condition Misuse",
        impact="A wait for ever, or one that ends before what it waited for is true.",
        since="0.1.0",
        tags=frozenset({"threads", "locks"}),
    )
    bad = (
        Bad(
            """
            import threading

            class Mailbox:
                def __init__(self):
                    self._ready = threading.Condition()
                    self._letters = []

                def take(self):
                    with self._ready:
                        if not self._letters:
                            self._ready.wait()  # RH
                        return self._letters.pop()

                def put(self, letter):
                    with self._ready:
                        self._letters.append(letter)
                        self._ready.notify()
            """,
            fixed="""
            import threading

            class Mailbox:
                def __init__(self):
                    self._ready = threading.Condition()
                    self._letters = []

                def take(self):
                    with self._ready:
                        while not self._letters:
                            self._ready.wait()
                        return self._letters.pop()

                def put(self, letter):
                    with self._ready:
                        self._letters.append(letter)
                        self._ready.notify()
            """,
        ),
        Bad(
            """
            import threading

            class Mailbox:
                def __init__(self):
                    self._ready = threading.Condition()
                    self._letters = []

                def take(self):
                    with self._ready:
                        self._ready.wait_for(lambda: self._letters)
                        return self._letters.pop()

                def put(self, letter):
                    with self._ready:
                        self._letters.append(letter)
                    self._ready.notify()  # RH
            """,
            fixed="""
            import threading

            class Mailbox:
                def __init__(self):
                    self._ready = threading.Condition()
                    self._letters = []

                def take(self):
                    with self._ready:
                        self._ready.wait_for(lambda: self._letters)
                        return self._letters.pop()

                def put(self, letter):
                    with self._ready:
                        self._letters.append(letter)
                        self._ready.notify()
            """,
        ),
    )
    good = (
        Good("""
            import threading

            class Mailbox:
                def __init__(self):
                    self._ready = threading.Condition()
                    self._letters = []

                def take(self):
                    with self._ready:
                        while not self._letters:
                            self._ready.wait()
                        return self._letters.pop()

                def put(self, letter):
                    with self._ready:
                        self._letters.append(letter)
                        self._ready.notify()
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for function, index, call in _calls(program, "wait", "notify", "notify_all"):
            place = call.receiver.place if call.receiver is not None else None
            if place is None or _is_alone(function, place):
                continue
            if _is_condition(program, function, place):
                yield from self._judge(program, function, index, call, place)

    def _judge(
        self, program: Program, function: FunctionFacts, index: int, call: Call, place: Place
    ) -> Iterator[Finding]:
        if call.method == "wait":
            blind = _may_last(function, call) and _is_blind(function, index, place)
            if blind and not _has_just_looked(program, function, index):
                what = f"`{function.name}` waits for `{place}` without checking, under its lock, what it waits for"
                yield self._accuse(program, function, index, (place, what, Action.WAIT), LockDoubt.UNLOOKED.likely)
            elif call.loop == 0 and not (call.arguments or call.keywords):
                what = f"`{place}.wait()` in `{function.name}` is not in a loop that looks again"
                confidence = _waiting(program, function, index)
                yield self._accuse(program, function, index, (place, what, Action.WAIT), confidence)
        elif not _may_be_held(program, function, index, place):
            what = f"`{place}.{call.method}()` in `{function.name}` is called without holding `{place}`"
            confidence = _unheld(program, function)
            yield self._accuse(program, function, index, (place, what, Action.NOTIFY), confidence)

    def _accuse(
        self,
        program: Program,
        function: FunctionFacts,
        index: int,
        case: tuple[Place, str, Action],
        confidence: Sureness,
    ) -> Finding:
        place, what, action = case
        use = operation(program, function, index, action, place)
        rival = _notified(program, function, place) if action is Action.WAIT else None
        who = "task" if function.is_async else "thread"
        trigger, impact, remedy = _STORIES["without checking" in what, action is Action.WAIT]
        accusation = Accusation(
            owner=owner_of(function),
            field=(place.attributes or (place.root,))[0],
            first=use,
            second=rival or use,
            trigger=trigger.format(who=who, function=function.name),
            confidence=confidence,
            grade=Grade.GIL,
            impact=impact.format(who=who),
            remedy=remedy.format(place=place),
        )
        return self.accuse(program, accusation, what=what)


_IN_A_LOOP = "Wait in a loop under the lock, `while not ready: {place}.wait()`, or use `{place}.wait_for`."
_MISSED = (
    "What is waited for happens, and is notified, just before the {who} takes the lock; nobody notifies again, "
    "and the {who} waits for ever."
)
_UNDONE = (
    "The {who} is notified, but another one takes the lock first and undoes what was waited for; the {who} goes "
    "on without looking again."
)
_STORIES = {
    (True, True): (_MISSED, "Hang: the {who} waits for what has happened already.", _IN_A_LOOP),
    (False, True): (
        _UNDONE,
        "Broken invariant: the {who} goes on although what it waited for is not true.",
        _IN_A_LOOP,
    ),
    (False, False): (
        "A {who} comes to `{function}` and does not hold the lock of the condition.",
        "`RuntimeError`: only a holder of the lock may notify.",
        "Hold the lock around the call: `with {place}:`, or `async with` for one of asyncio.",
    ),
}
"""By whether nothing is checked and whether it is a wait: what happens, what comes of it, what to do."""
_CONDITIONS = frozenset({"threading.Condition", "asyncio.Condition"})
_OWN_METHODS = "acquire|release|wait|wait_for|notify|notify_all"
_NAMED = re.compile(r"(^|_)(cond|condition|cv)$")


def _calls(program: Program, *methods: str) -> Iterator[tuple[FunctionFacts, int, Call]]:
    for module in program.modules:
        for method in methods:
            for function in module.callers.get(method, ()):
                yield from ((function, index, call) for index, call in function.calls_of(method))


def _notified(program: Program, function: FunctionFacts, place: Place) -> Use | None:
    """Where the same class or module notifies the condition."""
    others = function.module.functions if function.owner is None else program.hierarchy.effective(function.owner)
    for other in others:
        for index, event in enumerate(other.events):
            notifies = isinstance(event, Call) and event.method in {"notify", "notify_all", "notifyAll"}
            if (
                notifies
                and isinstance(event, Call)
                and event.receiver is not None
                and event.receiver.place == place
            ):
                return operation(program, other, index, Action.NOTIFY, place)
    return None


def _is_condition(program: Program, function: FunctionFacts, place: Place) -> bool:
    """Made as one, or called one, made by somebody else, and notified by its own class."""
    kinds = program.kinds.place(function, place)
    if kinds & _CONDITIONS:
        return True
    owner = function.owner
    if kinds or owner is None or place.root != SELF or not _NAMED.search(place.attributes[-1]):
        return False
    return any(
        isinstance(event, Call)
        and event.method in {"notify", "notify_all", "notifyAll"}
        and event.callee == Place(SELF, (*place.attributes, event.method))
        for method in owner.methods.values()
        for event in method.events
    )


def _is_alone(function: FunctionFacts, place: Place) -> bool:
    """True for a condition that a function makes for itself: it only sleeps there."""
    made_here = not place.attributes and place.root in function.bound and place.root not in function.parameters
    return made_here and not is_named_otherwise(
        function, place.root, "acquire|release|wait|wait_for|notify|notify_all"
    )


def _may_last(function: FunctionFacts, call: Call) -> bool:
    """True for a wait without a limit, and for one whose limit the caller gives, who may give none."""
    given = (*call.arguments, *(value for _, value in call.keywords))
    return all(value.place is not None and value.place.root in function.parameters for value in given)


def _is_blind(function: FunctionFacts, index: int, place: Place) -> bool:
    """True if nothing is decided between the taking of the lock and the wait."""
    for event in reversed(function.events[:index]):
        if isinstance(event, Decision | Call) and getattr(event, "method", "") != "acquire":
            return False
        if isinstance(event, Acquire):
            return event.value.place == place
    return False


def _has_just_looked(program: Program, function: FunctionFacts, index: int) -> bool:
    """True for a task that looks, and then takes the lock without a wait: no other one runs in between."""
    acquired = next(at for at in range(index, -1, -1) if isinstance(function.events[at], Acquire))
    if not acquired or not is_passed_at_once(program, function, acquired - 1):
        return False
    before = (event for event in reversed(function.events[: acquired - 1]) if isinstance(event, Decision | Pause))
    return isinstance(next(before, None), Decision)


def _waiting(program: Program, function: FunctionFacts, index: int) -> Sureness:
    """Likely where a decision shows what is waited for, and no loop can be around the function."""
    decisions = [event for event in function.events[:index] if isinstance(event, Decision)]
    if not decisions:
        return LockDoubt.NO_DECISION.possible
    if is_in_a_test(program.hierarchy, function):
        return LockDoubt.WAIT_OF_TEST.possible
    if _may_be_repeated(program, function):
        return LockDoubt.LOOP_AROUND.possible
    for_good = _is_for_good(program, function, decisions[-1])
    return LockDoubt.FOR_GOOD.possible if for_good else LockDoubt.STOLEN.likely


def _may_be_repeated(program: Program, function: FunctionFacts) -> bool:
    """True if whoever calls a step of the class or of the module may do so in a loop that looks again."""
    calls = [caller.function.events[caller.at] for caller in program.callers.of(function)]
    return _is_step(function) and (not calls or any(isinstance(call, Call) and call.loop for call in calls))


def _is_step(function: FunctionFacts) -> bool:
    """Called by its own class or module alone, as its name says."""
    of_module = function.owner is None and (function.parent is None or function.parent.is_module_body)
    return function.name.startswith("_") if of_module else is_private(function)


def _unheld(program: Program, function: FunctionFacts) -> Sureness:
    """A step of the class may be meant for holders alone; where it is called, that can be seen."""
    if not is_private(function):
        return CERTAIN
    called = program.callers.of(function)
    return LockDoubt.FOR_HOLDERS.likely if called else LockDoubt.UNCALLED_STEP.possible


def _is_for_good(program: Program, function: FunctionFacts, decision: Decision) -> bool:
    """True if what is waited for is a flag that is set and never taken back."""
    owner = function.owner
    looks = [event for index in decision.sources if isinstance(event := function.events[index], Touch)]
    if owner is None or not looks:
        return False
    fields = program.fields.of_class(owner)
    names = {look.place.attributes[:1] for look in looks if look.place.root == SELF}
    return len(names) == 1 and all(_is_set_once(fields.get(name, [])) for (name,) in names)


def _is_set_once(uses: list[Use]) -> bool:
    changes = [use for use in uses if use.changes]
    return bool(changes) and is_flag(changes) and len({use.touch.values for use in changes}) == 1


def _may_be_held(program: Program, function: FunctionFacts, index: int, place: Place) -> bool:
    """True if any lock at all is held, or may have been taken by whoever passed the condition in."""
    itself = any(
        isinstance(event, Acquire) and event.value.place == Place(SELF) for event in function.events[:index]
    )
    if itself or program.locksets.at(function, index):
        return True
    if place.root == SELF or place.root in function.parameters:
        return place.root != SELF
    return function.parent is not None and not function.parent.is_module_body
