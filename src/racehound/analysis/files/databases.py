"""Statements on an SQLite database, which read and write a file and wait for whoever has locked it."""

from racehound.analysis.meaning.kinds import Kinds
from racehound.source.events import Call, Place, Shape, Value
from racehound.source.facts import FunctionFacts

_CONNECTIONS = frozenset({"sqlite3.connect", "sqlite3.Connection", "sqlite3.dbapi2.connect"})
STATEMENTS = frozenset({"commit", "execute", "executemany", "executescript"})
IN_MEMORY = ":memory:"


def is_statement(kinds: Kinds, function: FunctionFacts, call: Call) -> bool:
    """False where the module opens a database in memory: there is no file then, and nobody to wait for."""
    if call.method not in STATEMENTS or call.receiver is None or IN_MEMORY in function.module.text:
        return False
    return _is_connection(kinds, function, call.receiver) or _is_cursor(kinds, function, call.receiver)


def _is_connection(kinds: Kinds, function: FunctionFacts, value: Value) -> bool:
    return not kinds.value(function, value).isdisjoint(_CONNECTIONS | {"sqlite3.Cursor"})


def _is_cursor(kinds: Kinds, function: FunctionFacts, value: Value) -> bool:
    """True for what `connection.cursor()` and `closing(connection)` give, also by way of a variable."""
    place = value.place
    made = [value]
    if value.shape is Shape.PLACE and place is not None and not place.attributes:
        made = function.bindings.get(place.root, [])
    return any(_is_made_of(kinds, function, item) for item in made if item.shape is Shape.CALL)


def _is_made_of(kinds: Kinds, function: FunctionFacts, made: Value) -> bool:
    if made.name == "closing":
        return any(_is_connection(kinds, function, item) for item in made.arguments)
    if made.name != "cursor" or made.place is None:
        return False
    connection = Place(made.place.root, made.place.attributes[:-1])
    return not kinds.place(function, connection).isdisjoint(_CONNECTIONS)
