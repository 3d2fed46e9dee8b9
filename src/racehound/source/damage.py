"""Whether a file looks as if it were not Python, told from its bytes.

In a large tree, files that can hold no finding are not parsed, and what is wrong with them would not be noticed.
The usual ways to be wrong show: another encoding, Python 2, a template, a merge that was never finished. A file
with such a sign is parsed after all; one that is wrong in another way is passed over like its neighbours.
"""

import re

_SIGNS = (b"\0", b"{%", b"{{ ", b"\n<<<<<<< ")
_SAID = (b'print "', b"print '", b"print %")
_CAUGHT = re.compile(rb"except [\w.]+ ?, ?\w+ ?:")
"""`except OSError, error:`"""
_DECLARED = re.compile(rb"(?:\xef\xbb\xbf)?(?:[^\n]*\n)?[^\n]*#[^\n]*coding[:=]")


def looks_damaged(data: bytes) -> bool:
    return (
        any(sign in data for sign in _SIGNS)
        or not _is_plain_utf8(data)
        or (b"print " in data and any(said in data for said in _SAID))
        or (b"except " in data and _CAUGHT.search(data) is not None)
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
