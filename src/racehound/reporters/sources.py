"""Source lines by path and number, as far as a report holds them."""

from collections.abc import Iterable

from racehound.model.location import Location
from racehound.model.report import Excerpt


class Sources:
    def __init__(self, excerpts: Iterable[Excerpt]) -> None:
        self._excerpts: dict[str, list[Excerpt]] = {}
        for excerpt in excerpts:
            self._excerpts.setdefault(excerpt.path, []).append(excerpt)

    def around(self, place: Location) -> Excerpt | None:
        """The lines that hold the place."""
        for excerpt in self._excerpts.get(place.path, ()):
            if excerpt.line <= place.line < excerpt.line + len(excerpt.lines):
                return excerpt
        return None

    def column(self, path: str, line: int, column: int) -> int:
        """A column that counts bytes, as the parser does, in characters; as it is where the line is not known."""
        excerpt = self.around(Location(path=path, line=line))
        if excerpt is None:
            return column
        before = excerpt.lines[line - excerpt.line].encode("utf-8", "surrogatepass")[: column - 1]
        return len(before.decode("utf-8", "ignore")) + 1
