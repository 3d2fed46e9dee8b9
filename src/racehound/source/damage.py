"""Whether a file is Python, told at less cost than by a syntax tree.

In a large tree, files that can hold no finding are not parsed. One that is not Python gets its line all the same.
"""

import re
import warnings
from symtable import symtable

from racehound.source.compiled import is_compiled

_DECLARED = re.compile(rb"(?:\xef\xbb\xbf)?(?:[^\n]*\n)?[^\n]*#[^\n]*coding[:=]")


def is_accepted(data: bytes, path: str = "") -> bool:
    """True if the compiler makes a table of its names. Where it does not, the parser has the last word.

    `path` is the file that this is the content of: what was compiled already need not be looked at again.
    """
    if not _is_plain_utf8(data):
        return False
    if path and is_compiled(path, len(data)):
        return True
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as where it is parsed
        try:
            symtable(data.decode("utf-8-sig"), "<bytes>", "exec")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


def _is_plain_utf8(data: bytes) -> bool:
    if b"coding" in data[:200] and b"utf-8" not in data[:200] and _DECLARED.match(data) is not None:
        return False
    if data.isascii():
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
