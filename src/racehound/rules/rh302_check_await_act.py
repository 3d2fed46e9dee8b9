"""A coroutine looks at shared state, waits, and then acts on what it saw.

At the await other tasks run. One of them may look at the same state, come to the same conclusion and act on it
first: two connections are opened and one is lost, a balance is spent twice, an entry is removed that is no longer
there. With one caller at a time it always works.

Act before the first await, so that nothing can come between; or hold an `asyncio.Lock` over the look and the act;
or look again after the await.
"""

import re
from collections.abc import Iterator

from racehound.analysis.awaiting.awaits import LIFECYCLE, Scope
from racehound.analysis.awaiting.delegated import delegated
from racehound.analysis.awaiting.through_helpers import looks_through_helpers
from racehound.analysis.awaiting.woken import woken
from racehound.analysis.flow.paths import Paths
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.program import Program
from racehound.analysis.state.compound import own_read
from racehound.analysis.state.discipline import is_flag
from racehound.analysis.state.endings import TEARDOWN
from racehound.analysis.state.fields import Use
from racehound.analysis.state.hazards import is_idempotent, makes_something
from racehound.analysis.state.plain import is_lifeless_value
from racehound.model.doubt import CERTAIN, Sureness
from racehound.model.finding import Finding
from racehound.model.harm_doubts import HarmDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.awaiting.across_await import Crossing, accuse_crossing, is_in_place
from racehound.rules.awaiting.await_acts import (
    empties,
    is_after_making,
    is_answer,
    is_awaited_object,
    is_cleared,
    is_closed_before,
    is_compared_before,
    is_issued,
    is_mark,
    is_taken_from_answer,
    is_zero,
)
from racehound.rules.awaiting.claims_by_helpers import is_claimed_by_helper
from racehound.rules.awaiting.kept_entries import keeps_one
from racehound.rules.rule import Rule, once
from racehound.rules.state.guard_order import is_beginning
from racehound.rules.state.kept_objects import is_looked_up
from racehound.rules.state.turns_before import is_reached_in_turn
from racehound.source.events import Action, Decision, Exit, Pause, Shape
from racehound.source.facts import FunctionFacts


class CheckAwaitAct(Rule):
    meta = RuleMeta(
        code="RH302",
        name="check-await-act",
        summary="`{target}` is checked, and after an await `{function}` acts on what it saw before",
        severity=Severity.ERROR,
        race_type="TOCTOU",
        impact="Broken invariant: two tasks act on the same state, and one undoes or repeats what the other did.",
        since="0.1.0",
        tags=frozenset({"asyncio", "shared-state"}),
    )
    bad = (
        Bad("""
            import asyncio

            class Account:
                def __init__(self):
                    self.balance = 100

                async def withdraw(self, amount):
                    if self.balance >= amount:
                        await self.authorise(amount)
                        self.balance -= amount  # RH

            async def main():
                account = Account()
                await asyncio.gather(account.withdraw(80), account.withdraw(70))
            """),
        Bad("""
            _client = None

            async def client():
                global _client
                if _client is None:
                    _client = await connect()  # RH
                return _client
            """),
    )
    good = (
        Good("""
            import asyncio

            class Account:
                def __init__(self):
                    self.balance = 100

                async def withdraw(self, amount):
                    if self.balance >= amount:
                        self.balance -= amount
                        await self.authorise(amount)

            async def main():
                account = Account()
                await asyncio.gather(account.withdraw(80), account.withdraw(70))
            """),
        Good("""
            import asyncio

            _client = None
            _lock = asyncio.Lock()

            async def client():
                global _client
                if _client is None:
                    async with _lock:
                        if _client is None:
                            _client = await connect()
                return _client
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for scope in program.awaits.scopes(program.modules):
            for field, uses, function in scope.coroutines():
                yield from self._function(program, scope, field, function)
                yield from self._delegated(program, field, function, uses)
        for owner in program.hierarchy.classes:
            if any(method.is_async for method in owner.methods.values()):
                for field, uses in program.fields.of_class(owner).items():
                    yield from self._woken(program, field, uses)

    def _woken(self, program: Program, field: str, uses: list[Use]) -> Iterator[Finding]:
        for function in dict.fromkeys(use.function for use in uses if use.function.is_async):
            for check, act, pause, freed in woken(function, program.awaits.paths(function), uses):
                if not program.awaits.is_locked(check, act):
                    crossing = Crossing(
                        field=field,
                        first=check,
                        last=act,
                        pause=pause,
                        rival=freed,
                        confidence=TaskDoubt.FLAG.possible if is_flag([act]) else TaskDoubt.BARGED.likely,
                    )
                    yield accuse_crossing(self, program, crossing, _barged(crossing))

    def _delegated(
        self, program: Program, field: str, function: FunctionFacts, uses: list[Use]
    ) -> Iterator[Finding]:
        own = [use for use in uses if use.function is function]
        for check, act, inside in delegated(function, program.awaits.paths(function), uses, program.hierarchy):
            held = check.locks & program.locksets.at(function, act.index)
            if (
                not held
                and not _is_claimed(own, check.index, act.index)
                and not program.awaits.is_claimed(function, act.index)
                and not is_claimed_by_helper(program, function, act.index, inside)
            ):
                expected = bool(inside.locks) and (makes_something(inside) or is_awaited_object(inside))
                known = expected or (program.tasks.may_overlap(function, function) and not is_cleared(inside))
                crossing = Crossing(
                    field=field,
                    first=check,
                    last=act,
                    pause=act.index + 1,
                    rival=act,
                    confidence=_delegation(known=known, expected=expected),
                )
                yield accuse_crossing(self, program, crossing, _handed_on(crossing, inside.function.name))

    def _function(self, program: Program, scope: Scope, field: str, function: FunctionFacts) -> Iterator[Finding]:
        uses = scope.fields[field]
        own = [use for use in uses if use.function is function]
        paths = program.awaits.paths(function)
        asked = looks_through_helpers(function, uses, program.hierarchy, program.locksets)
        own = sorted((*own, *asked), key=lambda use: use.index)
        for check, act, pause in _pairs(program, paths, own):
            if any(is_in_place(program, scope.owner, field, (use, act)) for use in own if use is not act):
                continue
            if program.awaits.is_locked(check, act) or program.awaits.is_claimed(function, pause):
                continue
            if is_claimed_by_helper(program, function, pause, act):
                continue
            rival = program.awaits.rival(
                act, [use for use in uses if not _lies_below(use, act) and not _is_other_item(use, act)]
            )
            confidence = _confidence(program, scope, act, rival, uses)
            unseen = confidence is not None and confidence.doubt is TaskDoubt.ON_DEMAND
            if unseen and _is_refused(paths, check, act):
                confidence = HarmDoubt.TOLD_OTHERWISE.possible
            if confidence is not None:
                crossing = Crossing(
                    field=field, first=check, last=act, pause=pause, rival=rival or act, confidence=confidence
                )
                yield accuse_crossing(self, program, crossing, _trigger(crossing))
                return


def _pairs(program: Program, paths: Paths, own: list[Use]) -> Iterator[tuple[Use, Use, int]]:
    """Each act behind an await with the last look that decides it, unless the state is claimed before that."""
    asking = [use for use in reversed(own) if _may_look(use)]
    for act in own if asking else ():
        if not act.changes:
            continue
        looks = (use for use in asking if _is_same(use, act) and _is_look(program, use, act))
        look = next((look for look in looks if _decides_about(paths, look.index, act.index)), None)
        if look is None:
            continue
        pause = paths.pause_between(paths.loop_end(look.index) or look.index, act.index)
        if pause is not None and not _is_claimed(own, look.index, pause):
            yield look, act, pause


def _decides_about(paths: Paths, look: int, act: int) -> bool:
    """True for the test of an `if`, and for that of a `while` which has ended before."""
    end = paths.loop_end(look)
    if end is not None and end < act:
        return paths.reaches(end, act)
    return paths.decided_by(look, act)


def _may_look(use: Use) -> bool:
    return use.touch.action is Action.CHECK or (use.touch.action is Action.READ and use.touch.method == "get")


def _is_look(program: Program, use: Use, act: Use) -> bool:
    """A question, or a value that is asked afterwards: `found = self._found.get(key)`."""
    if use.touch.action is Action.CHECK:
        return _decides(use)
    taken = use.touch.action is Action.READ and use.touch.method == "get"
    return taken and use.index not in act.touch.sources and keeps_one(program, act)


def _is_spent(act: Use) -> bool:
    """True for `balance[account] -= amount`, which counts on the amount that was looked at."""
    return act.touch.action is Action.WRITE_ITEM and own_read(act.function, act.index) is not None


def _decides(use: Use) -> bool:
    """False for an `assert`, which says what must be so anyway."""
    events = use.function.events
    return any(isinstance(event, Decision) and use.index in event.sources for event in events)


def _is_same(check: Use, act: Use) -> bool:
    if check.touch.place != act.touch.place:
        return False
    return check.touch.key is None or act.touch.key is None or check.touch.key == act.touch.key


def _lies_below(use: Use, act: Use) -> bool:
    """True for `jobs[name]["tries"] += 1` beside `jobs[name] = job`: the entry stays the one that it is."""
    key, other = act.touch.key, use.touch.key
    return key is not None and other is not None and len(other) > len(key) and other.startswith(key)


def _is_other_item(use: Use, act: Use) -> bool:
    """True for `state['b'] = ...` beside `state['a'] = ...`."""
    keys = use.touch.key, act.touch.key
    return keys[0] != keys[1] and all(key is not None and _NAMED_ITEM.fullmatch(key) for key in keys)


_NAMED_ITEM = re.compile(r"""\[(["'])[^"'\]]*\1\]""")


def _is_claimed(own: list[Use], check: int, pause: int) -> bool:
    """True if the coroutine changes the state before it waits, so that nobody else sees what it saw."""
    return any(use.changes and check < use.index < pause for use in own)


def _is_refused(paths: Paths, check: Use, act: Use) -> bool:
    """True for `if self._page: raise`: whoever asks for a second one is wrong, and is told so as a rule."""
    between = enumerate(act.function.events[check.index : act.index], check.index)
    return any(
        isinstance(event, Exit) and event.kind == "raise" and paths.decided_by(check.index, at)
        for at, event in between
    )


def _confidence(program: Program, scope: Scope, act: Use, rival: Use | None, uses: list[Use]) -> Sureness | None:
    ensured = (
        act.touch.action is Action.WRITE
        and program.awaits.is_gone_through(act.function, several=is_cleared(act) or is_mark([act]))
        and not empties(act)
        and own_read(act.function, act.index) is None
    )
    doubt = _doubt_of_act(program, act)
    if doubt is not None:
        return doubt.possible
    if is_cleared(act) or is_mark(use for use in uses if use.changes):
        ends = TEARDOWN.match(act.function.name) is not None
        marked = ensured and is_mark([act]) and not ends and is_after_making(act)
        return TaskDoubt.GONE_THROUGH.likely if marked else TaskDoubt.CLEARED.possible
    own_key = act.touch.key is not None and any(name in act.touch.key for name in act.function.parameters)
    own_key = own_key and not _is_spent(act)
    if own_key and rival is not None and rival.function is act.function and keeps_one(program, act):
        return TaskDoubt.SAME_KEY.likely
    if own_key and (rival is None or rival.function is act.function) and not keeps_one(program, act):
        return TaskDoubt.OWN_KEY.possible
    if rival is not None:
        doubt = _doubt_of_rival(program, act, rival)
        sure = TaskDoubt.SAME_KEY.likely if own_key else CERTAIN
        if doubt is TaskDoubt.SAME_ANSWER and is_issued(act):
            return TaskDoubt.ISSUED_ANEW.likely
        return sure if doubt is None else doubt.possible
    return None if act.function.name.startswith("__") else _unseen(program, scope, act, uses, ensured=ensured)


def _unseen(program: Program, scope: Scope, act: Use, uses: list[Use], *, ensured: bool) -> Sureness:
    """Where no two tasks are seen to come."""
    asked = bool(act.touch.values) and all(value.shape is Shape.CALL for value in act.touch.values)
    if _is_answered(program, act) or (
        act.touch.action is Action.WRITE and ((asked and is_idempotent(act)) or is_answer(act))
    ):
        return TaskDoubt.SAME_ANSWER.possible
    if act.touch.action is Action.WRITE_ITEM and not keeps_one(program, act):
        return TaskDoubt.CACHE.possible
    if is_compared_before(act) or is_taken_from_answer(act):
        return TaskDoubt.SAME_ANSWER.possible
    meant = program.awaits.is_meant_to_be_shared(scope.owner, act, uses)
    if meant:
        return TaskDoubt.BY_STATE.likely
    if ensured:
        return TaskDoubt.GONE_THROUGH.likely
    return TaskDoubt.ON_DEMAND.likely if _is_made_on_demand(act) else TaskDoubt.NO_SIGN.possible


def _is_made_on_demand(act: Use) -> bool:
    """True for `self._link = await connect()` in what is no step of starting up, which one task takes."""
    method = outer_method(act.function)
    if any(value.shape in {Shape.PLACE, Shape.CONSTANT} for value in act.touch.values):
        return False  # it notes how far it has come
    return is_awaited_object(act) and LIFECYCLE.fullmatch(method.name) is None and not is_beginning(method)


def _doubt_of_act(program: Program, act: Use) -> TaskDoubt | None:
    if is_zero(act):
        return TaskDoubt.BEGINS_ANEW
    if is_closed_before(act):
        return TaskDoubt.CLOSED_TWICE
    return TaskDoubt.IN_TURN if is_reached_in_turn(program, act.function) else None


def _doubt_of_rival(program: Program, act: Use, rival: Use) -> TaskDoubt | None:
    alike = rival.function is act.function and (
        _is_answered(program, act) or _is_worked_out(act) or is_taken_from_answer(act)
    )
    if alike or is_looked_up(act):
        return TaskDoubt.SAME_ANSWER
    if act.touch.method == "clear":
        return TaskDoubt.CLEARED
    ends = TEARDOWN.match(act.function.name) is not None and _is_noted(act)
    return TaskDoubt.AT_THE_END if ends else None


def _delegation(*, known: bool, expected: bool) -> Sureness:
    if expected:
        return TaskDoubt.BY_STATE.likely
    return TaskDoubt.HELPER_MAY_LOOK.likely if known else TaskDoubt.NO_TWO_TASKS.possible


def _is_answered(program: Program, act: Use) -> bool:
    """True if the second one gets and stores what the first one has stored: a record, an entry of a cache."""
    if _is_spent(act):
        return False
    if act.touch.action is Action.WRITE_ITEM:
        return not keeps_one(program, act) and not makes_something(act)
    return _is_first_value(act) and is_lifeless_value(program, act)


def _is_noted(act: Use) -> bool:
    """True for `self._code = message.code`: how it has ended, and nothing that somebody works with."""
    values = act.touch.values
    return (
        act.touch.action is Action.WRITE and bool(values) and all(value.shape is Shape.PLACE for value in values)
    )


def _is_worked_out(act: Use) -> bool:
    """True for data that each of two works out alike, and not from what was there."""
    values = act.touch.values
    data = bool(values) and all(value.shape in {Shape.OTHER, Shape.CONTAINER} for value in values)
    awaited = act.index and isinstance(act.function.events[act.index - 1], Pause)
    return data and not awaited and act.touch.action is Action.WRITE and own_read(act.function, act.index) is None


def _is_first_value(act: Use) -> bool:
    """True for a store of what a call gives, where nothing else than that goes into it."""
    values = act.touch.values
    calls = bool(values) and all(value.shape is Shape.CALL for value in values)
    return calls and act.touch.action is Action.WRITE and own_read(act.function, act.index) is None


def _handed_on(crossing: Crossing, helper: str) -> str:
    name, target = crossing.first.function.name, crossing.target
    return (
        f"Two tasks run `{name}`: both look at `{target}` before either acts, both await `{helper}`, and there "
        "both act on what they saw."
    )


def _barged(crossing: Crossing) -> str:
    name, other, target = crossing.last.function.name, crossing.rival.function.name, crossing.target
    return (
        f"`{name}` waits until `{target}` is free and is woken by `{other}`; before it runs, another task calls "
        f"`{name}`, finds `{target}` free and takes it; then the first one takes it without looking again."
    )


def _trigger(crossing: Crossing) -> str:
    name, other = crossing.last.function.name, crossing.rival.function.name
    target = crossing.target
    if name == other:
        return (
            f"Two tasks run `{name}`: both look at `{target}` before either acts, both wait, and then both act "
            "on what they saw."
        )
    return (
        f"`{name}` looks at `{target}` and waits; another task changes it in `{other}`; then `{name}` acts on "
        "what is no longer true."
    )
