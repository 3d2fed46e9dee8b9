"""Comments by which an author answers a finding: `# racehound: ignore[RH101] reason`."""

import ast
import difflib
import re
from bisect import bisect_right
from dataclasses import dataclass

from racehound.source.comments import Comment, comments

MARK = "racehound:"
_SPELLINGS = ("racehound", "Racehound", "RaceHound", "RACEHOUND")
WHOLE_FILE = "ignore-file"
WORDS = ("ignore", "benign", WHOLE_FILE)
"""`benign` says that the race is there and does no harm; the others say nothing about why."""
END_OF_FILE = 2**31
_GUARDING = "guarded_by"
_DECLARING = ("confined", _GUARDING)
_COMMENT = re.compile(
    r"#\s*(?P<mark>racehound\s*:?)\s*(?P<word>[A-Za-z][\w-]*)\s*(?P<codes>\[[^\]]*\])?\s*(?P<rest>.*)",
    re.IGNORECASE,
)
_AGAIN = re.compile(r"(?=#\s*racehound:)")
_BARE_CODE = re.compile(r"[:=(]?\s*RH\d", re.IGNORECASE)
_LOCK = re.compile(r"[:(]\s*[\"']?[A-Za-z_]")
_Lines = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Suppression:
    """Silences findings from line `first` to line `last`; the comment itself stands on `line`."""

    line: int
    first: int
    last: int
    codes: tuple[str, ...] = ()
    """What selects the rules, as written; all rules where it is empty."""
    reason: str = ""
    problem: str = ""
    """Why the comment means nothing."""

    def reaches(self, first_line: int, last_line: int) -> bool:
        """True for a finding that begins within its lines, or has the comment within its own."""
        return self.first <= first_line <= self.last or first_line <= self.line <= last_line


def suppressions(text: str, tree: ast.Module) -> tuple[Suppression, ...]:
    found = [
        (comment, match)
        for comment in comments(text, *_SPELLINGS)
        for part in _AGAIN.split(comment.text)
        if (match := _COMMENT.search(part))
    ]
    if not found:
        return ()
    statements = _Statements(text, tree)
    made = (_suppression(comment, match, statements) for comment, match in found)
    return tuple(item for item in made if item is not None)


def _suppression(comment: Comment, match: "re.Match[str]", statements: "_Statements") -> Suppression | None:
    word = match["word"].lower()
    problem = _misspelling(match) if match["mark"] != MARK else _problem(word, match["codes"], match["rest"])
    if not problem and (match["mark"] != MARK or word not in WORDS):
        return None
    first, last = (1, END_OF_FILE) if word == WHOLE_FILE else statements.meant_by(comment)
    codes = tuple(code for part in (match["codes"] or "")[1:-1].split(",") if (code := part.strip()))
    reason = match["rest"].partition("#")[0].strip()
    if word == "benign" and any(" " in code for code in codes):
        codes, reason = (), f"{match['codes'][1:-1]} {reason}".strip()
    return Suppression(line=comment.line, first=first, last=last, codes=codes, reason=reason, problem=problem)


def _misspelling(match: "re.Match[str]") -> str:
    """What is wrong with a comment that begins nearly as it should; prose that names racehound is not meant."""
    is_meant = match["word"].lower() in (*WORDS, *_DECLARING)
    if not is_meant or not (":" in match["mark"] or match["codes"]):
        return ""
    return f"`{match['mark']}` means nothing; write `{MARK}`, in small letters and with a colon"


def _problem(word: str, codes: str | None, rest: str) -> str:
    if word in _DECLARING:
        is_said = word != _GUARDING or _LOCK.match(rest)
        return "" if is_said else f"`{word}` names no lock; write `{word}(_lock)`"
    if word not in WORDS:
        near = difflib.get_close_matches(word, (*WORDS, *_DECLARING), n=1, cutoff=0.79)
        return f"`{word}` means nothing here; did you mean `{near[0]}`?" if near else ""
    if codes is None and rest.startswith("["):
        return "the bracket is not closed"
    if codes is None and _BARE_CODE.match(rest):
        return f"rules stand in square brackets: `{word}[RH101]`"
    return "the brackets name no rule" if codes is not None and not codes.strip("[] ,") else ""


class _Statements:
    """Which lines a comment speaks of."""

    def __init__(self, text: str, tree: ast.Module) -> None:
        self._lines = text.split("\n")
        nodes = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
        self._nodes = sorted(nodes, key=lambda node: (_start(node), -(node.end_lineno or 0)))
        self._starts = [_start(node) for node in self._nodes]

    def meant_by(self, comment: Comment) -> _Lines:
        """Those of its statement; of a function or class all, of other blocks the head."""
        line = self._next_code(comment.line) if comment.alone else comment.line
        node = self._innermost(line)
        if node is None:
            return line, line
        start, end = _start(node), node.end_lineno or line
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            return start, end
        head = max(start, node.lineno, _start(body[0]) - 1)
        if line > head:
            return line, line
        is_definition = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        return (start, end) if is_definition else (start, head)

    def _next_code(self, line: int) -> int:
        """The next line that is neither empty nor a comment."""
        for number, text in enumerate(self._lines[line:], line + 1):
            if text.strip() and not text.lstrip().startswith("#"):
                return number
        return line + 1

    def _innermost(self, line: int) -> ast.stmt | None:
        for node in reversed(self._nodes[: bisect_right(self._starts, line)]):
            if (node.end_lineno or 0) >= line:
                return node
        return None


def _start(node: ast.stmt) -> int:
    """Where a statement begins, its decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min((node.lineno, *(decorator.lineno for decorator in decorators)))
