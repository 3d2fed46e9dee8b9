"""What belongs to one call is kept where all calls see it.

A handler writes the user of this request to a module variable, or to a field of an object that all requests share,
and reads it back a few lines later. Another request has overwritten it by then: one user gets what belongs to
another. With one request at a time it is always right. A decorator that keeps the start of a call on itself does
the same: all calls of the decorated function share the one object. So does a handler that puts an empty list under
the name of its user into a table of all requests, and then fills it: two requests of that user fill the same one.

Pass the value as an argument, or keep it in a local variable, a ContextVar or `threading.local()`.
"""

import re
from collections.abc import Iterator

from racehound.analysis.event_loops.loops_of_others import knows_windows
from racehound.analysis.meaning.constructions import constructions
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.program import Program
from racehound.analysis.state.compound import is_interruptible
from racehound.analysis.state.discipline import functions
from racehound.analysis.state.fields import Use
from racehound.analysis.state.gaps import gaps_of
from racehound.analysis.state.meeting import Meetings, Owner
from racehound.analysis.state.steps import Step
from racehound.analysis.testfiles import is_test
from racehound.model.doubt import CERTAIN, Doubt, Sureness
from racehound.model.finding import Finding, Grade
from racehound.model.harm_doubts import HarmDoubt
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once, seen_from
from racehound.rules.state.begun_entries import begun_entry, is_empty_entry
from racehound.rules.state.call_state import begins_anew, call_states, is_of_call, is_reset
from racehound.rules.state.call_temporaries import call_temporaries, is_made_by_the_call
from racehound.rules.state.guard_doubts import stands_in
from racehound.source.events import Action, Call
from racehound.source.facts import ClassFacts, FunctionFacts

_LOOKS = frozenset({Action.READ, Action.CHECK, Action.ITERATE})


class SharedCallState(Rule):
    meta = RuleMeta(
        code="RH108",
        name="shared-call-state",
        summary="`{target}` holds what belongs to one call of `{function}`, and all threads share it",
        severity=Severity.ERROR,
        race_type="Shared Mutable State",
        impact="Mixed-up data: one call uses the values of another.",
        since="0.1.0",
        tags=frozenset({"threads", "shared-state"}),
    )
    bad = (
        Bad("""
            from flask import Flask

            app = Flask(__name__)
            current_user = None

            @app.route("/orders/<user>")
            def orders(user):
                global current_user
                current_user = user  # RH
                check_rights()
                return load_orders(current_user)
            """),
        Bad("""
            from concurrent.futures import ThreadPoolExecutor

            class Renderer:
                def __init__(self):
                    self._page = None

                def render_all(self, pages):
                    with ThreadPoolExecutor() as pool:
                        return list(pool.map(self._render, pages))

                def _render(self, page):
                    self._page = page  # RH
                    return self._body()

                def _body(self):
                    return self._page.upper()
            """),
        Bad("""
            import functools, time

            class Timed:
                def __enter__(self):
                    self._start = time.monotonic()

                def __exit__(self, *exc):
                    record(time.monotonic() - self._start)

                def __call__(self, function):
                    @functools.wraps(function)
                    def timed(*args):
                        with self:  # RH
                            return function(*args)
                    return timed
            """),
    )
    good = (
        Good("""
            from flask import Flask

            app = Flask(__name__)

            @app.route("/orders/<user>")
            def orders(user):
                current_user = user
                check_rights()
                return load_orders(current_user)
            """),
        Good("""
            import threading
            from concurrent.futures import ThreadPoolExecutor

            class Renderer:
                def __init__(self):
                    self._local = threading.local()

                def render_all(self, pages):
                    with ThreadPoolExecutor() as pool:
                        return list(pool.map(self._render, pages))

                def _render(self, page):
                    self._local.page = page
                    return self._body()

                def _body(self):
                    return self._local.page.upper()
            """),
        Good("""
            import functools, time

            class Timed:
                def __call__(self, function):
                    @functools.wraps(function)
                    def timed(*args):
                        start = time.monotonic()
                        try:
                            return function(*args)
                        finally:
                            record(time.monotonic() - start)
                    return timed
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        meetings = Meetings(program)
        for owner in meetings.owners():
            fields = {name for name, uses in meetings.fields(owner).items() if any(map(_may_be_begun, uses))}
            for field in sorted(fields):
                for function, found in gaps_of(program, owner).steps.of(field):
                    yield from self._judge(program, owner, field, function, found)
        for item in program.hierarchy.classes:
            for write, look, shown in call_states(program, item):
                yield self._accuse_wrapper(program, item, (write, look), shown)

    def _judge(
        self, program: Program, owner: Owner, field: str, function: FunctionFacts, steps: list[Step]
    ) -> Iterator[Finding]:
        if _SETTING.match(function.name):
            return
        if not _is_repeated(program, owner, function):
            if isinstance(owner, ClassFacts):
                for found, look, sure in call_temporaries(program, owner, field, function, steps):
                    yield self._accuse(program, owner, field, (found, look), sure)
            return
        entry = begun_entry(function, steps)
        if entry is not None:
            yield self._accuse(program, owner, field, (entry[0].use, seen_from(function, entry[1])))
            return
        for write in steps:
            if write.use.touch.action is Action.CHECK:
                return  # made by whoever finds none, and the same for all
            later = [step for step in steps if step.at > write.at and step.use.touch.action in _LOOKS]
            begun = is_of_call(write.use) or _is_anew(write, steps)
            if write.is_inside and write.use.function is function and begun and later:
                if not write.locks & later[0].locks:
                    look = seen_from(function, later[0])
                    yield self._accuse(program, owner, field, (write.use, look))
                return

    def _accuse(
        self, program: Program, owner: Owner, field: str, pair: tuple[Use, Use], known: Sureness = CERTAIN
    ) -> Finding:
        write, look = pair
        function, target = write.function, str(write.touch.place)
        uses = Meetings(program).fields(owner)[field]
        entry = write.touch.key is not None
        of_key, sure = (" under the same key", HarmDoubt.SAME_KEY.likely) if entry else ("", known)
        accusation = Accusation(
            owner=owner,
            field=field,
            first=write,
            second=look,
            trigger=(
                f"A thread in `{function.name}` writes `{target}`; another one runs `{function.name}` and writes "
                f"its own{of_key}; the first goes on with what the second has written."
            ),
            confidence=HarmDoubt.IN_AN_OBJECT.possible if "." in field else sure,
            grade=Grade.GIL if is_interruptible(function, write.index, look.index) else Grade.FREE_THREADED,
            others=functions(uses),
            lock=Meetings(program).lock_of(uses),
            evidence=(write, look),
        )
        return self.accuse(program, accusation, target=target, function=function.name)

    def _accuse_wrapper(self, program: Program, owner: ClassFacts, pair: tuple[Use, Use], shown: Use) -> Finding:
        write, look = pair
        field = write.touch.place.attributes[0]
        function, target = outer_method(shown.function).name, str(write.touch.place)
        doubt = _doubt_of_calls(program, owner, write.function)
        accusation = Accusation(
            owner=owner,
            field=field,
            first=shown,
            second=write if shown is not write else look,
            trigger=(
                f"A call of what `{owner.name}` wraps writes `{target}`; a second call, in another thread, writes "
                f"its own; the first reads it in `{look.function.name}` and gets what belongs to the second."
            ),
            confidence=MeetingDoubt.NOT_SEEN_TOGETHER.likely if doubt is None else doubt.possible,
            grade=Grade.GIL,
            evidence=(shown, write, look),
            further=_other_looks(program, owner, field, (shown, write, look)),
        )
        return self.accuse(program, accusation, target=target, function=function)


def _doubt_of_calls(program: Program, owner: ClassFacts, function: FunctionFacts) -> Doubt | None:
    if _is_of_one_call(program, owner):
        return MeetingDoubt.SINGLE_CALL
    if stands_in(function):
        return HarmDoubt.STANDS_IN
    return MeetingDoubt.WINDOWS if knows_windows(owner.module) else None


def _is_of_one_call(program: Program, owner: ClassFacts) -> bool:
    """True for what is made around one request, anew in each round of a loop, or for one call."""
    if _is_of_one_request(owner):
        return True
    found = constructions(program.modules, program.calls, (owner,))
    made = [(function, call) for function, call, kind in found if kind is owner and not is_test(function.module)]
    lasts = _is_kept_by_its_call(owner)
    return bool(made) and all(
        call.loop > 0 or (not lasts and _is_called_at_once(function, call)) for function, call in made
    )


def _is_kept_by_its_call(owner: ClassFacts) -> bool:
    """True for `__call__` of a decorator: the function that it hands out has the object for ever."""
    call = owner.methods.get("__call__")
    return call is not None and any(function.parent is call for function in owner.module.functions)


def _is_called_at_once(function: FunctionFacts, made: Call) -> bool:
    """True for `Responder(app)(scope, receive, send)`: nobody else has the object."""
    return any(call.callee is None and call.span[:2] == made.span[:2] for _, call in function.calls_of(""))


def _is_of_one_request(owner: ClassFacts) -> bool:
    """True for what is made around one request, as its constructor says: `Sender(send, headers)`."""
    made = owner.methods.get("__init__")
    return made is not None and not _REQUEST.isdisjoint(made.parameters)


_REQUEST = frozenset({"send", "receive", "scope", "request", "response", "environ", "start_response"})


def _other_looks(program: Program, owner: ClassFacts, field: str, known: tuple[Use, ...]) -> tuple[Use, ...]:
    """Where else the call finds what may belong to another one."""
    uses = program.fields.of_class(owner).get(field, [])
    functions = {outer_method(use.function) for use in known}
    return tuple(
        use
        for use in uses
        if use.touch.action in _LOOKS and use not in known and outer_method(use.function) in functions
    )


def _is_begun(use: Use) -> bool:
    return is_of_call(use) or is_reset(use) or is_empty_entry(use.touch)


def _may_be_begun(use: Use) -> bool:
    return _is_begun(use) or is_made_by_the_call(use)


def _is_anew(write: Step, steps: list[Step]) -> bool:
    """True for `self.errors = []` in a call that then fills it, and gives it back or goes by it."""
    rest = [step for step in steps if step.at > write.at]
    return is_reset(write.use) and begins_anew(write.use, rest)


_SETTING = re.compile(r"_*(set|configure|use|enable|disable|select|activate)_")
"""What these store is there for all, until somebody sets it to something else."""


def _is_repeated(program: Program, owner: Owner, function: FunctionFacts) -> bool:
    """True if the function is known to run several times at once, on the same object."""
    contexts = program.contexts
    found = contexts.on_shared_self(function) if isinstance(owner, ClassFacts) else contexts.all(function)
    if isinstance(owner, ClassFacts) and Meetings(program).is_of_one_call(owner, function):
        return False
    return any(context.many for context in found)
