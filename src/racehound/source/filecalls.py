"""What a function does to files, as far as another process could come between."""

from enum import Enum
from typing import NamedTuple

from racehound.source.events import Span, Value


class FileVerb(Enum):
    """The value is the verb of a finding."""

    CHECK = "looks for"
    STAT = "asks for the age or size of"
    """Fails where the file is gone."""
    READ = "reads"
    WRITE = "overwrites"
    APPEND = "appends to"
    CREATE = "creates"
    """Fails where the file exists: the safe form of check and write."""
    TOUCH = "touches"
    MAKE = "makes the directory"
    REMOVE = "removes"
    CLEAR = "takes away"
    """Like REMOVE, and does not mind if it is gone already."""
    RENAME = "renames"
    NAME = "picks a name for"


class FileCall(NamedTuple):
    verb: FileVerb
    at: int
    """Index of the call among the events of the function."""
    path: str
    """The path as the source says it, without `str()` and `Path()` around it."""
    value: Value
    span: Span
    tested: bool = False
    """Its result decides which way to go."""
    destination: str = ""
    """The new name of what is renamed."""
