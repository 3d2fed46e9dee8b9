"""Functions that no finding can hang on: they only compute, and nothing in the program speaks of them."""

import re
from collections import Counter
from collections.abc import Iterator

from racehound.source.events import Action, Bind, Call, Decision, Event, Exit, Flow, Touch
from racehound.source.facts import FunctionFacts, ModuleFacts

_COMPUTING = frozenset(
    {
        *(
            "abs",
            "bool",
            "bytes",
            "chr",
            "divmod",
            "float",
            "hash",
            "int",
            "isinstance",
            "issubclass",
            "len",
            "max",
        ),
        *(
            "min",
            "ord",
            "pow",
            "range",
            "repr",
            "reversed",
            "round",
            "sorted",
            "str",
            "sum",
            "tuple",
            "type",
            "zip",
        ),
    }
)
"""Built-in functions that change nothing and wait for nobody."""
_LOOKING = frozenset({Action.READ, Action.CHECK, Action.ITERATE})
_PLAIN = (Bind, Decision, Exit, Flow)


def inert_functions(module: ModuleFacts) -> Iterator[str]:
    """Names of functions at the top of a module that are mentioned nowhere else in it, and only compute."""
    counts = Counter(item.qualified_name for item in module.functions)
    holding = {item.parent for item in module.functions}
    lines = module.text.split("\n")
    for item in module.functions[1:]:
        is_plain = item.owner is None and item not in holding and counts[item.qualified_name] == 1
        if is_plain and _only_computes(item) and not _is_mentioned(item, lines):
            yield item.qualified_name


def _only_computes(function: FunctionFacts) -> bool:
    if function.parent is None or not function.parent.is_module_body or function.is_async or function.decorators:
        return False
    if function.files or function.attempts or function.shared_names or function.discarded:
        return False
    return all(_is_harmless(function, event) for event in function.events)


def _is_harmless(function: FunctionFacts, event: Event) -> bool:
    if isinstance(event, Touch):
        return event.action in _LOOKING and _is_local(function, event.place.root)
    if isinstance(event, Call):
        return event.callee is not None and _is_computing(function, event)
    return isinstance(event, _PLAIN)


def _is_local(function: FunctionFacts, name: str) -> bool:
    return name in function.parameters or name in function.bound


def _is_computing(function: FunctionFacts, call: Call) -> bool:
    """True for a call of a built-in function under its own name."""
    module = function.module
    if call.receiver is not None or call.method not in _COMPUTING or _is_local(function, call.method):
        return False
    named = {item.qualified_name for item in module.functions} | {item.qualified_name for item in module.classes}
    return call.method not in named.union(module.imports, module.variables)


def _is_mentioned(function: FunctionFacts, lines: list[str]) -> bool:
    word = re.compile(rf"\b{re.escape(function.name)}\b")
    start, end = function.span.line - 1, function.span.end_line
    around = (*lines[:start], *lines[end:])
    return any(function.name in line and word.search(line) for line in around)
