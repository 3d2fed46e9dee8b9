"""Work that a loop goes over and starts: `for work in (reader.run, writer.run): Thread(target=work).start()`."""

from collections.abc import Iterator

from racehound.analysis.meaning.calls import Spawn
from racehound.source.events import Bind, Call, Event, Listed, Place, Value
from racehound.source.facts import FunctionFacts


def each_listed(function: FunctionFacts, index: int, spawn: Spawn) -> Iterator[Spawn]:
    """One for each item of the list; the same item twice runs beside itself."""
    call = function.events[index]
    loops = call.loop if isinstance(call, Call) and function.loops else 0
    items = _listed(function, index, spawn.target) if loops else ()
    if not items:
        yield spawn
    for number, item in enumerate(dict.fromkeys(items), 1):
        many = loops > 1 or items.count(item) > 1
        yield spawn._replace(target=item, many=many and spawn.many, which=number)


def _listed(function: FunctionFacts, index: int, target: Value) -> tuple[Value, ...]:
    """What the name stands for in the loop around, where nothing else gives it a value there."""
    ends = [item for item in function.loops if isinstance(item, Listed) and item.end > index]
    around = next((item for item in ends if Place(item.name) == target.place), None)
    if around is None:
        return ()
    binds = [at for at, event in enumerate(function.events) if _binds(event, around.name) and at < around.end]
    is_the_last = bool(binds) and binds[-1] < index
    bound = function.events[binds[-1]] if is_the_last else None
    return around.values if isinstance(bound, Bind) and not bound.values and bound.loop else ()


def _binds(event: Event, name: str) -> bool:
    return isinstance(event, Bind) and event.name == name
