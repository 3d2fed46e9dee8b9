"""Two threads that both find a field empty both fill it.

The first value is in use already when the second replaces it: a connection that is never closed, a cache whose
entries are gone, a thread that runs twice. Making the value takes time, which is why it is put off, and why the
second thread has time to come along.

Create the value under a lock, looking again inside; or create it in `__init__`.
"""

import re
from collections.abc import Iterator

from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.analysis.state.gaps import raises_otherwise
from racehound.analysis.state.hazards import Hazard, is_idempotent
from racehound.analysis.state.meeting import Meetings
from racehound.analysis.state.plain import goes_on, is_lifeless, is_plain
from racehound.analysis.state.singletons import is_on_class
from racehound.model.doubt import Doubt, Sureness
from racehound.model.finding import Finding
from racehound.model.harm_doubts import HarmDoubt
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Rule, once
from racehound.rules.state.creation import (
    Creation,
    accusation,
    creations,
    is_ended,
    is_made_as_given,
    is_made_elsewhere,
    is_stateless,
    opens_something,
    rival_of,
    takes_its_time,
)
from racehound.rules.state.filled_later import is_filled_later
from racehound.rules.state.kept_objects import is_begun, keeps_life
from racehound.source.events import Exit
from racehound.source.facts import ClassFacts

_STARTING = re.compile(r"_*(start|begin|launch|enter__|on_start(ed|up)?|set_?up(_\w+)?)")
"""Whoever calls these owns the object, and has not given it to others yet."""


class LazyInitRace(Rule):
    meta = RuleMeta(
        code="RH105",
        name="lazy-init-race",
        summary="`{target}` may be created twice in `{function}`",
        severity=Severity.ERROR,
        race_type="Lazy Initialization",
        impact="Double initialization: two values are created, and work done with the first one is lost.",
        since="0.1.0",
        tags=frozenset({"threads", "shared-state"}),
    )
    bad = (
        Bad(
            """
            class Repository:
                '''Thread-safe access to the database.'''

                def __init__(self, address):
                    self._address = address
                    self._connection = None

                def connection(self):
                    if self._connection is None:  # RH
                        self._connection = connect(self._address)
                    return self._connection
            """,
            fixed="""
            import threading


            class Repository:
                '''Thread-safe access to the database.'''

                def __init__(self, address):
                    self._address = address
                    self._connection = None
                    self._lock = threading.Lock()

                def connection(self):
                    with self._lock:
                        if self._connection is None:
                            self._connection = connect(self._address)
                        return self._connection
            """,
        ),
        Bad("""
            import threading

            class Service:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._client = None

                def client(self):
                    if self._client is not None:  # RH
                        return self._client
                    with self._lock:
                        self._client = Client()
                    return self._client
            """),
    )
    good = (
        Good("""
            import threading

            class Repository:
                '''Thread-safe access to the database.'''

                def __init__(self, address):
                    self._lock = threading.Lock()
                    self._address = address
                    self._connection = None

                def connection(self):
                    if self._connection is None:
                        with self._lock:
                            if self._connection is None:
                                self._connection = connect(self._address)
                    return self._connection
            """),
        Good("""
            class Page:
                '''Thread-safe: the text never changes.'''

                def __init__(self, text):
                    self._text = text
                    self._length = None

                def length(self):
                    if self._length is None:
                        self._length = len(self._text)
                    return self._length
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for owner in program.hierarchy.classes:
            if program.shared.why(owner) is not None:
                for found in creations(program, owner, frozenset({Hazard.CREATE})):
                    yield from self._judge(program, owner, found)

    def _judge(self, program: Program, owner: ClassFacts, found: Creation) -> Iterator[Finding]:
        meetings, act = Meetings(program), found.gap.act.use
        if is_idempotent(act) or meetings.are_inherited(owner, found.gap.check.use, act):
            return
        if is_on_class(program, owner, act.function, act.touch.place.root):
            return  # RH106 speaks of it
        rival = rival_of(program, found)
        if rival is None:
            return
        sure = meetings.certainty(owner, found.gap.function, rival.function, found.uses)
        facts = accusation(program, found, rival, _sureness(program, found, rival, sure))
        yield self.accuse(program, facts, target=str(act.touch.place), function=found.gap.function.name)


def _sureness(program: Program, found: Creation, rival: Use, sure: Sureness) -> Sureness:
    """What two known threads fetch twice is told, though either will do, and so is what they were given to make.

    An object that callers fill is lost with what is in it, whatever else it is.
    """
    doubt = None if sure.is_possible else _doubt(program, found, rival, sure)
    if doubt is None:
        return sure
    if not sure.is_certain:
        return doubt.possible
    if doubt is HarmDoubt.PLAIN_DATA:
        return doubt.likely if takes_its_time(program, found) else doubt.possible
    if doubt is HarmDoubt.NOT_LIVED and is_made_as_given(program, found):
        return doubt.likely
    is_lost = doubt in _OF_THE_OBJECT and is_filled_later(program, found)
    return HarmDoubt.SHORT_WINDOW.likely if is_lost else doubt.possible


_OF_THE_OBJECT = frozenset({HarmDoubt.STATELESS, HarmDoubt.NOT_LIVED})


def _doubt(program: Program, found: Creation, rival: Use, sure: Sureness) -> Doubt | None:
    """Where nobody misses the first value, or nobody comes for it but its owner."""
    if rival is not found.gap.act.use:
        return HarmDoubt.OTHER_CHANGE
    if is_plain(program, found.gap, found.uses):
        return HarmDoubt.PLAIN_DATA
    if raises_otherwise(found.gap):
        return HarmDoubt.TOLD_OTHERWISE
    if is_stateless(program, found):
        return HarmDoubt.STATELESS
    if sure.is_certain:
        return None if _lives(program, found) else HarmDoubt.NOT_LIVED
    if is_lifeless(program, found.gap, found.uses):
        return HarmDoubt.LIFELESS
    return MeetingDoubt.AT_THE_BEGINNING if _is_started(found) else None


def _lives(program: Program, found: Creation) -> bool:
    """True if the one that is replaced is missed: it runs, or is to be closed, or gives way to something newer."""
    gap = found.gap
    if is_begun(gap.act.use) or opens_something(program, found) or goes_on(gap, found.uses):
        return True
    return is_ended(found) if is_made_elsewhere(program, found) else keeps_life(gap.act.use)


def _is_started(found: Creation) -> bool:
    """True in what starts the object, unless it hands out what it makes to whoever asks."""
    function, place = found.gap.function, found.gap.act.use.touch.place
    gives = any(isinstance(event, Exit) and event.value.place == place for event in function.events)
    return not gives and _STARTING.fullmatch(outer_method(function).name) is not None
