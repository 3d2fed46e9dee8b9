"""What an event names as a value: given to a call, kept in a variable or returned, but not called there."""

from collections.abc import Iterable, Iterator

from racehound.source.events import Bind, Call, Event, Exit, Place, Shape, Touch, Value


def named_by(event: Event) -> Iterator[Place]:
    if isinstance(event, Call):
        yield from _places(event.arguments)
        yield from _places([value for _, value in event.keywords])
    elif isinstance(event, Bind | Touch):
        yield from _places(event.values)
    elif isinstance(event, Exit):
        yield from _places((event.value,))


def _places(values: Iterable[Value]) -> Iterator[Place]:
    for value in values:
        if value.place is not None and value.shape is Shape.PLACE:
            yield value.place
        yield from _places(value.arguments)
