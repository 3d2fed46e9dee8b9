"""Whether a file looks as if it were not Python, told from its bytes.

In a large tree, files that can hold no finding are not parsed, and what is wrong with them would not be noticed.
The usual ways to be wrong show: another encoding, Python 2, a template, a merge that was never finished, a bracket
or a quote too many or too few, as in a file that was cut off. A file with such a sign is parsed after all, and so
is a short one, which takes no time; one that is wrong in another way is passed over like its neighbours. To parse
all of them would find every error, and make the first hunt of a million lines longer by a tenth.
"""

import re
import warnings
from symtable import symtable

_SHORT = 3000
_BRACKETS = ((b"(", b")"), (b"[", b"]"), (b"{", b"}"))
_QUOTES = (b'"', b"'''")
_SIGNS = (b"\0", b"{%", b"{{ ", b"\n<<<<<<< ")
_SAID = (b'print "', b"print '", b"print %")
_CAUGHT = re.compile(rb"except [\w.]+ ?, ?\w+ ?:")
"""`except OSError, error:`"""
_DECLARED = re.compile(rb"(?:\xef\xbb\xbf)?(?:[^\n]*\n)?[^\n]*#[^\n]*coding[:=]")


def looks_damaged(data: bytes) -> bool:
    return (
        len(data) < _SHORT
        or _is_uneven(data)
        or any(sign in data for sign in _SIGNS)
        or not _is_plain_utf8(data)
        or (b"print " in data and any(said in data for said in _SAID))
        or (b"except " in data and _CAUGHT.search(data) is not None)
    )


def is_accepted(data: bytes) -> bool:
    """True if the compiler takes it for Python: its table of names takes less time than a syntax tree."""
    if not _is_plain_utf8(data):
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as where it is parsed
        try:
            symtable(data.decode("utf-8-sig"), "<bytes>", "exec")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


def _is_uneven(data: bytes) -> bool:
    """True if a bracket has no other half, be it in a text, or a quote."""
    return any(data.count(opening) != data.count(closing) for opening, closing in _BRACKETS) or any(
        data.count(quote) % 2 for quote in _QUOTES
    )


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
