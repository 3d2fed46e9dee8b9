"""Where objects of a class are made."""

from collections.abc import Iterable, Iterator

from racehound.analysis.meaning.calls import Calls
from racehound.source.events import Call, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts


def made_often(
    modules: Iterable[ModuleFacts], calls: Calls, classes: Iterable[ClassFacts]
) -> Iterator[ClassFacts]:
    """Those of the classes of which a loop makes objects, or more than one place does."""
    seen: set[ClassFacts] = set()
    for _, event, found in constructions(modules, calls, classes):
        if found in seen or event.loop > 0:
            yield found
        seen.add(found)


def constructions(
    modules: Iterable[ModuleFacts], calls: Calls, classes: Iterable[ClassFacts]
) -> Iterator[tuple[FunctionFacts, Call, ClassFacts]]:
    """Where objects of the classes, or of others that have the same name, are made."""
    names = {item.name for item in classes}
    for module in modules:
        for function in _making(module, names):
            for event in function.events:
                found = _constructed(calls, function, event)
                if found is not None and isinstance(event, Call):
                    yield function, event, found


def given_values(call: Call) -> Iterator[Value]:
    yield from call.arguments
    yield from (value for _, value in call.keywords)


def _making(module: ModuleFacts, names: set[str]) -> Iterator[FunctionFacts]:
    """Functions with a call that has one of the names, or one under which the module imports it."""
    called = names.union(module.aliases(names)) & module.callers.keys()
    found = [item for name in sorted(called) for item in module.callers[name]]
    yield from dict.fromkeys(found)


def _constructed(calls: Calls, function: FunctionFacts, event: object) -> ClassFacts | None:
    if not isinstance(event, Call) or event.callee is None or not event.method[:1].isupper():
        return None
    found = calls.kinds.callee(function, event.callee)
    return found if isinstance(found, ClassFacts) else None
