"""A command as it is started, and as a person writes it."""

import re
import shlex
from dataclasses import dataclass

from racehound.errors import UsageError

NEEDS_SHELL = re.compile(r"[|&;<>()$`\n*?\[]|(?:^|\s)[~#!]")
ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
SHELL = ("sh", "-c")


@dataclass(frozen=True, slots=True)
class Command:
    """A program and its arguments; no shell stands between unless the text asked for one."""

    argv: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> "Command":
        """Words as a shell splits them; the whole text for `sh -c` where only a shell can carry it out."""
        try:
            words = shlex.split(text)
        except ValueError as error:
            message = f"{text!r} cannot be read as a command: {str(error).lower()}"
            raise UsageError(message, hint="close every quotation mark") from error
        if not words:
            raise UsageError("an empty text is no command", hint="name a program and its arguments")
        if _has_operators(text) or ASSIGNMENT.match(words[0]):
            return cls((*SHELL, text))
        return cls(tuple(words))

    def __str__(self) -> str:
        if self.argv[:2] == SHELL and len(self.argv) == 3:
            return self.argv[2]
        return shlex.join(self.argv)


def _has_operators(text: str) -> bool:
    """Whether an unquoted character means something to a shell (`$` and backquotes also between double quotes)."""
    bare = re.sub(r"\\.|'[^']*'", "", text, flags=re.DOTALL)
    inside = "".join(re.findall(r'"([^"]*)"', bare))
    outside = re.sub(r'"[^"]*"', "", bare)
    return bool(NEEDS_SHELL.search(outside) or re.search(r"[$`]", inside))
