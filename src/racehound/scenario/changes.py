"""Which files an audit event of the interpreter is about to change."""

import os
from collections.abc import Iterator, Sequence
from typing import Final

_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_HERE: Final = -1
_NAMES: Final[dict[str, tuple[tuple[int, int | None], ...]]] = {
    "os.remove": ((0, 1),),
    "os.rmdir": ((0, 1),),
    "os.mkdir": ((0, 2),),
    "os.rename": ((0, 2), (1, 3)),
    "os.link": ((0, 2), (1, 3)),
    "os.symlink": ((1, 2),),
}
"""Events that change a name: which arguments are paths, and which of them tells what each is relative to."""
_CONTENTS: Final[dict[str, tuple[tuple[int, int | None], ...]]] = {
    "os.truncate": ((0, None),),
    "os.chmod": ((0, 2),),
    "os.chown": ((0, 3),),
    "os.utime": ((0, 3),),
    "os.setxattr": ((0, None),),
    "os.removexattr": ((0, None),),
}
"""Those that change what a name leads to, likewise."""
CHANGING: Final = frozenset({"open", *_NAMES, *_CONTENTS})
"""All events that may be about a change."""


def changed_paths(event: str, arguments: Sequence[object]) -> Iterator[str]:
    """Of one of the events above; in full, and without symbolic links on the way."""
    pairs: tuple[tuple[int, int | None], ...]
    if event == "open":
        pairs = ((0, None),) if _writes(arguments[2]) else ()
    else:
        pairs = _NAMES.get(event) or _CONTENTS[event]
    for path, directory in pairs:
        place = None if directory is None else arguments[directory]
        yield from _resolved(arguments[path], place, last=event not in _NAMES)


def _writes(flags: object) -> bool:
    return isinstance(flags, int) and bool(flags & _WRITING)


def _resolved(path: object, directory: object, *, last: bool) -> Iterator[str]:
    """Nothing for a file that is open already; `last` is whether the last name may be a link that counts."""
    if not isinstance(path, str | bytes | os.PathLike):
        return
    full = os.path.join(_place(directory), os.fsdecode(path))  # noqa: PTH118 - these paths need not be valid ones
    if last:
        yield os.path.realpath(full)
        return
    parent, name = os.path.split(full.rstrip(os.sep))
    yield os.path.join(os.path.realpath(parent), name)  # noqa: PTH118 - likewise


def _place(directory: object) -> str:
    """The directory that a path is relative to; what cannot be told is nowhere."""
    try:
        if directory in (_HERE, None):
            return os.getcwd()  # noqa: PTH109 - no object is needed
        return os.readlink(f"/proc/self/fd/{directory}")  # noqa: PTH115 - likewise
    except OSError:
        return "/nowhere"
