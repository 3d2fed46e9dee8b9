"""Statements on an SQLite database, which read and write a file and wait for whoever has locked it."""

from racehound.analysis.kinds import Kinds
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
    """True for what `connection.cursor()` gives, also by way of a variable."""
    place = value.place
    made = [value]
    if value.shape is Shape.PLACE and place is not None and not place.attributes:
        made = function.bindings.get(place.root, [])
    return any(
        item.shape is Shape.CALL
        and item.name == "cursor"
        and item.place is not None
        and not kinds.place(function, Place(item.place.root, item.place.attributes[:-1])).isdisjoint(_CONNECTIONS)
        for item in made
    )
