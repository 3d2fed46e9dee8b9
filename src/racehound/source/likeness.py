"""Two states of one module: whether what was learned of it is the same, wherever in the file it stands now.

Comments, docstrings, layout and values that nobody looks at leave the facts as they are, but for their positions.
The analysis compares positions and reports them; so long as their order is the same, it concludes the same.
"""

import re
from collections.abc import Iterator
from typing import TypeAlias

from racehound.source.attempts import Attempt
from racehound.source.events import CHANGES, Acquire, Release, Span, Touch
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

THREAD_BACKENDS = tuple(
    f"{word}={quote}{value}{quote}"
    for word, value in (("backend", "threading"), ("prefer", "threads"), ("require", "sharedmem"))
    for quote in ('"', "'")
)
"""How work that is given to joblib is kept in threads; otherwise it goes to processes."""
WORDS = (
    *THREAD_BACKENDS,
    *("async", "Thread", "Threading", "event_loop", "ProcessPool", "__main__", ":memory:"),
    *("create_task", "ensure_future", "gather", "TaskGroup", "start_soon", "start_server"),
)
"""What analysis and rules look for in the text of a whole module."""
_LAMBDA = re.compile(r"<lambda:\d+:\d+>")
_LOCK_NAME = re.compile(r"""["'][^"'\n]*(?:lock|pid|mutex)[^"'\n]*["']""", re.IGNORECASE)
_EMPTYING = re.compile(r"^[^#\n]*\bO_TRUNC\b", re.MULTILINE)
_SIGNS = re.compile(
    r"%|=\s*(?:\{\}|\[\]|(?:\w+\.)?(?:dict|list|set|deque|OrderedDict|Counter|defaultdict)\(\w*\))\s*(?=#|$)"
)
_WORD = re.compile(rb"\w*")
_TAKING = frozenset({Acquire, Release})

_Point: TypeAlias = tuple[int, int]


class Likeness:
    """Compares the old facts of a module with the new; `aside` are functions at the top that are left out."""

    def __init__(self, old: ModuleFacts, new: ModuleFacts, aside: frozenset[str] = frozenset()) -> None:
        self._old = old
        self._new = new
        self._functions = (_kept(old.functions, aside), _kept(new.functions, aside))
        self._names = dict(zip(*map(_lambdas, self._functions), strict=False))

    def holds(self) -> bool:
        return (
            self._are_alike(_module(self._old), _module(self._new))
            and self._are_alike(_classes(self._old), _classes(self._new))
            and self._are_alike(list(map(_function, self._functions[0])), list(map(_function, self._functions[1])))
            and _order(self._spans(0)) == _order(self._spans(1))
            and self._says_the_same()
        )

    def _are_alike(self, old: object, new: object) -> bool:
        """Functions without a name are called by their place, which may be another one now."""
        if old == new:
            return True
        return _LAMBDA.sub(lambda match: self._names.get(match[0], ""), repr(old)) == repr(new)

    def moves(self) -> Iterator[tuple[Span, Span]]:
        """Where each thing stood, and where it stands now."""
        return zip(self._spans(0), self._spans(1), strict=True)

    def _spans(self, index: int) -> list[Span]:
        spans = [item.span for item in (self._old, self._new)[index].classes]
        for function in self._functions[index]:
            spans.extend(() if function.is_module_body else (function.span,))
            spans.extend(_spans(function))
        return spans

    def _says_the_same(self) -> bool:
        """What is read off the source itself: a `not` before a look at a file, a name inside a function."""
        if any((word in self._old.text) != (word in self._new.text) for word in WORDS):
            return False
        if any(item.files for item in self._functions[0]) and _lock_names(self._old) != _lock_names(self._new):
            return False
        if _EMPTYING.findall(self._old.text) != _EMPTYING.findall(self._new.text):
            return False
        before, after = self._old.text.split("\n"), self._new.text.split("\n")
        for old, new in zip(*self._functions, strict=True):
            if _is_literal(old) and _text(old, before) != _text(new, after):
                return False
            if _signs(old, before) != _signs(new, after):
                return False
        return all(_word(old, before) == _word(new, after) for old, new in self.moves())


def _signs(function: FunctionFacts, lines: list[str]) -> list[list[str]]:
    """What rules read off the lines on which something is changed: signs of counting round, and of emptiness."""
    changes = (event for event in function.events if isinstance(event, Touch) and event.action in CHANGES)
    return [_SIGNS.findall(lines[event.span.line - 1]) for event in changes if event.span.line <= len(lines)]


def _lock_names(facts: ModuleFacts) -> list[str]:
    """What files are called that may be locks: a rule reads it where the path is put together."""
    return _LOCK_NAME.findall(facts.text)


def _kept(functions: list[FunctionFacts], aside: frozenset[str]) -> list[FunctionFacts]:
    return [item for item in functions if item.qualified_name not in aside]


def _lambdas(functions: list[FunctionFacts]) -> list[str]:
    found = (_LAMBDA.search(function.name) for function in functions)
    return [match[0] for match in found if match is not None]


def _module(facts: ModuleFacts) -> tuple[object, ...]:
    names = list(facts.imports), list(facts.variables)
    return facts.imports, facts.variables, *names, facts.claims_thread_safety, facts.claims_processes


def _classes(facts: ModuleFacts) -> list[object]:
    return [_class(item) for item in facts.classes]


def _class(item: ClassFacts) -> tuple[object, ...]:
    methods = [(name, method.qualified_name) for name, method in item.methods.items()]
    head = (item.qualified_name, item.bases, item.decorators, item.claims_thread_safety)
    return *head, list(item.attributes.items()), methods


def _function(item: FunctionFacts) -> tuple[object, ...]:
    return (
        *(item.name, item.qualified_name, item.is_async, item.is_method, item.parameters, item.returns),
        *(item.owner and item.owner.qualified_name, item.parent and item.parent.qualified_name),
        *(
            list(item.annotations.items()),
            list(item.defaults.items()),
            item.decorators,
            item.decorated_by,
            list(item.bindings.items()),
            item.fed,
            item.passed,
            item.loops,
            item.loads,
        ),
        *(sorted(item.bound), sorted(item.shared_names), sorted(item.discarded)),
        [_without_spans(event) if isinstance(event, tuple) else event for event in item.events],
        list(map(_attempt, item.attempts)),
        list(map(_without_spans, item.files)),
    )


def _without_spans(event: tuple[object, ...]) -> tuple[object, ...]:
    return (type(event).__name__, *(part for part in event if type(part) is not Span))


def _attempt(item: Attempt) -> tuple[object, ...]:
    return item.begin, item.end, item.loop, [caught._replace(line=0) for caught in item.handlers]


def _spans(function: FunctionFacts) -> Iterator[Span]:
    recorded: list[tuple[object, ...]] = [event for event in function.events if isinstance(event, tuple)]
    recorded.extend(function.files)
    for event in recorded:
        yield from (part for part in event if type(part) is Span)
    for attempt in function.attempts:
        for caught in attempt.handlers:
            yield Span(caught.line, 0, caught.line, 0)


def _order(spans: list[Span]) -> list[int]:
    """Each position by its rank among all, and each line by its rank."""
    points: list[_Point] = [point for span in spans for point in (span[:2], span[2:])]
    ranks = {point: rank for rank, point in enumerate(sorted(set(points)))}
    lines = {line: rank for rank, line in enumerate(sorted({line for line, _ in points}))}
    return [rank for point in points for rank in (ranks[point], lines[point[0]])]


def _is_literal(function: FunctionFacts) -> bool:
    """True where a rule may look at the text: it takes locks, works on files, or stands inside what does."""
    scope: FunctionFacts | None = function
    while scope is not None:
        if scope.files or not scope.holds.isdisjoint(_TAKING):
            return True
        scope = scope.parent
    return False


def _text(function: FunctionFacts, lines: list[str]) -> list[str]:
    """Its lines; of a module body, those on which it works on files."""
    body = lines[function.span.line - 1 : function.span.end_line]
    return body + [lines[call.span.line - 1] for call in function.files]


def _word(span: Span, lines: list[str]) -> bytes:
    match = _WORD.match(lines[span.line - 1].encode(), span.column) if span.line <= len(lines) else None
    return match[0] if match is not None else b""
