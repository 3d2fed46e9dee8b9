"""What may go to a terminal: names of files can hold anything, also what moves the cursor or ends the line."""

import re

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def printable(text: str) -> str:
    """On one line, with control characters spelled out."""
    return _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)
