"""Values that are made up for arguments, as source text, by the names and the types that these have."""

import typing

from racehound.scenario.stand_ins import FAILING, NOTHING

_NUMBERS = (
    "amount balance bytes capacity count delta delay index interval length limit max min n num number offset "
)
_NUMBERS += "position price quantity score seconds size step threshold timeout total value weight x y "
_NUMBERS += "age duration expiry maxlen maxsize minsize period rate ttl"
_CALLABLES = (
    "action callable callback creator f factory fn func function handler hook listener loader maker predicate"
)
_CALLABLES += " strategy target task work"
_LISTS = "args batch elements entries iterable items list records rows sequence values"
_MAPPINGS = "attributes config data dict headers kwargs mapping metadata options params payload settings"
BY_NAME: dict[str, str] = (
    dict.fromkeys(_NUMBERS.split(), "1")
    | dict.fromkeys(_CALLABLES.split(), NOTHING)
    | dict.fromkeys(_LISTS.split(), "[1]")
    | dict.fromkeys(_MAPPINGS.split(), "{'a': 1}")
)
BY_TYPE: dict[object, str] = {
    str: "'a'",
    int: "1",
    float: "1.0",
    complex: "1j",
    bool: "True",
    bytes: "b'a'",
    bytearray: "bytearray(b'a')",
    object: "'a'",
    list: "['a']",
    dict: "{'a': 1}",
    set: "{'a'}",
    frozenset: "frozenset({'a'})",
    tuple: "('a',)",
    type(None): "None",
    typing.Any: "'a'",
    type: "int",
}


OTHERS_BY_NAME: dict[str, str] = BY_NAME | (
    dict.fromkeys(_NUMBERS.split(), "2")
    | dict.fromkeys(_CALLABLES.split(), FAILING)
    | dict.fromkeys(_LISTS.split(), "[2]")
    | dict.fromkeys(_MAPPINGS.split(), "{'b': 2}")
)
OTHERS_BY_TYPE: dict[object, str] = BY_TYPE | {
    str: "'b'",
    int: "2",
    float: "2.0",
    bool: "False",
    bytes: "b'b'",
    object: "'b'",
    list: "['b']",
    dict: "{'b': 2}",
    set: "{'b'}",
    frozenset: "frozenset({'b'})",
    tuple: "('b',)",
    typing.Any: "'b'",
    type: "str",
}
"""Values that differ from the usual ones: a second task may mean something else by them."""


def with_numbers(number: int) -> tuple[dict[str, str], dict[object, str]]:
    """The same with other numbers."""
    named = BY_NAME | dict.fromkeys(_NUMBERS.split(), f"{number}")
    return named, BY_TYPE | {int: f"{number}", float: f"{number}.0"}
