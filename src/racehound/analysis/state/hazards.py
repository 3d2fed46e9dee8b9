"""How an act goes wrong when what was looked at has changed in the meantime."""

import re
from collections.abc import Iterator
from enum import Enum

from racehound.analysis.flow.branches import fork_at
from racehound.analysis.state.compound import own_read
from racehound.analysis.state.discipline import is_state, runs_once
from racehound.analysis.state.fields import Use
from racehound.analysis.state.gaps import Gap
from racehound.analysis.state.keys import are_other_entries
from racehound.analysis.state.steps import Step
from racehound.source.events import ITEM, Action, Bind, Call, Decision, Flow, Shape, Touch, Value


class Hazard(Enum):
    """The value ends the sentence "Between the two, another thread ..."."""

    MISSING = "takes the entry out, and the use raises KeyError"
    EMPTY = "takes the last item, and the use raises IndexError"
    INSERT = "finds nothing either and adds its own: one of the two is lost or done twice"
    VANISH = "sets it to None, and the use raises AttributeError"
    CREATE = "finds nothing either and makes its own: one of the two is lost"
    REPEAT = "passes the same check: what must happen once happens twice"
    CLAIM = "passes the same check and puts its own there: both are told that they have got it"
    OVERFLOW = "finds the same room left and fills it: there is more in it than may be"
    SPEND = "passes the same check and changes it as well: together they go beyond what was checked"

    __hash__ = object.__hash__  # in C, as for `Action`


REMOVERS = frozenset({"clear", "discard", "pop", "popitem", "popleft", "remove"})
ADDERS = frozenset({"add", "append", "appendleft", "extend", "insert", "setdefault", "update"})
_FILLERS = frozenset({"add", "append", "appendleft", "insert"})
_ENDS = frozenset({"[0]", "[-1]"})
_PURE = frozenset(
    {
        *("abs", "bool", "bytes", "float", "frozenset", "hash", "id", "int", "join", "len", "max", "min", "repr"),
        *("round", "sorted", "str", "sum", "tuple", "compile", "getpid", "getenv", "time", "monotonic", "format"),
        *("now", "utcnow", "today", "perf_counter", "time_ns", "monotonic_ns"),
        *(
            "lower",
            "upper",
            "strip",
            "tell",
            "fileno",
            "getattr",
            "exists",
            "isfile",
            "isdir",
            "abspath",
            "realpath",
            "get",
            "namedtuple",
            "import_module",
        ),
    }
)
"""Called twice, these give two equal values, and nobody can tell which one was kept."""
_GETTERS = re.compile(
    r"_*(get|is|has|check|supports|compute|calculate|detect|parse|normalize|resolve|lookup)_(?!.*(client|conn|session|pool|engine)).+"
)
_MAKERS = re.compile(
    r"_*(open|connect|create|make|start|spawn|new|build|launch|register|allocate|acquire|cls|type|dial|subscribe|"
    r"checkout|get_conn(ection)?\b|\w*factory\b|klass\b|constructor\b)"
)


EMPTY = re.compile(r"=\s*(\{\}|\[\]|(\w+\.)?(dict|list|set|deque|OrderedDict|Counter|defaultdict)\(\w*\))\s*(#|$)")
"""Says in the source that a container is made to be filled."""


def hazard(gap: Gap) -> Hazard | None:
    check, act = gap.check, gap.act
    touch = act.use.touch
    if act.locks and act.key == check.key and own_read(act.use.function, act.use.index) is not None:
        return Hazard.SPEND if _is_spent(check, act) else None
    if check.key is not None:
        return _of_item(check, act) if act.key == check.key else _of_entry(check, act)
    if (
        touch.action is Action.MUTATE
        and touch.method in REMOVERS
        and (touch.key is None or (touch.method == "pop" and touch.key in _ENDS))
        and touch.method != "clear"
    ):
        return None if _is_too_full(check.use) else Hazard.EMPTY
    if touch.action is Action.READ and touch.key in _ENDS and not touch.method:
        return Hazard.EMPTY
    if touch.action is Action.READ and touch.key is None and not touch.method and _is_drawn_from(act.use):
        return Hazard.EMPTY
    if touch.method in _FILLERS and act.use.changes and _is_size(check.use):
        return Hazard.OVERFLOW
    if touch.action is Action.WRITE and act.use.changes:
        return _of_whole(act, gap)
    if touch.action is Action.READ and touch.method and check.use is not act.use and not _is_kept(act.use):
        return Hazard.VANISH
    return None


def _is_drawn_from(use: Use) -> bool:
    """True for `random.choice(self._hosts)`, which finds nothing in what is empty."""
    events = use.function.events
    call = events[use.index + 1] if use.index + 1 < len(events) else None
    if not isinstance(call, Call) or call.method != "choice" or not call.arguments:
        return False
    return call.arguments[0].place == use.touch.place


def _is_size(use: Use) -> bool:
    """True for `len(self._items)`, which is looked at to compare it with a limit."""
    events = use.function.events
    call = events[use.index + 1] if use.index + 1 < len(events) else None
    return isinstance(call, Call) and call.method == "len" and not use.touch.method


def _is_too_full(use: Use) -> bool:
    """True for `len(self._items) >= LIMIT`: far from empty, whoever else takes something out."""
    decisions = (event for event in use.function.events if isinstance(event, Decision))
    tests = {event.test for event in decisions if use.index in event.sources}
    return _is_size(use) and bool(tests) and tests <= {">", ">="}


def _is_kept(use: Use) -> bool:
    """True if the use goes through a local variable, which nobody else can set to None."""
    line = use.function.module.line(use.touch.span.line)
    text = line.encode()[use.touch.span.column :].decode(errors="replace")
    name = re.match(r"\w*", text)
    return name is not None and name[0] in use.function.bound


def _of_entry(check: Step, act: Step) -> Hazard | None:
    """`if key in table: table[key][name] = ...`: what lies below an entry is reached by way of it."""
    is_below = act.key is not None and act.key.startswith(f"{check.key}[")
    return Hazard.MISSING if is_below and check.use.touch.action is Action.CHECK else None


def _of_item(check: Step, act: Step) -> Hazard | None:
    touch = act.use.touch
    if check.use.touch.action not in {Action.CHECK, Action.READ} or check.use is act.use:
        return None
    if (touch.action is Action.READ and not touch.method) or touch.method == ITEM:
        return Hazard.MISSING if check.use.touch.action is Action.CHECK or check.use.touch.method else None
    if touch.action is Action.DELETE:
        return Hazard.MISSING
    if touch.action is Action.MUTATE and touch.method in {"pop", "remove"}:
        return Hazard.MISSING if _has_one_argument(act.use) else None
    if touch.action is Action.WRITE_ITEM and not _flows(check.use, act.use):
        return Hazard.INSERT
    return Hazard.INSERT if touch.action is Action.MUTATE and touch.method in {"add", "append"} else None


def _is_spent(check: Step, act: Step) -> bool:
    """True for `left -= 1` under a lock that did not cover the check; without a lock it is lost anyway."""
    if act.use.function is check.use.function and check.use.index in act.use.touch.sources:
        return False  # what was seen is what is written back, changed: another rule's matter
    if _is_sifted(act.use):
        return False
    return not any(value.shape is Shape.CALL and value.name in {"max", "min"} for value in act.use.touch.values)


def _is_sifted(use: Use) -> bool:
    """True for `items = [item for item in items if item.is_valid]`: who does it again finds it done."""
    read = own_read(use.function, use.index)
    touch = use.function.events[read] if read is not None else None
    return isinstance(touch, Touch) and touch.action is Action.ITERATE


def _flows(look: Use, write: Use) -> bool:
    """True if what was seen is what is written back, changed: another rule's matter."""
    return look.function is write.function and look.index in write.touch.sources


def _has_one_argument(use: Use) -> bool:
    """True for `pop(key)`, which raises where there is none; False for `pop(key, default)`."""
    for event in use.function.events[use.index + 1 :]:
        if isinstance(event, Call) and event.span == use.touch.span:
            return len(event.arguments) == 1
    return False


def is_tolerant(use: Use) -> bool:
    """True for a removal that does not mind that there is nothing: `discard(key)`, `pop(key, None)`."""
    method = use.touch.method
    return method == "discard" or (method == "pop" and use.touch.key is not None and not _has_one_argument(use))


def _of_whole(act: Step, gap: Gap) -> Hazard | None:
    touch = act.use.touch
    if not touch.values or _flows(gap.check.use, act.use):
        return None
    if all(value.shape is Shape.CONSTANT for value in touch.values):
        return Hazard.REPEAT
    named = all(value.shape is Shape.PLACE and is_state(value) for value in touch.values)
    return Hazard.REPEAT if named and _leaves_a_state(act, gap) else Hazard.CREATE


def _leaves_a_state(act: Step, gap: Gap) -> bool:
    """True for `if seat.state is not FREE: raise`, then `seat.state = HELD`: whoever comes second is refused."""
    decision, fork = gap.function.events[gap.decided : gap.decided + 2]
    if not isinstance(decision, Decision) or fork is not Flow.FORK:
        return False
    span = decision.span
    text = gap.function.module.line(span.line)[span.column : span.end_column]
    begin, end = fork_at(gap.function.events, gap.decided + 1).branches[0]
    return (begin <= act.at < end) == (_OTHER_THAN.search(text) is None)


_OTHER_THAN = re.compile(r"!=|\bis not\b|\bnot\b")


def disturbs(kind: Hazard, use: Use, act: Use) -> bool:
    """True if another thread doing this makes the hazard real."""
    touch = use.touch
    if not use.changes or touch.place.attributes[:1] != act.touch.place.attributes[:1]:
        return False
    if len(touch.place.attributes) != len(act.touch.place.attributes):
        return False
    if are_other_entries(touch.key, act.touch.key):
        return False
    return _spoils(kind, touch) and not runs_once(use.function)


def _spoils(kind: Hazard, touch: Touch) -> bool:
    if kind in {Hazard.MISSING, Hazard.EMPTY}:
        return touch.action in {Action.DELETE, Action.WRITE} or touch.method in REMOVERS
    if kind is Hazard.SPEND:
        return touch.action in {Action.WRITE, Action.WRITE_ITEM}
    if kind in {Hazard.INSERT, Hazard.OVERFLOW}:
        return touch.action is Action.WRITE_ITEM or touch.method in ADDERS
    if kind is Hazard.VANISH:
        return touch.action is Action.WRITE and any(is_none(value) for value in touch.values)
    return touch.action is Action.WRITE


def is_none(value: Value) -> bool:
    return value.shape is Shape.CONSTANT and value.name == "None"


def is_idempotent(use: Use) -> bool:
    """True if making the value twice does no harm: equal values, and nothing is ever stored in them."""
    pure = all(_is_pure(value) and not _is_made_here(use, value) for value in use.touch.values)
    return pure and not _is_next_number(use)


def makes_something(use: Use) -> bool:
    """True if it matters which one is kept: an object, a connection, a number given once; no mere computation."""
    return _is_next_number(use) or any(
        (value.shape is Shape.CONTAINER and _is_to_be_filled(use))
        or (value.shape is Shape.CALL and is_maker(value.name))
        for value in stored(use)
    )


def _is_to_be_filled(use: Use) -> bool:
    """False for a record that is stored whole, and never added to: of two equal ones either will do."""
    if any(_adds_below(event, use) for function in use.function.module.functions for event in function.events):
        return True
    lines = use.function.module.text.split("\n")
    names = {str(value.place) for value in use.touch.values if value.shape is Shape.PLACE}
    if not names:
        return EMPTY.search(lines[use.touch.span.line - 1]) is not None
    before = lines[use.function.span.line - 1 : use.touch.span.line]
    return any(EMPTY.search(line) and line.split("=")[0].strip() in names for line in before)


def _adds_below(event: object, use: Use) -> bool:
    """True for `groups[name].append(item)` where `groups[name] = [item]` is."""
    return isinstance(event, Touch) and event.method == ITEM and event.place == use.touch.place


def _is_next_number(use: Use) -> bool:
    """True for `ids[name] = len(ids)`, and for a counter that the same function moves on."""
    events = use.function.events
    read = [event for index in use.touch.sources if isinstance(event := events[index], Touch)]
    return any(
        _is_counted(event, use) if event.place == use.touch.place else _is_moved_on(event, use)
        for event in read
        if event.action is Action.READ and event.key is None and not event.method
    )


def _is_counted(look: Touch, use: Use) -> bool:
    """True if what is asked is how many there are in the container that the value is put into."""
    return any(
        isinstance(event, Call) and event.method == "len" and event.span.line == look.span.line
        for event in (use.function.events[index] for index in use.touch.sources)
    )


def _is_moved_on(look: Touch, use: Use) -> bool:
    """True if the function sets the place to something made from what is in it: `self._next += 1`."""
    events = use.function.events
    return any(
        isinstance(event, Touch)
        and (event.place, event.action) == (look.place, Action.WRITE)
        and any(getattr(events[source], "place", None) == look.place for source in event.sources)
        for event in events
    )


def is_maker(name: str) -> bool:
    """True for the name of a class, and for `connect`, `create_pool` and their like."""
    return name[:1].isupper() or _MAKERS.match(name) is not None


def stored(use: Use) -> Iterator[Value]:
    """What is written; for a local variable, what it was given last."""
    for value in use.touch.values:
        name = (
            value.place.root if value.shape is Shape.PLACE and value.place and not value.place.attributes else None
        )
        binds = [
            event for event in use.function.events[: use.index] if isinstance(event, Bind) and event.name == name
        ]
        yield from binds[-1].values if binds else (value,)


def _is_made_here(use: Use, value: Value) -> bool:
    """True for a local variable that holds a new object: `made = make(); self._made = made`."""
    if value.shape is Shape.CONTAINER:
        return any(_is_made_here(use, item) for item in value.arguments)
    name = value.place.root if value.shape is Shape.PLACE and value.place and not value.place.attributes else None
    if name not in use.function.bound:
        return False
    binds = [event for event in use.function.events[: use.index] if isinstance(event, Bind) and event.name == name]
    return bool(binds) and not all(_is_pure(made) for made in binds[-1].values)


def _is_pure(value: Value) -> bool:
    if value.shape is Shape.CALL:
        return value.name in _PURE or _GETTERS.fullmatch(value.name) is not None
    if value.shape is Shape.CONTAINER:
        return value.name == "tuple"
    return value.shape in {Shape.CONSTANT, Shape.OTHER, Shape.PLACE, Shape.FUNCTION}
