"""What `self.server` is in a handler of requests: the server that was made with the class of the handler."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.source.events import SELF, Action, Bind, Call, Place, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

if TYPE_CHECKING:
    from racehound.analysis.meaning.kinds import Kinds

SERVER = "server"
HANDLERS = frozenset(
    {
        *(
            "socketserver.BaseRequestHandler",
            "socketserver.StreamRequestHandler",
            "socketserver.DatagramRequestHandler",
        ),
        *("http.server.BaseHTTPRequestHandler", "http.server.SimpleHTTPRequestHandler"),
    }
)
_Given: TypeAlias = tuple[FunctionFacts, Value]
_Made: TypeAlias = tuple[FunctionFacts, int, Call]


class OwnServer:
    """Does not keep the kinds that it is asked by, as `Arguments`."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        self._hierarchy = hierarchy
        self._makers: dict[ClassFacts, list[_Made]] = {}
        self._calls: dict[str, list[_Made]] | None = None
        """By the last names of what is given to them."""

    def values(self, kinds: "Kinds", owner: ClassFacts) -> Iterator[_Given]:
        """What the field may hold, where the class is a handler."""
        for function, _, call in self._made_with(kinds, owner):
            if call.method == "__init__":
                yield function, Value(Shape.PLACE, place=Place(SELF))
            elif call.callee is not None:
                yield function, Value(Shape.CALL, call.method, call.callee)

    def put(self, kinds: "Kinds", owner: ClassFacts, name: str) -> Iterator[_Given]:
        """What is stored in an attribute of a server that is no class of the program: `server.stats = Stats()`."""
        for function, index, call in self._made_with(kinds, owner):
            places = {Place(own, (name,)) for own in _names_of(function, index, call)}
            for event in function.events:
                if isinstance(event, Touch) and event.action is Action.WRITE and event.place in places:
                    yield from ((function, value) for value in event.values)

    def _made_with(self, kinds: "Kinds", owner: ClassFacts) -> list[_Made]:
        if HANDLERS.isdisjoint(self._hierarchy.outside_bases(owner)):
            return []
        if owner not in self._makers:
            self._makers[owner] = [
                (function, index, call)
                for function, index, call in self._calls_with(owner.name)
                if any(kinds.names.resolve(function.module, place) is owner for place in _places(call))
            ]
        return self._makers[owner]

    def _calls_with(self, name: str) -> list[_Made]:
        if self._calls is None:
            self._calls = {}
            for made in (made for module in self._hierarchy.modules for made in _calls(module)):
                for place in _places(made[2]):
                    self._calls.setdefault(_last_name(made[0].module, place), []).append(made)
        return self._calls.get(name, [])


def _calls(module: ModuleFacts) -> Iterator[_Made]:
    for function in module.functions:
        for index, event in enumerate(function.events if Call in function.holds else ()):
            if isinstance(event, Call) and (event.method[:1].isupper() or event.method == "__init__"):
                yield function, index, event


def _places(call: Call) -> Iterator[Place]:
    for value in (*call.arguments, *(value for _, value in call.keywords)):
        if value.shape is Shape.PLACE and value.place is not None and value.place.root != SELF:
            yield value.place


def _last_name(module: ModuleFacts, place: Place) -> str:
    if place.attributes:
        return place.attributes[-1]
    return module.imports.get(place.root, place.root).rpartition(".")[2]


def _names_of(function: FunctionFacts, index: int, call: Call) -> frozenset[str]:
    """Names that the server is given where it is made, by an assignment or by `with`."""
    following = (event for event in function.events[index + 1 :] if isinstance(event, Bind))
    bound = next((event for event in following if _is_made_by(event.values, call)), None)
    return frozenset({bound.name}) if bound is not None else frozenset()


def _is_made_by(values: tuple[Value, ...], call: Call) -> bool:
    return any(
        value.shape is Shape.CALL and value.place == call.callee and value.arguments == call.arguments
        for value in values
    )
