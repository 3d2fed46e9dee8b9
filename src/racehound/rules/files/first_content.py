"""Files that are read where they are there already, and begin empty where they are not.

`data = load(path) if path.exists() else {}` and `try: ... except FileNotFoundError: data = {}` read the file
whenever there is something to lose.
"""

import re

from racehound.analysis.program import Program
from racehound.rules.files.file_steps import is_caught
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileCall, FileVerb

_ASSIGNED = re.compile(r"\s*([A-Za-z_]\w*)(?:\s*:[^=\n]*)?\s*=(?!=)")
_ASKS = re.compile(r"\s*(if|elif|while|assert)\b")
_LINES_OF_A_READ = 4
"""Within so many lines of its opening a file has been read into a variable."""


def is_read_if_there(program: Program, function: FunctionFacts, read: FileCall) -> bool:
    """True if nothing but the file itself decides whether it is read, and what was read is made use of."""
    if read.tested or not (is_caught(program, function, read) or _is_looked_for(program, function, read)):
        return False
    return _is_used(function, read)


def _is_looked_for(program: Program, function: FunctionFacts, read: FileCall) -> bool:
    paths = program.awaits.paths(function)
    return any(
        call.verb is FileVerb.CHECK
        and call.path == read.path
        and call.at < read.at
        and paths.decided_by(call.at, read.at)
        for call in function.files
    )


def _is_used(function: FunctionFacts, read: FileCall) -> bool:
    """True if the content goes into more than a comparison: whoever only compares writes nothing back."""
    lines = function.module.text.split("\n")[read.span.line - 1 : function.span.end_line]
    names = {found[1] for line in lines[:_LINES_OF_A_READ] if (found := _ASSIGNED.match(line))}
    return any(
        not _ASKS.match(line) and names & set(re.findall(r"[A-Za-z_]\w*", _value_of(line))) for line in lines[1:]
    )


def _value_of(line: str) -> str:
    """The part of a line in which a name is used rather than bound: an item or attribute of it is changed too."""
    target, found, value = line.partition("=")
    return value if found and target.strip().isidentifier() else line
