"""A connection is closed first, and only then is it noted that it was meant to be.

Whoever works with it meanwhile finds the flag as it was. A thread that reads gets an error, looks at the flag to
see what the error means, and takes the end for an accident: it reports it, or connects again. A coroutine that
asks the flag whether it may begin does begin, on a connection that is on its way out. It takes a reader that is
quick or an end that takes its time.

Set the flag first, then close.
"""

import re
from collections.abc import Iterator

from racehound.analysis.awaiting.closed_by_base import closed_by_base
from racehound.analysis.locking.locksets import is_constructor
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.program import Program
from racehound.analysis.state.closed_first import ClosedFirst, closed_first
from racehound.analysis.state.discipline import is_flag
from racehound.analysis.state.fields import Use
from racehound.model.doubt import Sureness
from racehound.model.finding import Finding, Grade
from racehound.model.harm_doubts import HarmDoubt
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once, operation
from racehound.source.events import SELF, Action, Decision, Exit, Place, Touch
from racehound.source.facts import ClassFacts, FunctionFacts


class ClosedBeforeNoted(Rule):
    meta = RuleMeta(
        code="RH121",
        name="closed-before-noted",
        summary="`{function}` closes `self.{resource}` before it sets `{target}`, which `{other}` looks at",
        severity=Severity.WARNING,
        race_type="Order Violation",
        impact="A deliberate end is taken for a failure, or work begins on something closed.",
        since="0.1.0",
        tags=frozenset({"threads", "asyncio", "shared-state"}),
    )
    bad = (
        Bad("""
            import threading

            class Reader:
                def __init__(self, socket):
                    self._socket = socket
                    self._closed = False
                    self._thread = threading.Thread(target=self._read)
                    self._thread.start()

                def _read(self):
                    try:
                        while True:
                            handle(self._socket.recv(4096))
                    except OSError:
                        if not self._closed:
                            reconnect()

                def close(self):
                    self._socket.close()
                    self._closed = True  # RH
                    self._thread.join()
            """),
        Bad("""
            class Client:
                def __init__(self, session):
                    self._session = session
                    self._closed = False

                async def get(self, url):
                    if self._closed:
                        return None
                    return await self._session.get(url)

                async def close(self):
                    await self._session.close()
                    self._closed = True  # RH
            """),
    )
    good = (
        Good("""
            class Client:
                def __init__(self, session):
                    self._session = session
                    self._closed = False

                async def get(self, url):
                    if self._closed:
                        raise RuntimeError("closed")
                    return await self._session.get(url)

                async def close(self):
                    self._closed = True
                    await self._session.close()
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for owner in program.hierarchy.classes:
            for found in closed_first(program, owner):
                yield self._accuse(program, owner, found, _sureness(program, found))
            for found in closed_by_base(program, owner):
                yield self._accuse(program, owner, found, MeetingDoubt.NOT_SEEN_TOGETHER.likely)

    def _accuse(self, program: Program, owner: ClassFacts, found: ClosedFirst, sure: Sureness) -> Finding:
        store, look = found.store, found.look
        function, other = store.function.name, outer_method(look.function).name
        target = str(store.touch.place)
        close = operation(program, store.function, found.close, Action.READ, Place(SELF, (found.resource,)))
        reopens = _OPENING.match(other) is not None
        accusation = Accusation(
            owner=owner,
            field=store.touch.place.attributes[0],
            first=store,
            second=look,
            trigger=(
                f"`{function}` closes `self.{found.resource}`; before it sets `{target}`, `{other}` looks at that "
                "and concludes that nothing was closed."
            ),
            confidence=HarmDoubt.REOPENED.possible if reopens else sure,
            grade=Grade.GIL,
            evidence=(close, store),
        )
        return self.accuse(
            program, accusation, function=function, resource=found.resource, target=target, other=other
        )


def _sureness(program: Program, found: ClosedFirst) -> Sureness:
    """Who raises if it is closed lets those who come too late have the error of what is closed: one of a kind."""
    function, look = found.look.function, found.look.index
    paths = program.awaits.paths(function)
    raised = any(
        isinstance(event, Exit) and event.kind == "raise" and paths.decided_by(look, at)
        for at, event in enumerate(function.events[: found.use])
    )
    if function.is_async and raised:
        return HarmDoubt.CLOSED_SAYS_SO.possible
    asks = _asks_another_flag(program, found.look)
    return HarmDoubt.SECOND_FLAG.possible if asks else MeetingDoubt.NOT_SEEN_TOGETHER.likely


def _asks_another_flag(program: Program, look: Use) -> bool:
    """True for `if self._closing or self._closed:`, where the first of the two is another flag of the object."""
    function = look.function
    decisions = (event for event in function.events if isinstance(event, Decision) and look.index in event.sources)
    asked = (function.events[at] for event in decisions for at in event.sources)
    own = look.touch.place
    others = {event.place for event in asked if isinstance(event, Touch) and event.action is Action.CHECK} - {own}
    return any(
        _is_set_later(program, function, place)
        for place in others
        if place.root == SELF and len(place.attributes) == 1
    )


def _is_set_later(program: Program, function: FunctionFacts, flag: Place) -> bool:
    """True for a flag that another function than the constructor sets."""
    uses = program.fields.of_class(function.owner).get(flag.attributes[0], []) if function.owner else []
    changes = [use for use in uses if use.changes]
    return is_flag(changes) and not all(is_constructor(use.function) for use in changes)


_OPENING = re.compile(r"_*(a?open|a?enter|a?start)(_|$)")
"""Whoever opens it again is, as a rule, the one who has closed it."""
