"""Names that are tried one after the other until one is free: whoever looks at the same moment finds the same one.

`while path.exists(): path = next_one()` ends with a name that nobody had at the look. The file is made afterwards,
by the function itself or by the one that it gives the name to.
"""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.program import Program
from racehound.rules.files.file_names import binds
from racehound.source.events import Call, Exit, Place, Shape, Value
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileCall, FileVerb

_MAKES = frozenset({FileVerb.WRITE, FileVerb.APPEND, FileVerb.TOUCH, FileVerb.MAKE})


class FreeName(NamedTuple):
    finder: FunctionFacts
    look: FileCall
    maker: FunctionFacts
    made: FileCall


def free_names(program: Program) -> Iterator[FreeName]:
    for module in program.modules:
        for finder in module.functions:
            for look in finder.files:
                if look.verb is FileVerb.CHECK and look.tested and _is_tried_again(finder, look):
                    yield from _made(program, finder, look)


def _is_tried_again(finder: FunctionFacts, look: FileCall) -> bool:
    """True for a variable that gets another value in the loop in which it is looked for."""
    event, name = finder.events[look.at], _variable(finder, look.value)
    if name is None or not isinstance(event, Call) or not event.loop:
        return False
    return any(bind.loop >= event.loop for bind in binds(finder, name))


def _variable(function: FunctionFacts, value: Value) -> str | None:
    place = value.place if value.shape is Shape.PLACE else None
    return place.root if place is not None and not place.attributes and place.root in function.bound else None


def _made(program: Program, finder: FunctionFacts, look: FileCall) -> Iterator[FreeName]:
    found = _found_at(program, finder, look)
    if found is None:
        return
    place = look.value.place
    for call in finder.files:
        if call.at > found and _makes(call, place):
            yield FreeName(finder, look, finder, call)
    if any(_is_told(event, place) for event in finder.events[found:]):
        yield from _made_by_callers(program, finder, look)


def _found_at(program: Program, finder: FunctionFacts, look: FileCall) -> int | None:
    """From where on the name is free: behind the loop, or where a branch leaves it."""
    paths = program.awaits.paths(finder)
    if paths.is_loop_test(look.at):
        return paths.loop_end(look.at)
    for index in range(look.at, len(finder.events)):
        event = finder.events[index]
        if isinstance(event, Exit) and paths.decided_by(look.at, index):
            is_end = event.kind == "break" or _is_told(event, look.value.place)
            return index if is_end and _is_where_it_is_free(finder, look) else None
    return None


def _is_where_it_is_free(finder: FunctionFacts, look: FileCall) -> bool:
    """`if not path.exists(): break`; without the `not`, it is the one that is there that was looked for."""
    line = finder.module.text.split("\n")[look.span.line - 1]
    return line[: look.span.column].rstrip().endswith("not")


def _is_told(event: object, place: Place | None) -> bool:
    return isinstance(event, Exit) and event.kind == "return" and event.value.place == place is not None


def _makes(call: FileCall, place: Place | None) -> bool:
    if call.verb is FileVerb.RENAME:
        return call.destination == str(place)
    return call.verb in _MAKES and call.value.shape is Shape.PLACE and call.value.place == place


def _made_by_callers(program: Program, finder: FunctionFacts, look: FileCall) -> Iterator[FreeName]:
    for caller in dict.fromkeys(item.function for item in program.callers.of(finder)):
        for call in caller.files:
            if call.verb in _MAKES and any(
                _is_answer(program, caller, finder, item) for item in _values(caller, call)
            ):
                yield FreeName(finder, look, caller, call)


def _values(caller: FunctionFacts, call: FileCall) -> Iterator[Value]:
    yield call.value
    name = _variable(caller, call.value)
    if name is not None:
        yield from (value for event in binds(caller, name) for value in event.values)


def _is_answer(program: Program, caller: FunctionFacts, finder: FunctionFacts, value: Value) -> bool:
    if value.shape is not Shape.CALL or value.place is None:
        return False
    return program.kinds.callee(caller, value.place) is finder
