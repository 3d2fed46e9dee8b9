"""What every rule is, and how it accuses."""

import inspect
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from typing import ClassVar

from racehound.analysis.event_loops.loops_of_others import draws_windows
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.program import Program
from racehound.analysis.state.cells import CLOSURE, class_in_common, plain_name
from racehound.analysis.state.fields import Use
from racehound.analysis.state.steps import Step
from racehound.analysis.testfiles import is_in_a_test
from racehound.analysis.threads.entrances import callers_outside, entrances
from racehound.model.doubt import CERTAIN, Sureness, weaker
from racehound.model.finding import Access, Finding, Grade, Subject
from racehound.model.location import Location
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.model.naming import in_words
from racehound.model.rule import Bad, Good, RuleMeta
from racehound.source.events import SELF, Action, Bind, Call, Flow, Place, Span, Touch
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class Accusation:
    """Two uses of one field that can meet."""

    owner: ClassFacts | ModuleFacts
    field: str
    first: Use
    second: Use
    trigger: str
    confidence: Sureness
    grade: Grade
    others: tuple[FunctionFacts, ...] = ()
    """Further functions that use the field."""
    lock: str | None = None
    """The lock that other uses hold."""
    evidence: tuple[Use, ...] = ()
    """The operations to show; the two uses where nothing else is given."""
    fields: tuple[str, ...] = ()
    """Where it is about more than one field."""
    further: tuple[Use, ...] = ()
    """Other uses with the same fault, one per function."""
    contexts: tuple[str, str] = ("", "")
    """Where the two run, if that is not told by the functions that they are in."""
    impact: str = ""
    """What comes of it, if it is not what the rule says of all its findings."""
    remedy: str = ""
    """What to do, if it is not what the page says."""
    unpatched: str = ""
    """Why a lock of the class or of the module is no patch."""


class Rule(ABC):
    """A smell: `check` yields a finding for each place that has it."""

    meta: ClassVar[RuleMeta]
    spares_tests: ClassVar[bool] = True
    """A test makes what it uses, most often to see just that go wrong, and is over when it returns."""
    bad: ClassVar[tuple[Bad, ...]]
    good: ClassVar[tuple[Good, ...]]

    @abstractmethod
    def check(self, program: Program) -> Iterator[Finding]: ...

    def accuse(self, program: Program, accusation: Accusation, **facts: str) -> Finding:
        """Fills the message template of the rule with `facts`."""
        use, sure = accusation.first, self._sureness(program, accusation)
        location = place_of(use)
        return Finding(
            rule=self.meta.code,
            name=self.meta.name,
            location=location,
            severity=self.meta.severity,
            confidence=sure.confidence,
            doubt=sure.reason,
            grade=accusation.grade,
            message=in_words(_spoken(use.function, self.meta.summary.format(**facts))),
            race_type=self.meta.race_type,
            trigger=in_words(_spoken(use.function, accusation.trigger)),
            impact=accusation.impact or self.meta.impact,
            evidence=_evidence(accusation.evidence or (accusation.first, accusation.second)),
            first=_first(program, accusation),
            second=_second(program, accusation),
            subject=_subject(program, accusation),
            fingerprint=fingerprint(
                self.meta.code, home_of(use.function), use.function.qualified_name, statement(use)
            ),
            home=use.function.module.home,
            remedy=accusation.remedy or self.remedy,
            further=tuple(_access(program, item) for item in accusation.further),
        )

    def _sureness(self, program: Program, accusation: Accusation) -> Sureness:
        """What windows are made of, one thread works with, unless a lock says otherwise; a test has its own."""
        if self.spares_tests and is_in_a_test(program.hierarchy, accusation.first.function):
            return weaker(accusation.confidence, MeetingDoubt.IN_A_TEST.possible)
        between_threads = "shared-state" in self.meta.tags and accusation.lock is None
        if (
            between_threads
            and not accusation.confidence.is_possible
            and draws_windows(accusation.first.function.module)
        ):
            return MeetingDoubt.WINDOWS.possible
        return _sureness(program, accusation)

    @cached_property
    def gist(self) -> str:
        """The first paragraph of the page says what is accused."""
        return self._paragraph(0)

    @cached_property
    def remedy(self) -> str:
        """The last paragraph of the page says what to do about it."""
        return self._paragraph(-1)

    def _paragraph(self, at: int) -> str:
        page = inspect.getdoc(inspect.getmodule(type(self))) or ""
        return " ".join(page.split("\n\n")[at].split())


def once(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Without repeats of what a derived class inherits: the same place and field is accused once."""
    seen: set[tuple[str, int, tuple[str, ...]]] = set()
    for finding in findings:
        key = (finding.location.path, finding.location.line, finding.subject.fields)
        if key not in seen:
            seen.add(key)
            yield finding


def operation(
    program: Program, function: FunctionFacts, index: int, action: Action, place: Place, span: Span | None = None
) -> Use:
    """Something that a function does to what is no field: it takes a lock, waits, resizes a local container."""
    event = function.events[index]
    where = span or (function.span if isinstance(event, Bind | Flow) else event.span)
    touch = Touch(place, action, where)
    return Use(
        function=function, index=index, touch=touch, locks=program.locksets.at(function, index), changes=True
    )


def owner_of(function: FunctionFacts) -> ClassFacts | ModuleFacts:
    return function.owner or function.module


def seen_from(function: FunctionFacts, step: Step) -> Use:
    """A step as a use by the function itself: where a helper takes it, at the call of the helper."""
    if step.use.function is function:
        return step.use
    event = function.events[step.at]
    span = event.span if isinstance(event, Call | Touch) else step.use.touch.span
    touch = step.use.touch._replace(span=span)
    return step.use._replace(function=function, index=step.at, touch=touch, locks=step.locks)


def place_of(use: Use) -> Location:
    line, column, end_line, end_column = use.touch.span
    return Location(
        path=use.function.module.path,
        line=line,
        column=column + 1,
        end_line=end_line,
        end_column=end_column + 1,
    )


def statement(use: Use) -> str:
    """The source line of a use, without what formatting changes."""
    return " ".join(_line(use).split("#")[0].split())


def fingerprint(code: str, path: str, function: str, text: str, index: int = 0) -> str:
    """Stays the same while the statement does, wherever it moves; `index` tells equal ones apart.

    Which quotes stand around a text is up to whoever formats it.
    """
    parts = "\0".join((code, path, function, text.replace("'", '"'), str(index)))
    return blake2b(parts.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def home_of(function: FunctionFacts) -> str:
    """The path that fingerprints are made of."""
    return function.module.home or function.module.path


def _line(use: Use) -> str:
    return use.function.module.line(use.touch.span.line)


def _first(program: Program, accusation: Accusation) -> Access:
    first, second = accusation.first, accusation.second
    end = program.contexts.exits.meeting(first.function, second.function, on_object=False)
    is_there_only = end is not None and not program.contexts.of(first.function)
    where = accusation.contexts[0] or (str(end) if is_there_only else "")
    found = _access(program, first)
    return replace(found, context=where) if where else found


def _second(program: Program, accusation: Accusation) -> Access:
    found = _access(program, accusation.second, accusation.first)
    return replace(found, context=accusation.contexts[1]) if accusation.contexts[1] else found


def _access(program: Program, use: Use, beside: Use | None = None) -> Access:
    return Access(
        location=place_of(use),
        function=use.function.qualified_name,
        action=use.touch.action.value,
        target=_spoken(use.function, str(use.touch.place)),
        context=program.shared.describe(use.function, None if beside is None else beside.function),
        locks=tuple(_spoken(use.function, str(lock)) for lock in program.locksets.named(use.locks)),
    )


def _sureness(program: Program, accusation: Accusation) -> Sureness:
    """What is certain only for two that meet in rare moments, or as configured, is no more than likely."""
    if not accusation.confidence.is_certain:
        return accusation.confidence
    first, second = (program.contexts.all(use.function) for use in (accusation.first, accusation.second))
    if not any(context.is_rare for context in (*first, *second)):
        return CERTAIN
    usual = ((one, other) for one in first for other in second if not one.is_rare and not other.is_rare)
    if any(one != other or one.many for one, other in usual):
        return CERTAIN
    return MeetingDoubt.RARE.likely if accusation.lock else MeetingDoubt.RARE.possible


_USUAL = "self"
_OBJECT = re.compile(rf"\b{_USUAL}\b(?=[.`\[,)]|$)")


def _spoken(function: FunctionFacts, text: str) -> str:
    """With the name that a method gives its object: `cls.table` where the source says so."""
    method = outer_method(function)
    if not method.is_method or not method.parameters or method.parameters[0] == _USUAL:
        return text
    return _OBJECT.sub(method.parameters[0], text)


def _evidence(uses: tuple[Use, ...]) -> str:
    lines = {use.touch.span.line: f"{_line(use).strip()}  # line {use.touch.span.line}" for use in uses}
    return "\n".join(lines.values())


def _subject(program: Program, accusation: Accusation) -> Subject:
    involved = (accusation.first.function, accusation.second.function, *accusation.others)
    methods = [outer_method(function) for function in involved]
    called = (
        *(item for method in methods for item in entrances(program.locksets, method)),
        *(item for method in methods for item in callers_outside(program.locksets, method)),
    )
    raced = (item for function in called for item in program.contexts.raced_for(function))
    names = dict.fromkeys(function.name for function in raced)
    owner = class_in_common(accusation.field, accusation.owner) or accusation.owner
    return Subject(
        path=accusation.first.function.module.path,
        class_name=owner.qualified_name if isinstance(owner, ClassFacts) else None,
        functions=tuple(names),
        fields=accusation.fields or (plain_name(accusation.field).partition(".")[0],),
        lock=accusation.lock,
        coroutines=accusation.first.function.is_async and accusation.second.function.is_async,
        unpatched=_unpatched(accusation),
    )


def _unpatched(accusation: Accusation) -> str | None:
    """Why a lock of the class or of the module would be in the wrong place."""
    function, owner = accusation.first.function, accusation.owner
    if accusation.unpatched:
        return accusation.unpatched
    common = class_in_common(accusation.field, owner)
    if common is not None and function.owner is common and function.is_method:
        return None
    if common is not None or (isinstance(owner, ClassFacts) and _is_static(function)):
        name = getattr(common or owner, "name", "")
        return f"a lock of `{name}`, held in `{function.name}`, guards what all its objects have in common"
    is_outside = accusation.first.touch.place.root not in {SELF, getattr(owner, "name", SELF)}
    if isinstance(owner, ClassFacts) and is_outside:
        return f"`{function.name}` changes the object from outside of `{owner.name}`"
    return unpatched_closure(accusation.field, function)


def _is_static(function: FunctionFacts) -> bool:
    return any(place == Place("staticmethod") for place in function.decorators)


def unpatched_closure(field: str, function: FunctionFacts) -> str | None:
    name, _, scope = field.partition(CLOSURE)
    if not scope:
        return None
    owner = function.owner
    if owner is not None and scope == owner.qualified_name:
        return f"`{name}` is given to each `{owner.name}`: a lock that is given with it guards it"
    if scope == function.qualified_name:
        return f"`{name}` is given to `{function.name}`: a lock that is given with it guards it"
    return f"`{name}` is a variable of `{scope}`: a lock made beside it, held in `{function.name}`, guards it"
