"""What a function does, in order, as far as concurrency cares.

Control flow is kept as markers between the events (`Flow`), so that facts which hold on every path, such as the
locks held, can be worked out later, when the whole program is known. Events are named tuples: a million lines
make several hundred thousand of them, and a frozen data class takes three times as long to build.
"""

from enum import Enum
from typing import NamedTuple, TypeAlias

SELF = "<self>"
"""Root of a place that starts at the instance or the class a method is bound to."""

MAXIMUM_DEPTH = 3
"""Attributes kept of a place; what lies deeper is told apart no further."""


class Span(NamedTuple):
    """A range of source text: lines count from 1, columns from 0."""

    line: int
    column: int
    end_line: int
    end_column: int


class Place(NamedTuple):
    """A variable or an attribute path: `self._failures`, `COUNT`, `breaker.state`."""

    root: str
    attributes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ".".join(("self" if self.root == SELF else self.root, *self.attributes))


class Shape(Enum):
    """How an expression is built, where that says what it evaluates to."""

    CONSTANT = "constant"
    CONTAINER = "container"
    CALL = "call"
    PLACE = "place"
    FUNCTION = "function"
    ANNOTATION = "annotation"
    OTHER = "other"

    __hash__ = object.__hash__


class Value(NamedTuple):
    """An expression in outline."""

    shape: Shape
    name: str = ""
    """Text of a constant, type of a container, qualified name of a nested function, last name of a callee."""
    place: Place | None = None
    """The place itself, the callee of a call, the class of an annotation."""
    arguments: tuple["Value", ...] = ()
    keywords: tuple[tuple[str, "Value"], ...] = ()


OTHER = Value(Shape.OTHER)


HOMES = "$"
"""Begins the name of a constant that is the name of a variable: of one that leads to the home of the user."""
ITEM = "[]"
METACLASS = "__metaclass__"
"""Name under which a class keeps the metaclass that its head names, as in Python 2."""
EACH = "each"
EACH_VALUE = "each value"
"""Name what a loop takes from a container, one by one: its items, of a table the keys; the values of a table."""
LOOPED = frozenset({EACH, EACH_VALUE})
MEMBER = "."
"""Begins the name of a value that is an attribute of what a call gives."""


class Action(Enum):
    """What is done to a place; the value is the verb of a finding."""

    READ = "reads"
    CHECK = "checks"
    ITERATE = "iterates"
    WRITE = "writes"
    WRITE_ITEM = "writes an item of"
    DELETE = "deletes from"
    MUTATE = "changes"
    RESIZE = "resizes"
    ACQUIRE = "acquires"
    KEEP = "keeps"
    RELEASE = "releases"
    WAIT = "waits for"
    NOTIFY = "notifies"
    START = "starts"

    __hash__ = object.__hash__  # in C; the one of enumerations is not, and sets of actions are asked all the time


CHANGES = frozenset({Action.WRITE, Action.WRITE_ITEM, Action.DELETE, Action.MUTATE})


class Touch(NamedTuple):
    """An access to shared state, or to what may turn out to be shared."""

    place: Place
    action: Action
    span: Span
    key: str | None = None
    """Source text of the subscript or of the first argument; None where the place is taken as a whole."""
    values: tuple[Value, ...] = ()
    """What is written, in outline: several where the expression has alternatives."""
    sources: tuple[int, ...] = ()
    """Indices of earlier touches and calls whose value flowed into what is written."""
    method: str = ""
    """The method by which the place is used: `pop`, `get`; ITEM for a change of what lies below a subscript."""


class Acquire(NamedTuple):
    """Entry of a `with` block, or `.acquire()`; whether it is a lock is not known yet."""

    value: Value
    span: Span
    is_async: bool = False
    """Entered by `async with`: then it is no lock between threads."""


class Release(NamedTuple):
    value: Value
    span: Span


class Call(NamedTuple):
    callee: Place | None
    method: str
    """Last name of the callee, also where the rest of it is no place."""
    receiver: Value | None
    arguments: tuple[Value, ...]
    keywords: tuple[tuple[str, Value], ...]
    span: Span
    loop: int
    """How many loops of this function surround it."""


class Bind(NamedTuple):
    """A local variable gets a value."""

    name: str
    values: tuple[Value, ...]
    loop: int

    @property
    def is_of_loop(self) -> bool:
        """True for the variable of a loop, and for other names of which nothing is known."""
        return not self.values or self.values[0].name in LOOPED


class Pause(NamedTuple):
    """Other code may run: an await, a yield, the entry of an `async with`, the next item of an `async for`."""

    span: Span
    yields: bool
    value: Value = OTHER
    """What is awaited, in outline."""


class Waited(NamedTuple):
    """From an event on, all that a collection holds is over, or the single thing that is at a place."""

    at: int
    place: Place


class Listed(NamedTuple):
    """A loop gives a name the things that are listed there, one by one: `for work in (read, write)`."""

    end: int
    """Index of the event after the loop."""
    name: str
    values: tuple[Value, ...]


class Resize(NamedTuple):
    """Inside a loop over `place`, an operation that may change how many items it has."""

    place: Place
    how: str
    """The method, `del`, or `[]=`."""
    follows: bool
    """The item is the one that the loop is at."""
    is_mapping: bool
    """The loop says so: it goes over `items()`, `keys()` or `values()`."""
    loops: int
    """How many loops lie between the operation and the loop over the place."""
    span: Span
    loop_span: Span


class Decision(NamedTuple):
    """A branch is chosen; FORK follows, but in a `while`, whose test stands inside."""

    sources: tuple[int, ...]
    """Indices of the touches and calls whose value decides."""
    span: Span
    test: str = ""
    """`==`, `>` or `>=` where two things are compared and nothing else is asked; `> 0` and the like in full."""


class Exit(NamedTuple):
    """Why a path ends; LEAVE follows."""

    kind: str
    """`return`, `raise`, `break` or `continue`."""
    span: Span
    value: Value = OTHER
    sources: tuple[int, ...] = ()


class Flow(Enum):
    """Structure: alternatives between FORK and JOIN start from the same state; LEAVE ends a path.

    TRY, FINALLY and END surround a `try` that has a `finally`, and its last block.
    """

    FORK = "fork"
    ALTERNATIVE = "alternative"
    JOIN = "join"
    LEAVE = "leave"
    LOOP = "loop"
    TRY = "try"
    FINALLY = "finally"
    END = "end"


Event: TypeAlias = Touch | Acquire | Release | Call | Bind | Pause | Resize | Decision | Exit | Flow
