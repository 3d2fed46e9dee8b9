"""Lazy creation without a lock: what RH105 and RH106 have in common."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.meaning.kinds import NONE
from racehound.analysis.program import Program
from racehound.analysis.state.compound import is_interruptible
from racehound.analysis.state.discipline import functions
from racehound.analysis.state.endings import TEARDOWN
from racehound.analysis.state.fields import Use
from racehound.analysis.state.gaps import Gap, gaps_of
from racehound.analysis.state.hazards import Hazard, disturbs, hazard, stored
from racehound.analysis.state.meeting import Meetings, Owner
from racehound.analysis.state.plain import returned, starts_something
from racehound.model.doubt import Sureness
from racehound.model.finding import Grade
from racehound.rules.rule import Accusation, seen_from
from racehound.rules.state.kept_objects import is_alive, is_begun
from racehound.source.events import SELF, Call, Place, Shape, Value
from racehound.source.facts import ClassFacts, FunctionFacts

_LIFE = frozenset({"is_alive", "isAlive", "is_running", "is_closed", "closed", "done"})


class Creation(NamedTuple):
    """A field that is given its first value by whoever finds it empty."""

    owner: Owner
    field: str
    gap: Gap
    uses: list[Use]


def creations(program: Program, owner: Owner, hazards: frozenset[Hazard]) -> Iterator[Creation]:
    gaps = gaps_of(program, owner)
    for field, uses in Meetings(program).own_fields(owner):
        if any(use.changes for use in uses):
            for gap in gaps.of(field):
                if not gap.is_split and hazard(gap) in hazards and _starts_empty(program, owner, field, gap):
                    yield Creation(owner, field, gap, uses)


def _starts_empty(program: Program, owner: Owner, field: str, gap: Gap) -> bool:
    """True if the check asks whether there is anything yet: None, `hasattr`, or whether it still lives."""
    if hazard(gap) is Hazard.INSERT:
        return True
    if gap.check.use.touch.method in _LIFE:
        return True
    before = gap.function.events[gap.check.at - 1] if gap.check.at else None
    if isinstance(before, Call) and before.method == "hasattr":
        return True
    if gap.decided == gap.check.at:
        return True  # what is not there raises
    return NONE in program.fields.kinds(owner, field)


def rival_of(program: Program, found: Creation) -> Use | None:
    """Who else can create: the same function in another thread, or another one."""
    meetings = Meetings(program)
    for rival in (found.gap.act.use, *found.uses):
        if disturbs(Hazard.CREATE, rival, found.gap.act.use) and meetings.may_meet(
            found.owner, found.gap.function, rival.function
        ):
            return rival
    return None


def opens_something(program: Program, found: Creation) -> bool:
    """True for what a class or a function of the program makes, and opens or starts as it does so."""
    act = found.gap.act.use
    made = (program.kinds.callee(act.function, value.place) for value in stored(act) if value.place is not None)
    return any(
        starts_something(program, item)
        if isinstance(item, ClassFacts)
        else isinstance(item, FunctionFacts)
        and any(is_alive(value.name) for each in _run_by(program, item) for value in returned(each))
        for item in made
    )


def _run_by(program: Program, function: FunctionFacts) -> Iterator[FunctionFacts]:
    """The function, and what derived classes have in its place: a base leaves the making to them."""
    yield function
    if function.owner is not None and function.is_method:
        yield from program.hierarchy.overriding(function.owner, function.name)


def is_ended(found: Creation) -> bool:
    """True if somebody closes what is kept there: of two that were made, one is not closed.

    What nobody ever closes goes when nobody uses it any more, the first as well as the second.
    """
    return any(
        isinstance(event, Call)
        and event.receiver is not None
        and TEARDOWN.match(event.method.lstrip("a")) is not None
        and use.touch.place in _behind(use.function, event.receiver)
        for use in found.uses
        for event in use.function.events
    )


def _behind(function: FunctionFacts, value: Value) -> Iterator[Place]:
    """The place itself, and those that its local name stands for."""
    if value.place is not None:
        yield value.place
        bound = function.bindings.get(value.place.root, ()) if not value.place.attributes else ()
        yield from (item.place for item in bound if item.place is not None)


def is_stateless(program: Program, found: Creation) -> bool:
    """True for an object of the program that keeps nothing: of two such objects either is as good as the other."""
    act = found.gap.act.use
    values = list(stored(act))
    made = [program.kinds.callee(act.function, value.place) for value in values if value.place is not None]
    if not made or len(made) < len(values):
        return False
    if all(item in _HANDLES for item in made):
        return True
    return not is_begun(act) and all(_keeps_nothing(program, item, _PARTS) for item in made)


def _keeps_nothing(program: Program, made: object, depth: int) -> bool:
    """True if nothing is put into the object after it was made, from what it was given and from its like."""
    if not isinstance(made, ClassFacts) or not program.hierarchy.outside_bases(made) <= _BARE:
        return False
    bases = program.hierarchy.linear(made)
    makers = [base.methods[name] for base in bases for name in _MAKING if name in base.methods]
    changes = (use for uses in program.fields.of_class(made).values() for use in uses if use.changes)
    if any(use.function not in makers for use in changes):
        return False
    return all(_only_stores(program, maker, depth) for maker in makers)


def _only_stores(program: Program, maker: FunctionFacts, depth: int) -> bool:
    """True for a constructor that calls nothing but those of its bases and of what keeps nothing either."""
    if maker.name == "__new__":
        return False
    calls = (event for event in maker.events if isinstance(event, Call))
    return all(
        event.method in {"super", "__init__"}
        or (
            depth > 0
            and event.callee is not None
            and _keeps_nothing(program, program.kinds.callee(maker, event.callee), depth - 1)
        )
        for event in calls
    )


_HANDLES = frozenset({"psutil.Process"})
"""Tell of what runs already; it minds nobody how many there are."""
_PARTS = 2
"""How deep the parts of an object are looked at."""
_MAKING = ("__init__", "__new__", "__post_init__")
_BARE = frozenset({"object", "abc.ABC", "typing.Protocol", "typing.Generic"})


def is_made_elsewhere(program: Program, found: Creation) -> bool:
    """True for what a function makes that cannot be seen: it may be anything, and takes its time."""
    act = found.gap.act.use
    calls = [value for value in stored(act) if value.shape is Shape.CALL and value.place is not None]
    made = (program.kinds.callee(act.function, value.place) for value in calls if value.place is not None)
    return bool(calls) and not any(isinstance(item, ClassFacts | FunctionFacts) for item in made)


def _other_changes(found: Creation, rival: Use) -> Iterator[Use]:
    """The first change by each other function, which the creation can meet as well."""
    seen = {found.gap.function, found.gap.act.use.function, rival.function}
    for use in found.uses:
        if use.changes and use.function not in seen:
            seen.add(use.function)
            yield use


def accusation(program: Program, found: Creation, rival: Use, confidence: Sureness) -> Accusation:
    gap = found.gap
    look, act = seen_from(gap.function, gap.check), seen_from(gap.function, gap.act)
    name = gap.function.name
    return Accusation(
        owner=found.owner,
        field=found.field,
        first=look,
        second=rival,
        trigger=(
            f"Two threads run `{name}` at the same time: both find `{look.touch.place}` empty before either has "
            "filled it, both create a value, and the second replaces the first, which may be in use already."
        ),
        confidence=confidence,
        grade=Grade.GIL if is_interruptible(gap.function, look.index, act.index) else Grade.FREE_THREADED,
        others=functions(found.uses),
        lock=Meetings(program).lock_of(found.uses),
        evidence=(look, act),
        further=tuple(_other_changes(found, rival)),
    )


def takes_its_time(program: Program, found: Creation) -> bool:
    """True for what is read from a file, or waited for: to do that twice costs, whatever comes of it."""
    function = found.gap.act.use.function
    made = {value.place for value in stored(found.gap.act.use) if value.shape is Shape.CALL}
    between = range(found.gap.check.at, found.gap.act.at)
    if found.gap.function is function and any(call.at in between for call in function.files):
        return True
    return any(
        event.callee in made and _waits_outside(program, function, event, _PARTS)
        for event in function.events
        if isinstance(event, Call)
    )


def _waits_outside(program: Program, function: FunctionFacts, call: Call, depth: int) -> bool:
    target = program.calls.target(function, call)
    if target is None or target.is_async or not depth:
        return False
    if target.files or program.blocking.direct(target):
        return True
    calls = (event for event in target.events if isinstance(event, Call))
    return any(_waits_outside(program, target, event, depth - 1) for event in calls)


def is_made_as_given(program: Program, found: Creation) -> bool:
    """True for `self._factory()`, which the constructor was given: what it makes is unknown."""
    act, owner = found.gap.act.use, found.owner
    places = [value.place for value in stored(act) if value.shape is Shape.CALL and value.place is not None]
    if not isinstance(owner, ClassFacts) or not places:
        return False
    return all(
        place.root == SELF
        and len(place.attributes) == 1
        and any(
            value.place is not None and value.place.root in maker.parameters
            for maker, value in program.kinds.field_values(owner, place.attributes[0])
        )
        for place in places
    )
