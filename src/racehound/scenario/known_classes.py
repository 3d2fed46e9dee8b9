"""Objects of classes of the standard library that programs ask for, as source text.

Hypothesis knows them all as well, but where it finds no cache it takes seconds of the budget to think of a text.
"""

from collections.abc import Mapping
from typing import Final

ARGUMENTS: Final[Mapping[str, tuple[str, str]]] = {
    "builtins.BaseException": ("'a'", "'b'"),
    "builtins.Exception": ("'a'", "'b'"),
    "builtins.ValueError": ("'a'", "'b'"),
    "collections.Counter": ("'a'", "'b'"),
    "collections.OrderedDict": ("a=1", "b=2"),
    "collections.deque": ("['a']", "['b']"),
    "datetime.date": ("2020, 1, 1", "2020, 1, 2"),
    "datetime.datetime": ("2020, 1, 1", "2020, 1, 2"),
    "datetime.timedelta": ("seconds=1", "seconds=2"),
    "decimal.Decimal": ("'1'", "'2'"),
    "fractions.Fraction": ("1, 2", "2, 3"),
    "logging.Logger": ("'a'", "'b'"),
    "pathlib.Path": ("'a'", "'b'"),
    "pathlib.PurePath": ("'a'", "'b'"),
    "random.Random": ("1", "2"),
    "uuid.UUID": ("int=1", "int=2"),
}
"""For each class the arguments of its constructor, and others."""


def object_of(kind: type, names: Mapping[str, object], *, others: bool) -> str | None:
    """An expression among these names that makes an object of the class; None where it is not known."""
    home = kind.__module__.partition(".")[0]
    arguments = ARGUMENTS.get(f"{home}.{kind.__qualname__}")
    return None if arguments is None else f"{_name(kind, home, names)}({arguments[others]})"


def _name(kind: type, home: str, names: Mapping[str, object]) -> str:
    """As the module calls the class; one that it does not know is fetched."""
    if home == "builtins":
        return kind.__qualname__
    own = next((name for name, value in names.items() if value is kind), None)
    return own or f"__import__({home!r}).{kind.__qualname__}"
