"""What the starter of a thread is given by its callers: one object for all of them, or another one each time."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from racehound.analysis.meaning.arguments import given
from racehound.analysis.meaning.kinds import Kinds
from racehound.analysis.threads.activations import outlives
from racehound.analysis.threads.beginnings import Started
from racehound.source.events import Bind, Call, Place, Shape, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts


def is_common(
    kinds: Kinds,
    modules: Sequence[ModuleFacts],
    function: FunctionFacts,
    loop: int,
    place: Place,
    *,
    asks_all: bool,
) -> bool:
    """True if all that a function starts there has the object in common, as far as can be seen.

    Callers in other modules are asked only where no file is read for that; else they may give anything.
    """
    if loop or not outlives(function, place, loop):
        return outlives(function, place, loop)
    if not asks_all and any(_may_call(item, function) for item in modules):
        return True
    return not is_given_anew(kinds, modules if asks_all else (function.module,), function, place)


def _may_call(module: ModuleFacts, function: FunctionFacts) -> bool:
    """True for another module that calls something of that name, and may mean this one by what it imports."""
    if module is function.module or function.name not in module.callers:
        return False
    home = function.module.path.replace("\\", "/").rpartition("/")[2].removesuffix(".py")
    names = {home, function.name, "*"}
    imported = (origin.rpartition(".")[2] in names for origin in module.imports.values())
    return function.owner is not None or any(imported)


def passed_places(started: Started, target: FunctionFacts) -> Iterator[tuple[str, Value]]:
    """Parameters of the work, with what is there before the loop that starts it."""
    names = target.parameters[1:] if target.is_method else target.parameters
    for name, value in zip(names, started.spawn.arguments, strict=False):
        if (
            value.shape is Shape.PLACE
            and value.place
            and outlives(started.function, value.place, started.call.loop)
        ):
            yield name, value


def is_given_anew(kinds: Kinds, modules: Iterable[ModuleFacts], function: FunctionFacts, place: Place) -> bool:
    """True for `start(Job(path))` and `for job in jobs: start(job)`, and for nothing else that calls it.

    Where nobody is seen to call it, nothing says what it is given.
    """
    if place.attributes or function.decorators or place.root not in function.parameters[function.is_method :]:
        return False
    gifts = list(_gifts(kinds, modules, function, place.root))
    times = Counter((caller, value.place) for caller, _, value in gifts if value.shape is Shape.PLACE)
    return bool(gifts) and all(
        times[caller, value.place] <= 1 and _is_another(kinds, caller, call, value)
        for caller, call, value in gifts
    )


def _gifts(
    kinds: Kinds, modules: Iterable[ModuleFacts], function: FunctionFacts, name: str
) -> Iterator[tuple[FunctionFacts, Call, Value]]:
    for module in modules:
        for caller in module.callers.get(function.name, ()):
            for _, call in caller.calls_of(function.name):
                if call.callee is not None and kinds.callee(caller, call.callee) is function:
                    yield from ((caller, call, value) for word, value in given(function, call) if word == name)


def _is_another(kinds: Kinds, caller: FunctionFacts, call: Call, value: Value) -> bool:
    if value.place is None or value.shape is not Shape.PLACE:
        return _is_made(kinds, caller, value)
    binds = [event for event in caller.events if isinstance(event, Bind) and event.name == value.place.root]
    if value.place.attributes or not binds:
        return False
    return all(_is_of_this_turn(kinds, caller, call, bind) for bind in binds)


def _is_of_this_turn(kinds: Kinds, caller: FunctionFacts, call: Call, bind: Bind) -> bool:
    """True for the variable of the innermost loop around the call, and for what is made there."""
    made = bool(bind.values) and all(_is_made(kinds, caller, value) for value in bind.values)
    return bind.loop == call.loop and (made or (call.loop > 0 and bind.is_of_loop))


def _is_made(kinds: Kinds, caller: FunctionFacts, value: Value) -> bool:
    if value.shape is not Shape.CALL or value.place is None:
        return False
    return isinstance(kinds.callee(caller, value.place), ClassFacts)
