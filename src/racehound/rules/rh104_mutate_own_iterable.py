"""A loop changes the size of what it goes over.

A dictionary or set that is resized under its iterator raises RuntimeError at the next round; a list skips the item
after the one that was removed. Where the change hangs on a condition, the loop works until the condition is first
met, and where it happens in the last round, not even then.

Iterate over a copy (`list(d)`), or collect first and change after the loop.
"""

import re
from collections.abc import Callable, Iterator

from racehound.analysis.flow.branches import fork_at, reaches_next_round
from racehound.analysis.meaning.kinds import CONTAINERS, Kind
from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.analysis.state.hazards import ADDERS, REMOVERS
from racehound.analysis.state.module_state import variable_of
from racehound.model.doubt import CERTAIN, Sureness
from racehound.model.finding import Finding, Grade
from racehound.model.harm_doubts import HarmDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once, operation, owner_of
from racehound.source.events import SELF, Action, Bind, Call, Decision, Event, Flow, Place, Resize, Span, Touch
from racehound.source.facts import ClassFacts, FunctionFacts

_LISTS = frozenset(
    {"list", "List", "typing.List", "bytearray", "MutableSequence", "collections.abc.MutableSequence"}
)
_GROWING = frozenset({"append", "extend", "[]=", "appendleft", "extendleft"})


class MutateOwnIterable(Rule):
    spares_tests = False  # it takes one thread to go wrong
    meta = RuleMeta(
        code="RH104",
        name="mutate-own-iterable",
        summary="`{target}` changes size inside the loop over it",
        severity=Severity.ERROR,
        race_type="Iteration Mutation",
        impact="RuntimeError in the next round, or items that the loop skips.",
        since="0.1.0",
        tags=frozenset({"threads", "unsafe-dict-access"}),
    )
    bad = (
        Bad(
            """
            def expire(sessions):
                for user in sessions:
                    if sessions[user].old:
                        del sessions[user]  # RH
            """,
            fixed="""
            def expire(sessions):
                for user in list(sessions):
                    if sessions[user].old:
                        del sessions[user]
            """,
        ),
        Bad("""
            class Table:
                def __init__(self):
                    self._rows = {}

                def clean(self):
                    for key, row in self._rows.items():
                        if row.empty:
                            self._drop(key)  # RH

                def _drop(self, key):
                    self._rows.pop(key)
            """),
    )
    good = (
        Good("""
            def expire(sessions):
                for user in list(sessions):
                    if sessions[user].old:
                        del sessions[user]
            """),
        Good("""
            def drop_first(sessions):
                for user in sessions:
                    if sessions[user].old:
                        del sessions[user]
                        break
            """),
        Good("""
            def touch(sessions):
                for user in sessions:
                    sessions[user] = sessions[user].renewed()
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for module in program.modules:
            for function in module.functions:
                if Resize not in function.holds and Action.ITERATE not in function.holds:
                    continue
                yield from self._function(program, function)

    def _function(self, program: Program, function: FunctionFacts) -> Iterator[Finding]:
        """Once for each loop: whoever mends one change sees the others."""
        accused: set[Span] = set()
        for index, event in enumerate(function.events):
            if isinstance(event, Resize) and event.loop_span not in accused:
                for finding in self._direct(program, function, index, event):
                    accused.update({event.loop_span} if finding.confidence.is_shown else ())
                    yield finding
            elif isinstance(event, Touch) and event.action is Action.ITERATE:
                yield from self._through_helper(program, function, index, event)

    def _direct(self, program: Program, function: FunctionFacts, index: int, event: Resize) -> Iterator[Finding]:
        if not reaches_next_round(function.events, index, event.loops) or _is_rebound(function, index, event):
            return
        confidence = _confidence(function, event, program.kinds.place(function, event.place))
        doubt = _doubt(function, index, event) if confidence is not None and confidence.is_likely else None
        confidence = confidence if doubt is None else doubt.possible
        if confidence is not None:
            loop = operation(program, function, index, Action.ITERATE, event.place, event.loop_span)
            change = operation(program, function, index, Action.RESIZE, event.place)
            yield self._accuse(program, change, loop, confidence)

    def _through_helper(
        self, program: Program, function: FunctionFacts, index: int, event: Touch
    ) -> Iterator[Finding]:
        """`for key in self._rows: self._drop(key)`, and the same for a variable of a module."""
        begin = _loop_after(function, index)
        if begin is None or not program.kinds.place(function, event.place) & (CONTAINERS - _LISTS):
            return
        for at in range(begin + 2, fork_at(function.events, begin).join):
            call = function.events[at]
            if isinstance(call, Call) and reaches_next_round(function.events, at, call.loop - 1):
                target = program.calls.target(function, call)
                if target is not None and _is_resized_by(program, function, event.place, call, target):
                    loop = operation(program, function, index, Action.ITERATE, event.place)
                    change = operation(program, function, at, Action.RESIZE, event.place)
                    yield self._accuse(program, change, loop, HarmDoubt.THROUGH_HELPER.likely)

    def _accuse(self, program: Program, change: Use, loop: Use, confidence: Sureness) -> Finding:
        target = str(change.touch.place)
        accusation = Accusation(
            owner=owner_of(change.function),
            field=(change.touch.place.attributes or (change.touch.place.root,))[0],
            first=change,
            second=loop,
            trigger=f"`{change.function.name}` iterates over `{target}`, resizes it, and asks for the next item.",
            confidence=confidence,
            grade=Grade.GIL,
            evidence=(loop, change),
            remedy=f"Iterate over a copy (`list({target})`), or collect first and change after the loop.",
        )
        return self.accuse(program, accusation, target=target)


def _confidence(function: FunctionFacts, event: Resize, kinds: frozenset[Kind]) -> Sureness | None:
    if any(isinstance(kind, ClassFacts) for kind in kinds):
        return None  # a container of the program's own may well go over a copy
    known = {kind for kind in kinds if kind in CONTAINERS}
    if event.how in _GROWING and (event.follows or not (known - _LISTS or event.is_mapping)):
        return None  # an item is replaced, or the loop means to see what it adds
    if event.how in {"update", "add"} and event.follows:
        return None  # the item that the loop is at gets another value, or is there already
    if event.how == "[]=":
        return HarmDoubt.ENTRY_REPLACED.possible
    if not known and any(map(_LISTS_ITS_KEYS.fullmatch, _names(function, event.place))):
        return HarmDoubt.NAMED_LIKE_A_LIST.possible
    if known - _LISTS or event.is_mapping:
        return CERTAIN
    told = event.place.root != SELF  # of a field of a base class that cannot be seen, nothing is known
    if known:
        return HarmDoubt.SKIPPED_ITEM.likely
    if told and event.follows and event.how in {"del", "pop", "remove", "discard"}:
        return HarmDoubt.MAY_BE_A_COPY.likely
    return HarmDoubt.UNKNOWN_CONTAINER.possible


def _names(function: FunctionFacts, place: Place) -> Iterator[str]:
    """The last name, and of a variable that of what it is a copy of: `inner = copy.deepcopy(message)`."""
    yield (place.root, *place.attributes)[-1]
    binds = (event for event in function.events if isinstance(event, Bind) and event.name == place.root)
    for value in (value for event in binds if not place.attributes for value in event.values):
        copied = value.arguments[0] if value.name in _COPIES and value.arguments else value
        if copied.place is not None:
            yield (copied.place.root, *copied.place.attributes)[-1]


_COPIES = frozenset({"copy", "deepcopy"})


def _doubt(function: FunctionFacts, index: int, event: Resize) -> HarmDoubt | None:
    if _is_told_by_name(function, index, event):
        return HarmDoubt.TOLD_BY_NAME
    if _is_repeated(function, index, event):
        return HarmDoubt.REPEATED
    if _is_put_back(function, event):
        return HarmDoubt.PUT_BACK
    return HarmDoubt.SWEPT if _is_swept(function, index, event) else None


_LISTS_ITS_KEYS = re.compile(
    r"_*(\w+_)?(headers?|attribs?|e?mail|message|msg|elem(ent)?|db|dbm|shelf)", re.IGNORECASE
)
"""Mail, elements of XML and data bases look like dictionaries, and give their keys as a list of its own."""


def _is_rebound(function: FunctionFacts, index: int, event: Resize) -> bool:
    """True for `rows = dict(rows)` inside the loop: what changes from then on is a copy."""
    inside = _loops_around(function, index) - event.loops
    return not event.place.attributes and any(
        isinstance(other, Bind) and other.name == event.place.root and other.loop >= inside
        for other in function.events[:index]
    )


def _is_told_by_name(function: FunctionFacts, index: int, event: Resize) -> bool:
    """True for `if item.name == name`: of a list there is one such item, as a rule, and the next is another.

    So it is with `isinstance` in a list that is there for nothing else: an option among arguments is looked for.
    """
    decisions = [item for item in function.events[:index] if isinstance(item, Decision)]
    if not decisions:
        return False
    asked = [function.events[at] for at in decisions[-1].sources]
    kind = any(
        isinstance(item, Call) and item.method == "isinstance" for item in (*asked, *_before(function, index))
    )
    name = event.place.root
    for_this = not event.place.attributes and function.loads.get(name, 0) <= _LOOP_AND_REMOVAL
    for_this = for_this and name not in function.parameters
    return decisions[-1].test == "==" or (kind and for_this)


_LOOP_AND_REMOVAL = 2


def _before(function: FunctionFacts, index: int) -> list[Event]:
    """The question right before the branch in which the list is changed."""
    return function.events[max(index - 6, 0) : index]


def _is_repeated(function: FunctionFacts, index: int, event: Resize) -> bool:
    """True if a loop around comes back to the list: what was passed over has its turn then."""
    changing = any(
        isinstance(other, Bind) and other.name == event.place.root and other.loop > 0 for other in function.events
    )
    return not changing and _loops_around(function, index) > event.loops + 1


_ENDED = re.compile(r"_*(is_?)?(done|finished|ended|closed|stopped|dead|alive|ready|running|poll)", re.IGNORECASE)


def _is_swept(function: FunctionFacts, index: int, event: Resize) -> bool:
    """True for `if job.done(): self._jobs.remove(job)`: what is passed over is still done the next time."""
    decisions = [item for item in function.events[:index] if isinstance(item, Decision)]
    asked = [function.events[at] for at in decisions[-1].sources] if decisions else []
    return event.place.root == SELF and any(
        isinstance(item, Call) and not item.arguments and _ENDED.fullmatch(item.method) for item in asked
    )


_EXCHANGED = frozenset({"pop", "insert"})


def _is_put_back(function: FunctionFacts, event: Resize) -> bool:
    """True for `rows.pop(i)` and then `rows.insert(i, ...)`: others take the place of the item."""
    same = [other for other in function.events if isinstance(other, Resize) and other.place == event.place]
    return event.how in _EXCHANGED and {other.how for other in same} >= _EXCHANGED


def _loops_around(function: FunctionFacts, index: int) -> int:
    stack: list[bool] = []
    for at, event in enumerate(function.events[:index]):
        if event is Flow.FORK:
            stack.append(function.events[at + 1] is Flow.LOOP)
        elif event is Flow.JOIN and stack:
            stack.pop()
    return sum(stack)


def _is_field(place: Place) -> bool:
    return place.root == SELF and len(place.attributes) == 1


def _is_own(call: Call) -> bool:
    return call.callee is not None and _is_field(call.callee)


def _loop_after(function: FunctionFacts, index: int) -> int | None:
    """Where the loop begins that goes over what is touched: `.items()` is called in between."""
    rest = function.events[index + 1 : index + 4]
    skipped = 1 if rest and isinstance(rest[0], Call) else 0
    return index + 1 + skipped if rest[skipped : skipped + 2] == [Flow.FORK, Flow.LOOP] else None


def _is_resized_by(
    program: Program, function: FunctionFacts, place: Place, call: Call, target: FunctionFacts
) -> bool:
    if _is_field(place):
        return _is_own(call) and _resizes(target, lambda other: other == place)
    known = variable_of(program, function, place)
    return known is not None and _resizes(target, lambda other: variable_of(program, target, other) == known)


def _resizes(target: FunctionFacts, is_same: Callable[[Place], bool]) -> bool:
    """True if a helper takes items out of the container on every path."""
    depth = 0
    for event in target.events:
        depth += (event is Flow.FORK) - (event is Flow.JOIN)
        if isinstance(event, Touch) and not depth and _changes_size(event) and is_same(event.place):
            return not _puts_back(target, event)
    return False


def _puts_back(target: FunctionFacts, touch: Touch) -> bool:
    """True for a helper that adds what it is given: in a loop, the item that is there."""
    key = (touch.key or "").strip("[]")
    return touch.method in ADDERS and key in target.parameters


def _changes_size(touch: Touch) -> bool:
    if "][" in (touch.key or ""):
        return False  # what lies below an item changes its size, the container keeps its own
    return touch.action is Action.DELETE or touch.method in REMOVERS | (ADDERS - {"setdefault", "append"})
