"""How sure it is that a check is out of date when it is used, and that this does harm."""

import re

from racehound.analysis.flow.branches import fork_at
from racehound.analysis.program import Program
from racehound.analysis.state.done_again import is_done_again
from racehound.analysis.state.endings import RESETTING, TEARDOWN
from racehound.analysis.state.fields import Use
from racehound.analysis.state.gaps import Gap, raises_otherwise, refuses_otherwise
from racehound.analysis.state.hazards import EMPTY, Hazard, is_idempotent, makes_something, stored
from racehound.analysis.state.meeting import Meetings, Owner
from racehound.analysis.state.ownership import TELLING
from racehound.analysis.state.promises import answers_otherwise, is_promised_early, keeps_one_of_a_class
from racehound.analysis.state.told import is_noted_last, only_tells
from racehound.analysis.threads.own_thread import WHO
from racehound.model.doubt import Doubt, Sureness
from racehound.model.harm_doubts import HarmDoubt
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.rules.state.kept_objects import keeps_object
from racehound.rules.state.sole_consumers import empties_alone
from racehound.source.events import OTHER, Action, Bind, Call, Flow, Shape
from racehound.source.facts import ClassFacts, FunctionFacts


def sureness(program: Program, owner: Owner, case: tuple[Gap, Hazard, Use], uses: list[Use]) -> Sureness:
    gap, kind, rival = case
    sure = Meetings(program).certainty(owner, gap.function, rival.function, uses)
    doubt = None if sure.is_possible else _doubt(program, owner, case, uses, known=sure.is_certain)
    if doubt is not None:
        return doubt.possible
    if kind is Hazard.VANISH and sure.is_certain:
        return HarmDoubt.SHORT_WINDOW.likely
    doubt = None if sure.is_possible else _doubt_of_harm(program, gap, kind, rival)
    if kind is Hazard.VANISH and isinstance(owner, ClassFacts) and not _is_between_uses(rival.function):
        own = program.shared.is_own_thread(owner, gap.function, rival.function)
        doubt = None if own else doubt
    return sure if doubt is None else doubt.possible


def _doubt(
    program: Program, owner: Owner, case: tuple[Gap, Hazard, Use], uses: list[Use], *, known: bool
) -> Doubt | None:
    gap, kind, rival = case
    if kind is Hazard.OVERFLOW or (kind is Hazard.SPEND and _is_raised(gap)):
        return HarmDoubt.LIMIT
    sharing = program.shared.why(owner) if isinstance(owner, ClassFacts) else None
    claims = sharing is not None and sharing.claims
    if not (known or claims) and empties_alone(program, gap, kind, uses):
        return MeetingDoubt.SOLE_CONSUMER
    held_to_it = known or claims or _is_taken(program, owner, gap)
    twice = kind is Hazard.INSERT and gap.act.use.touch.action is Action.WRITE_ITEM
    missed = _is_missed(program, owner, gap, rival) or keeps_one_of_a_class(program, gap)
    if twice and not claims and not missed:
        return HarmDoubt.NOT_MISSED
    doubt: Doubt | None = _doubt_of_key(gap, kind, rival, held_to_it=held_to_it)
    doubt = doubt or _doubt_of_moment(gap, kind, rival, held_to_it=held_to_it)
    return doubt if doubt is not None or known else _doubt_of_end(gap, kind, rival)


def _doubt_of_key(gap: Gap, kind: Hazard, rival: Use, *, held_to_it: bool) -> HarmDoubt | None:
    noted = kind is Hazard.INSERT and gap.act.use.touch.method == "add" and not raises_otherwise(gap)
    if noted and not held_to_it:
        return HarmDoubt.ONCE_IN_A_SET
    if _is_its_own_thread(gap):
        return HarmDoubt.OWN_KEY
    if kind is not Hazard.MISSING:
        return None
    is_ticket = _TICKET.search(gap.check.key or "") is not None
    if (is_ticket or not held_to_it) and _has_its_own_key(gap, rival):
        return HarmDoubt.OWN_KEY
    if _is_new_edition(rival):
        return HarmDoubt.NEW_EDITION
    return HarmDoubt.TICKET if _is_drawn(gap, rival) else None


def _is_its_own_thread(gap: Gap) -> bool:
    """True for `table[thread]` where `thread = current_thread()`: no other one comes with that key."""
    name = (gap.check.key or "").strip("[]")
    binds = [event for event in gap.function.events if isinstance(event, Bind) and event.name == name]
    return bool(binds) and all(value.name in WHO for event in binds for value in event.values or (OTHER,))


def _doubt_of_moment(gap: Gap, kind: Hazard, rival: Use, *, held_to_it: bool) -> Doubt | None:
    name = gap.function.name
    if TELLING.fullmatch(name):
        return HarmDoubt.ONLY_TELLS
    if _is_caught(gap, kind):
        return HarmDoubt.CAUGHT
    if "fork" in name:
        return MeetingDoubt.FORKED
    if kind is Hazard.MISSING and not held_to_it and RESETTING.match(rival.function.name):
        return MeetingDoubt.BETWEEN_USES
    return None


def _doubt_of_end(gap: Gap, kind: Hazard, rival: Use) -> Doubt | None:
    ends = TEARDOWN.match(gap.function.name) or (kind is Hazard.MISSING and ends_all(rival))
    return MeetingDoubt.AT_THE_END if ends else None


def _doubt_of_harm(program: Program, gap: Gap, kind: Hazard, rival: Use) -> HarmDoubt | None:
    """Equal values stored twice, flags set twice: nobody notices, unless the other way out is an error."""
    if kind is Hazard.VANISH:
        return None if rival.locks or gap.act.locks else HarmDoubt.NO_LOCK_HERE
    if kind not in {Hazard.REPEAT, Hazard.INSERT} or raises_otherwise(gap):
        return None
    if kind is Hazard.INSERT and (refuses_otherwise(gap) or answers_otherwise(gap)):
        return None
    if kind is Hazard.REPEAT:
        once = _starts_a_thread(gap) or is_done_again(program, gap) or is_promised_early(gap)
        return None if once else HarmDoubt.HARMLESS_TWICE
    if only_tells(gap):
        return HarmDoubt.MESSAGE
    if is_noted_last(gap):
        return HarmDoubt.HARMLESS_TWICE
    if gap.act.use.touch.action is not Action.WRITE_ITEM:
        return None
    alike = is_idempotent(gap.act.use) or not makes_something(gap.act.use)
    return HarmDoubt.NOT_MISSED if alike else None


def ends_all(use: Use) -> bool:
    """True for what is done when nobody is at work any more."""
    return TEARDOWN.match(use.function.name) is not None


def _is_drawn(gap: Gap, rival: Use) -> bool:
    """True for a number that the function itself was given by a call: no other run of it has the same one."""
    key = gap.check.key or ""
    if rival.function is not gap.function or not _TICKET.search(key):
        return False
    given = [
        event
        for event in gap.function.events[: gap.check.at]
        if isinstance(event, Bind) and event.name == key[1:-1]
    ]
    return bool(given) and all(value.shape is Shape.CALL for event in given for value in event.values)


def _is_new_edition(rival: Use) -> bool:
    """True if the whole table is replaced by another one, in which most keys are found again."""
    values = rival.touch.values
    if rival.touch.action is not Action.WRITE or not values:
        return False
    text = rival.function.module.line(rival.touch.span.line)
    return EMPTY.search(text) is None and not any(value.shape is Shape.CONSTANT for value in values)


def _is_between_uses(function: FunctionFacts) -> bool:
    return bool(TEARDOWN.match(function.name) or RESETTING.match(function.name))


_TICKET = re.compile(r"(id|ident|identifier|token|ticket|handle|number|seq)\]", re.IGNORECASE)
"""What is given to one caller only: nobody else comes for it."""


def _is_taken(program: Program, owner: Owner, gap: Gap) -> bool:
    """True for `idle.pop(host)` of what others put there under a lock: two may come for it."""
    touch = gap.act.use.touch
    name = touch.place.attributes[0] if touch.place.attributes else touch.place.root
    uses = Meetings(program).fields(owner).get(name, ())
    is_ticket = _TICKET.search(gap.check.key or "") is not None
    return touch.method == "pop" and not is_ticket and any(use.changes and use.locks for use in uses)


def _is_caught(gap: Gap, kind: Hazard) -> bool:
    """True if the function reckons with what the use raises."""
    names = _RAISED.get(kind)
    return names is not None and any(attempt.guards(gap.act.at, names) for attempt in gap.function.attempts)


_RAISED = {
    Hazard.MISSING: frozenset({"KeyError", "ValueError", "LookupError", "Exception"}),
    Hazard.EMPTY: frozenset({"IndexError", "KeyError", "LookupError", "Exception"}),
    Hazard.VANISH: frozenset({"AttributeError", "Exception"}),
}


def _has_its_own_key(gap: Gap, rival: Use) -> bool:
    """True if only the function itself takes entries out, each time the one that its caller names."""
    key, function = gap.check.key or "", gap.function
    if rival.function is not function or rival.touch.key not in {None, key}:
        return False
    return any(re.search(rf"\b{name}\b", key) for name in function.parameters)


def _is_missed(program: Program, owner: Owner, gap: Gap, rival: Use) -> bool:
    """True if the entry that is replaced was of use: something is kept in it, or it is one of its kind."""
    act = gap.act.use
    filled = any(value.shape is Shape.CONTAINER and not value.arguments for value in stored(act))
    if _lies_below(rival, act):
        return False
    if raises_otherwise(gap) or refuses_otherwise(gap) or answers_otherwise(gap) or keeps_object(act) or filled:
        return True
    key = act.touch.key or ""
    uses = (
        Meetings(program)
        .fields(owner)
        .get(act.touch.place.attributes[0] if act.touch.place.attributes else act.touch.place.root, ())
    )
    return any((use.touch.key or "").startswith(f"{key}[") for use in uses if use.changes)


def _is_raised(gap: Gap) -> bool:
    """True for `self.total += 1` behind a look at how full it is."""
    act = gap.act.use
    return "+=" in act.function.module.line(act.touch.span.line)


def _lies_below(rival: Use, act: Use) -> bool:
    """True for `rows[name]["tries"] += 1` beside `rows[name] = row`: the entry is there already."""
    return (rival.touch.key or "").startswith(f"{act.touch.key}[")


def _starts_a_thread(gap: Gap) -> bool:
    """True for `if not self._started: self._started = True`, and a thread of which there must be one."""
    events = gap.function.events
    if gap.decided + 1 >= len(events) or events[gap.decided + 1] is not Flow.FORK:
        return False
    return any(
        isinstance(event, Call) and event.method in {"Thread", "start_new_thread"}
        for start, end in fork_at(events, gap.decided + 1).branches
        for event in events[start:end]
        if start <= gap.act.at < end
    )
