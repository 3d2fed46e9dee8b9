"""Files of which each round of the work has its own: `f"checkpoint-{self.step}"` is part of the path."""

import re

from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileCall

_COUNTED = re.compile(r"""f["'][^"'\n]*\{[^}"']*\b\w*?(step|epoch|iteration|round)\w*\b[^}]*\}""")
_WORD = re.compile(r"\b[A-Za-z_]\w*")
_DEPTH = 3
"""A variable is followed through so many others that it is made of."""


def is_numbered(function: FunctionFacts, call: FileCall) -> bool:
    """True if a part of the path counts on from one time to the next: what was written is not overwritten."""
    return _counts(function, call.path, _DEPTH)


def _counts(function: FunctionFacts, text: str, depth: int) -> bool:
    if _COUNTED.search(text):
        return True
    names = set(_WORD.findall(text)) & function.bound if depth else ()
    return any(_counts(function, line, depth - 1) for name in sorted(names) for line in _made(function, name))


def _made(function: FunctionFacts, name: str) -> list[str]:
    """The right sides of its assignments."""
    lines = function.module.text.split("\n")[function.span.line - 1 : function.span.end_line]
    assigned = re.compile(rf"\s*{name}\s*=(?!=)(.*)")
    return [match[1] for line in lines if (match := assigned.match(line))]
