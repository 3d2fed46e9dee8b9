"""Locks that a function makes for itself: whether anybody else can get hold of them."""

import re

from racehound.source.facts import FunctionFacts


def source_of(function: FunctionFacts) -> str:
    return "\n".join(map(function.module.line, range(function.span.line, function.span.end_line + 1)))


def is_named_otherwise(function: FunctionFacts, name: str, methods: str) -> bool:
    """True if the name stands elsewhere than where it is made, entered, or one of its own methods is called."""
    text = re.sub(rf"\bwith\s+{name}\b", "", source_of(function))
    own = rf"\s*=(?!=)|\s*:\s*[\w.]+\s*=|\.({methods})\b"
    return re.search(rf"(?<![\w.\"']){name}\b(?!{own})", text) is not None
