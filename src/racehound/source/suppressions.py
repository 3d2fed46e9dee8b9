"""Comments by which an author answers a finding: `# racehound: ignore[RH101] reason`."""

import re
from dataclasses import dataclass

MARK = "racehound:"
_COMMENT = re.compile(r"#\s*racehound:\s*(ignore|benign)\[([^\]]*)\]\s*(.*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Suppression:
    """Silences `codes` on `line`; a comment on a line of its own speaks of the next line."""

    line: int
    codes: frozenset[str]
    reason: str

    def covers(self, code: str, first_line: int, last_line: int) -> bool:
        return code in self.codes and first_line <= self.line <= max(first_line, last_line)


def suppressions(text: str) -> tuple[Suppression, ...]:
    if MARK not in text:
        return ()
    numbered = enumerate(text.splitlines(), 1)
    return tuple(found for number, line in numbered if MARK in line and (found := _parse(number, line)))


def _parse(number: int, line: str) -> Suppression | None:
    match = _COMMENT.search(line)
    if match is None:
        return None
    codes = frozenset(code for part in match[2].split(",") if (code := part.strip().upper()))
    alone = line.lstrip().startswith("#")
    return Suppression(line=number + 1 if alone else number, codes=codes, reason=match[3].strip())
