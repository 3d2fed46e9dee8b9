"""Which files are kept, and read by other programs and other starts at any time: their names say so."""

import re
from collections.abc import Iterator

from racehound.rules.files.file_steps import is_single
from racehound.rules.files.parsed_files import makes_sense_of
from racehound.rules.files.settings_files import puts_into_form
from racehound.source.events import SELF, Action, Call, Place, Touch, Value
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileCall, FileVerb

_KEPT = re.compile(
    r"config|conf(?![a-z])|cfg|setting|preference|(?<![a-z])prefs|status|session|cach|database|journal"
    r"|token|secret|passw|cred|auth(?!or)|account|cookie|netrc|ticket|keytab|keyring|histor|bookmark"
    r"|(?<![bc])lock|ledger|cron|known_hosts|(?<![a-z])(db|pid|keys?|pyc)(?![a-z])|bytecode|pid_?file",
    re.IGNORECASE,
)
"""What other programs and other starts read at any time has such a name."""

_STORED = re.compile(r"storage|store|index(?!\.htm)|state(?!m)", re.IGNORECASE)
"""So has what is written as the program goes on; where somebody asks for it, it is read when it is complete."""

_IN_PAIRS = re.compile(r"_*(save|dump)")
_ASKED_FOR = re.compile(r"(save|dump|export|persist)_\w+|persist")

_QUALIFIER = re.compile(r"""(?:'[^']*'|"[^"]*")|\b\w+\.(?=\w)""")
"""`self.config.` of `self.config.artifact_dir`: what knows the path does not tell what lies there."""

_SAVES = re.compile(r"_*(?:save|write|store|dump)_(\w+)")
_LOADS = re.compile(r"_*(?:load|read|get)_(\w+)")


def is_kept(*ends: tuple[FunctionFacts, FileCall]) -> bool:
    """True if a name says that the file is kept, or its path is a constant; a result is read when it is made."""
    names = [_own_name(call.path) for _, call in ends]
    if any(map(_KEPT.search, names)):
        return True
    homes = [home for function, _ in ends for home in _homes(function)]
    kept = any(_is_fixed(function, call.value) for function, call in ends) or any(map(_KEPT.search, homes))
    kept = kept or any("cach" in function.name.lower() for function, _ in ends)
    kept = kept or are_of_one_kept_file(*(function for function, _ in ends))
    return (kept or _is_stored(ends[0], [*names, *homes])) and makes_sense_of(*ends[1])


def _is_stored(written: tuple[FunctionFacts, FileCall], names: list[str]) -> bool:
    """True for one of many files that a store has, and for the one that an object saves: the next start reads it.

    Any other file of an object is read by whoever has written it.
    """
    function, call = written
    if is_single(call):
        return _IN_PAIRS.fullmatch(function.name) is not None and puts_into_form(function, call)
    asked = _ASKED_FOR.fullmatch(function.name) is not None
    return (not asked and any(map(_STORED.search, names))) or _IN_PAIRS.fullmatch(function.name) is not None


def _own_name(path: str) -> str:
    """The path without what keeps it, or a part of it."""
    return _QUALIFIER.sub(lambda found: found[0] if found[0][0] in "'\"" else "", path)


def _homes(function: FunctionFacts) -> tuple[str, str]:
    """The names of the class, or of the function around it, and of the module; a step may have any name."""
    return function.qualified_name.rpartition(".")[0], function.module.path.rpartition("/")[2]


def _is_fixed(function: FunctionFacts, path: Value) -> bool:
    """True for a path that is a constant of the module."""
    place = path.place
    if place is None or place.attributes or not place.root.isupper():
        return False
    return place.root in function.module.variables


def are_of_one_kept_file(writer: FunctionFacts, reader: FunctionFacts) -> bool:
    """True for `save_config(path)` and `load_config(path)`: whoever calls them means the same file."""
    saved, loaded = _SAVES.fullmatch(writer.name), _LOADS.fullmatch(reader.name)
    if saved is None or loaded is None or saved[1] != loaded[1]:
        return False
    return writer.owner is reader.owner and _KEPT.search(saved[1]) is not None


def reads_before_it_is_kept(writer: FunctionFacts, write: FileCall) -> Iterator[tuple[FunctionFacts, FileCall]]:
    """Reads by whoever makes the object, of the path that it then writes: `Config(path)` reads `path` first."""
    place, owner = write.value.place, writer.owner
    if owner is None or place is None or place.root != SELF or len(place.attributes) != 1:
        return
    maker = owner.methods.get("__init__")
    given = None if maker is None else _stored_parameter(maker, place)
    if maker is None or given is None:
        return
    for method in owner.methods.values():
        names = {given} if method is maker else _handed_to_constructor(method, owner.name, maker, given)
        for call in method.files:
            if call.verb is FileVerb.READ and call.value.place is not None and str(call.value.place) in names:
                yield method, call


def _stored_parameter(maker: FunctionFacts, field: Place) -> str | None:
    for event in maker.events:
        if isinstance(event, Touch) and event.action is Action.WRITE and event.place == field:
            names = [
                str(value.place) for value in (*event.values, *_inside(event.values)) if value.place is not None
            ]
            return next((name for name in names if name in maker.parameters), None)
    return None


def _inside(values: tuple[Value, ...]) -> Iterator[Value]:
    """`Path(path)` is the path, too."""
    for value in values:
        yield from value.arguments


def _handed_to_constructor(method: FunctionFacts, owner: str, maker: FunctionFacts, given: str) -> set[str]:
    """What a class method calls the path that it makes the object with: `cls(path)`."""
    position = maker.parameters.index(given) - 1
    return {
        str(event.arguments[position].place)
        for event in method.events
        if isinstance(event, Call)
        and str(event.callee) in {"cls", "self", owner}
        and len(event.arguments) > position >= 0
        and event.arguments[position].place is not None
    }
