"""The comments of a file that speak to racehound."""

import io
import tokenize
from collections.abc import Iterator
from typing import NamedTuple


class Comment(NamedTuple):
    line: int
    text: str
    alone: bool
    """Nothing else stands on its line."""


def comments(text: str, *marks: str) -> Iterator[Comment]:
    """Comments with one of the marks; strings that only look like comments are none."""
    if not any(mark in text for mark in marks):
        return
    lines = text.split("\n")
    for number, column, comment in _tokens(text):
        if any(mark in comment for mark in marks):
            yield Comment(number, comment, not lines[number - 1][:column].strip())


def _tokens(text: str) -> Iterator[tuple[int, int, str]]:
    """Comments with their places, up to where the text is no Python."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield *token.start, token.string
    except (tokenize.TokenError, SyntaxError):
        return
