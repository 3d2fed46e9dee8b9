"""Whether it matters that something is made twice: of two equal pieces of data either will do."""

import re
from collections.abc import Iterator

from racehound.analysis.flow.branches import fork_at
from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.analysis.state.gaps import Gap
from racehound.analysis.state.hazards import EMPTY, is_none, stored
from racehound.source.events import CHANGES, SELF, Action, Call, Exit, Flow, Place, Shape, Value
from racehound.source.facts import ClassFacts, FunctionFacts

_DEPTH = 3
PROTOCOLS = r"^(smtp|lmtp|ftp|imap4?|pop3|nntp|telnet|serial)(_?(ssl|tls|stream))?$"
"""Classes that are called like what they speak, as in `smtplib.SMTP`: to make one is to connect."""
LIVE = re.compile(
    r"client|conn|session|pool|engine|loop|thread|server|socket|executor|queue|lock|manager|channel|consumer"
    r"|producer|worker|process|file|handle|stream|cursor|transport|service|task|job|proxy|driver|cache|store|regist"
    r"|event|instance|singleton|popen|timer|backend|broker|bus|monitor|runtime|scope|reactor|(?<!re)source"
    rf"|{PROTOCOLS}",
    re.IGNORECASE,
)
"""Names of what has a life of its own: another one of it is not the same."""
_ACTS = re.compile(
    r"_*(open|connect|create|make|start|spawn|new|build|launch|register|allocate|acquire|request|post|send|submit"
    r"|reserve|issue|subscribe|setup|set_up|init|bind|cls|factory|call|schedule|defer|run|add|put|listen|serve|watch|attach|fork)"
)
_GIVES_DATA = frozenset(
    {
        *("json", "yaml", "toml", "tomllib", "tomli", "pickle", "marshal", "csv", "re", "ast", "copy", "platform"),
        *(
            "os",
            "sys",
            "importlib",
            "importlib_metadata",
            "inspect",
            "textwrap",
            "string",
            "itertools",
            "operator",
        ),
        *("functools", "locale", "sysconfig", "pkgutil", "base64", "hashlib", "struct", "glob", "fnmatch"),
    }
)
"""Modules whose functions give the same answer to the same question, and keep nothing open."""
_BUILT_IN = frozenset({"dict", "list", "set", "frozenset", "tuple", "str", "bytes", "int", "sorted", "sum", "len"})
_READERS = frozenset(
    {"get", "read", "read_text", "split", "splitlines", "strip", "decode", "encode", "items", "keys"}
)
_SIMPLE_BASES = frozenset(
    {
        *("str", "int", "enum.StrEnum", "enum.IntEnum", "enum.Flag", "enum.IntFlag"),
        "object",
        "abc.ABC",
        "typing.NamedTuple",
        "typing.Generic",
        "typing.Protocol",
        "enum.Enum",
        "dict",
        "tuple",
    }
)


def is_plain(program: Program, gap: Gap, uses: list[Use]) -> bool:
    """True for data that one function stores and that is changed by nobody, itself included, from then on."""
    act = gap.act.use
    if goes_on(gap, uses):
        return False
    return all(_is_data(program, act.function, value, _DEPTH) for value in stored(act))


def is_lifeless(program: Program, gap: Gap, uses: list[Use]) -> bool:
    """True if nothing says that what is stored has a life of its own, though it may be more than data."""
    act = gap.act.use
    if goes_on(gap, uses):
        return False
    return not any(_may_live(program, act.function, value, _DEPTH) for value in stored(act))


def is_lifeless_value(program: Program, act: Use) -> bool:
    """True for a record that is made of an answer: another one of it is the same."""
    return not any(_may_live(program, act.function, value, _DEPTH) for value in stored(act))


def goes_on(gap: Gap, uses: list[Use]) -> bool:
    """True if what is stored is not complete yet, or gives way to something newer."""
    act = gap.act.use
    return any(_adds_to_it(use, act) for use in uses) or _is_prepared_later(gap, uses) or _is_to_be_filled(act)


def _may_live(program: Program, function: FunctionFacts, value: Value, depth: int) -> bool:
    if value.shape is not Shape.CALL or _gives_data(program, function, value, depth):
        return False
    made = _maker(program, function, value)
    if isinstance(made, ClassFacts):
        return (
            bool(LIVE.search(made.name)) or program.shared.why(made) is not None or starts_something(program, made)
        )
    unseen = value.name[:1].isupper() and not (isinstance(made, str) and "." in made)
    if unseen or LIVE.search(value.name) or value.name.startswith("__"):
        return True  # of a class that cannot be seen, nothing is known
    if isinstance(made, FunctionFacts) and depth > 0 and any(map(_is_call, returned(made))):
        return any(_may_live(program, made, item, depth - 1) for item in returned(made))
    return _ACTS.match(value.name) is not None and not _is_made_by_its_class(value)


def _maker(program: Program, function: FunctionFacts, call: Value) -> ClassFacts | FunctionFacts | str | None:
    """What makes a value; of `cls()` it is not known which class that is."""
    is_known = call.place is not None and call.place != Place(SELF)
    return program.kinds.callee(function, call.place) if is_known and call.place is not None else None


def _is_call(value: Value) -> bool:
    return value.shape is Shape.CALL


def _is_made_by_its_class(call: Value) -> bool:
    """True for `Parser.create()`, where the name of the class speaks of nothing that lives."""
    names = () if call.place is None else (call.place.root, *call.place.attributes)
    return len(names) > 1 and names[-2][:1].isupper() and not LIVE.search(names[-2])


def starts_something(program: Program, item: ClassFacts) -> bool:
    """True if making an object opens, starts or registers something."""
    made = [base.methods["__init__"] for base in program.hierarchy.linear(item) if "__init__" in base.methods]
    calls = (event.method for function in made for event in function.events if isinstance(event, Call))
    return any(LIVE.search(name) or _ACTS.match(name) for name in calls)


def _adds_to_it(use: Use, act: Use) -> bool:
    """True for a change of what is in it, and for another value from elsewhere, which may be a newer one."""
    if use.touch.action not in CHANGES:
        return False
    if use.touch.action is not Action.WRITE:
        return True
    if use.touch.values == act.touch.values:
        return False
    return use.function is not act.function and not all(map(is_none, use.touch.values))


def _is_prepared_later(gap: Gap, uses: list[Use]) -> bool:
    """True if the one who stores it calls it before others should see it: `self._made.register(self)`."""
    events, act = gap.function.events, gap.act
    if gap.decided + 1 >= len(events) or events[gap.decided + 1] is not Flow.FORK or not act.is_inside:
        return False
    for start, end in fork_at(events, gap.decided + 1).branches:
        if start <= act.at < end:
            return any(
                use.function is gap.function and act.at < use.index < end and use.touch.method for use in uses
            )
    return False


def _is_to_be_filled(act: Use) -> bool:
    """True for `self._items = {}`."""
    return EMPTY.search(act.function.module.line(act.touch.span.line)) is not None


def _is_data(program: Program, function: FunctionFacts, value: Value, depth: int) -> bool:
    return value.shape is not Shape.CALL or _gives_data(program, function, value, depth)


def _gives_data(program: Program, function: FunctionFacts, call: Value, depth: int) -> bool:
    if call.name == "type":
        return len(call.arguments) > 1  # `type(name, bases, namespace)` makes a class
    made = _maker(program, function, call)
    if isinstance(made, ClassFacts):
        if any(base.startswith("enum.") for base in program.hierarchy.outside_bases(made)):
            return True  # which gives the one that is there already
        return not LIVE.search(made.name) and _is_stateless(program, made)
    if "import" in call.name:
        return True  # modules are made once, by whoever comes first
    if isinstance(made, FunctionFacts) and not _ACTS.match(call.name):
        return depth > 0 and all(_is_data(program, made, value, depth - 1) for value in returned(made))
    if LIVE.search(call.name) or _ACTS.match(call.name) or call.name.startswith("__"):
        return False
    if isinstance(made, str) and "." in made and call.name[:1].isupper():
        return True  # a class of others, whose name speaks of nothing that lives
    if isinstance(made, str):
        return made.partition(".")[0] in _GIVES_DATA or made in _BUILT_IN
    return call.name in _BUILT_IN | _READERS


def returned(function: FunctionFacts) -> Iterator[Value]:
    for event in function.events:
        if isinstance(event, Exit) and event.kind == "return":
            name = event.value.place.root if event.value.shape is Shape.PLACE and event.value.place else ""
            yield from function.bindings.get(name, (event.value,))


def _is_stateless(program: Program, item: ClassFacts) -> bool:
    """True if no method changes an object of the class once it is made, and making it opens and starts nothing."""
    if program.hierarchy.outside_bases(item) - _SIMPLE_BASES or program.shared.why(item) is not None:
        return False
    if any(use.changes for uses in program.fields.of_class(item).values() for use in uses):
        return False
    made = [base.methods["__init__"] for base in program.hierarchy.linear(item) if "__init__" in base.methods]
    calls = (event.method for function in made for event in function.events if isinstance(event, Call))
    return all(name in _BUILT_IN | _READERS | {"super", "__init__"} for name in calls)
