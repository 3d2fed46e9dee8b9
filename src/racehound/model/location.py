from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Location:
    """A range of source text; lines and columns count from 1, the path is relative to where the hunt began."""

    path: str
    line: int
    column: int = 1
    end_line: int = 0
    end_column: int = 0

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"
