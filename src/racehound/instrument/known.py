"""What is known of functions that are not instrumented."""

import bisect
import builtins
import collections
import copy
import dataclasses
import functools
import heapq
import inspect
import io
import itertools
import json
import os
import pickle
import pprint
import sys
import threading
import types
from collections.abc import Callable, Container
from typing import NamedTuple

from racehound.instrument.voices import COMPARISON, HASHING, ITERATION, LENGTH, TEXT, TRUTH

Function = Callable[..., object]


class Reading(NamedTuple):
    """A function that only looks at its arguments, all at once."""

    methods: tuple[str, ...]
    deep: bool = False


_HASHED = (*ITERATION, *HASHING)
READS: dict[object, Reading] = {
    len: Reading(LENGTH),
    bool: Reading(TRUTH),
    **dict.fromkeys((list, tuple, bytes, bytearray, collections.deque), Reading(ITERATION)),
    **dict.fromkeys(
        (set, frozenset, dict, collections.OrderedDict, collections.Counter), Reading(_HASHED, deep=True)
    ),
    **dict.fromkeys((collections.defaultdict, dict.fromkeys), Reading(_HASHED, deep=True)),
    hash: Reading(HASHING, deep=True),
    **dict.fromkeys((str, repr, format, print, ascii), Reading(TEXT, deep=True)),
    **dict.fromkeys(
        (
            itertools.product,
            itertools.permutations,
            itertools.combinations,
            itertools.combinations_with_replacement,
        ),
        Reading(ITERATION),
    ),
    **dict.fromkeys((bisect.bisect_left, bisect.bisect_right), Reading(COMPARISON, deep=True)),
}
FOLDS: frozenset[object] = frozenset({sum, min, max, any, all, sorted})
"""Look at one element after the other, and run code of the elements or a `key` in between."""


class Stepping(NamedTuple):
    """A function that takes the steps of some arguments one by one and calls others; all are said by position."""

    steps: Container[int] = range(1000)
    calls: tuple[int, ...] = ()


_REST = Stepping(range(1, 1000), calls=(0,))
STEPPED: dict[object, Stepping] = {
    **{kind: Stepping() for kind in vars(itertools).values() if isinstance(kind, type)},
    **dict.fromkeys((enumerate, zip, heapq.merge), Stepping()),
    **dict.fromkeys((heapq.nlargest, heapq.nsmallest), Stepping((1,), calls=(2,))),
    **dict.fromkeys(FOLDS, Stepping((0,))),
    **dict.fromkeys((map, filter, itertools.filterfalse, itertools.starmap), _REST),
    **dict.fromkeys((itertools.takewhile, itertools.dropwhile), _REST),
    **dict.fromkeys((itertools.groupby, itertools.accumulate), Stepping((0,), calls=(1,))),
    **dict.fromkeys((itertools.repeat, itertools.count), Stepping(())),
    functools.reduce: Stepping((1,), calls=(0,)),
}

CHANGES_FIRST: frozenset[object] = frozenset(
    {heapq.heappush, heapq.heappop, heapq.heapify, heapq.heapreplace, heapq.heappushpop}
    | {bisect.insort_left, bisect.insort_right}
)
LOOKS_INTO: frozenset[object] = frozenset(
    {copy.copy, copy.deepcopy, json.dumps, json.dump, pickle.dumps, pickle.dump}
    | {pprint.pformat, pprint.pprint, pprint.pp, functools.cmp_to_key}
    | {dataclasses.replace, dataclasses.asdict, dataclasses.astuple, dataclasses.fields}
)
"""Change nothing, but take their time."""

TOUCHES_NOTHING: frozenset[object] = frozenset(
    {isinstance, issubclass, id, type, callable, object, property, classmethod, staticmethod, super, range, slice}
    | {chr, ord, vars, functools.partial, types.MappingProxyType, threading.local}
)
TEXT_METHODS = frozenset({"join", "format", "format_map", "translate"})
"""Of those of `str`, what looks at more than text; what `bytes` is given may be bytes that change."""

TRUSTED_MODULES = frozenset(
    {
        "_asyncio",
        "_contextvars",
        "abc",
        "contextlib",
        "contextvars",
        "enum",
        "functools",
        "logging",
        "queue",
        "threading",
    }
    | {"_weakrefset", "types", "typing", "weakref"}
)
"""Their functions touch nothing of ours but under a lock that is published; see `keepers` for what they keep."""

LOOKS_AT_FRAMES: frozenset[object] = frozenset(
    {sys._getframe, sys.exc_info, sys.exception, sys.exit, sys.intern, sys.getrefcount, sys.getsizeof}  # noqa: SLF001 - as programs call it
    | {sys.is_finalizing, sys.getdefaultencoding, sys.getfilesystemencoding, sys.audit}
    | {inspect.currentframe, inspect.stack, inspect.trace}
)
"""Must be called from where the program calls them, or are as good as constant."""

TRUSTED_PACKAGES = ("asyncio.", "concurrent.futures.", "racehound.primitives.", "racehound.scenario.")


def is_standard(module: object) -> bool:
    """Whether a module belongs to the standard library."""
    return isinstance(module, str) and module.partition(".")[0] in sys.stdlib_module_names


def is_trusted(module: object) -> bool:
    """Whether what the functions of a module do is published by the primitives that they use."""
    return isinstance(module, str) and (module in TRUSTED_MODULES or module.startswith(TRUSTED_PACKAGES))


def only_calls_the_program(function: types.FunctionType) -> bool:
    """Whether it is a shell of ours around a test: it bears the name of the test, and does nothing but call it."""
    return str(function.__globals__.get("__name__")).startswith("racehound.pytest_plugin.")


_PURE_MODULES = TRUSTED_MODULES | frozenset(
    {"_bisect", "_collections", "_collections_abc", "_datetime", "_functools", "_hashlib", "_heapq", "_json"}
    | {"_operator", "_pickle", "_random", "_struct", "array", "ast", "base64", "binascii", "bisect", "builtins"}
    | {"calendar", "cmath", "collections", "colorsys", "copy", "csv", "dataclasses", "datetime", "decimal"}
    | {"difflib", "fnmatch", "fractions", "graphlib", "hashlib", "heapq", "hmac", "html", "io", "ipaddress"}
    | {"itertools", "json", "keyword", "math", "numbers", "operator", "pickle", "posixpath", "pprint"}
    | {"racehound", "random", "re", "reprlib", "secrets", "shlex", "statistics", "string", "struct", "textwrap"}
    | {"inspect", "time", "unicodedata", "uuid", "zlib", "zoneinfo"}
)
_FILES = frozenset(
    {"posix", "nt", "os", "genericpath", "ntpath", "shutil", "pathlib", "tempfile", "glob", "_io", "fcntl"}
)
_REACHES_OUT: frozenset[object] = frozenset(
    {builtins.open, input, os.system, os.path.abspath, os.path.realpath, os.path.relpath}
    | {os.path.expanduser, os.path.expandvars, os.path.ismount, os.path.lexists}
)
_HARMLESS: frozenset[object] = frozenset({os.getpid, os.fspath, os.urandom, os.cpu_count, io.StringIO, io.BytesIO})


def outside_of(function: object) -> str | None:
    """The part of the outside world, such as files or a library's own state, that a function may use."""
    if function in _REACHES_OUT:
        return "files"
    module = getattr(function, "__module__", None)
    if not isinstance(module, str) or function in _HARMLESS:
        return None
    package = module.partition(".")[0]
    if package in _PURE_MODULES:
        return None
    return "files" if package in _FILES else package.lstrip("_")
