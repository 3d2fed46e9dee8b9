"""Functions that the interpreter itself calls, in whichever thread it is: for every line, event or collection."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from racehound.analysis.meaning.calls import Calls
from racehound.analysis.threads.entries import Entry
from racehound.source.events import Call
from racehound.source.facts import FunctionFacts, ModuleFacts


class _Hook(NamedTuple):
    what: str = "whichever thread it is called in"
    is_rare: bool = False
    many: bool = True


_HOOKS = {
    "gc.callbacks.append": _Hook("whichever thread the collector runs in", is_rare=True, many=False),
    "sys.addaudithook": _Hook(),
    **dict.fromkeys(
        (f"threading.{verb}{end}" for verb in ("settrace", "setprofile") for end in ("", "_all_threads")), _Hook()
    ),
}
"""What is given a function, by its dotted name."""
_NAMES = {name.rpartition(".")[2] for name in _HOOKS}
_PACKAGES = frozenset(name.partition(".")[0] for name in _HOOKS)


def hooks(modules: Sequence[ModuleFacts], calls: Calls) -> Iterator[Entry]:
    for module in modules:
        if not _PACKAGES.isdisjoint(name.partition(".")[0] for name in module.imports.values()):
            for name in _NAMES & module.callers.keys():
                for function in module.callers[name]:
                    yield from _given(function, name, calls)


def _given(caller: FunctionFacts, name: str, calls: Calls) -> Iterator[Entry]:
    for event in caller.events:
        if not isinstance(event, Call) or event.method != name or event.callee is None or not event.arguments:
            continue
        origin = calls.kinds.callee(caller, event.callee)
        hook = _HOOKS.get(origin) if isinstance(origin, str) else None
        function = calls.function(caller, event.arguments[0]) if hook is not None else None
        if hook is not None and function is not None and not function.is_async:
            yield Entry(function, hook.what, function.is_method, hook.many, is_rare=hook.is_rare)
