"""What is said of a class or a module: that threads, or processes, may share what it has."""

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

_USED = (
    r"(?:called|used|accessed|invoked|updated|filled|changed|modified|reached|written|read|sold|shared|hit|fed|run)"
    r"\s(?:[^.]{0,40}\s)?(?:by|from|in|across|between|among)\s"
)
_WHICH = (
    r"(?:(?:multiple|several|many|different|any|arbitrary|concurrent|all|every|each)\s(?:\w+\s)?threads?"
    r"|(?:the\s|its\s|our\s)?(?:(?:worker|request|handler|pool|server|consumer)\s)?threads)\b"
)
_CLAIM = re.compile(
    r"\bthread[\s-]?safe\b"
    r"|\bsafe\s+(?:for|to)\s[^.]{0,40}\bthreads\b"
    r"|\bshared\s+(?:between|by|among|across|with)\s+(?:\w+\s+){0,3}threads\b"
    r"|\b(?:for|in|of|behind)\s(?:an?\s|the\s|our\s)?multi-?threaded\s\w+"
    r"|\bfrom (?:several|any|many|multiple|different) threads?\b"
    rf"|\b{_USED}{_WHICH}",
    re.IGNORECASE,
)
_BEFORE, _FAR_BEFORE = 24, 60
"""Characters before the claim in which it may be denied."""
_DENIAL = re.compile(
    r"\b(not|non|none|never|nor|no|neither|must|should|to be|if|when|make|makes|making|todo|fixme|xxx)\b|n't\b",
    re.IGNORECASE,
)

_NEITHER = re.compile(r"\b(not|neither|nor)\s+[\w-]+\s+(or|nor|and)\s+([\w]+-)?\Z", re.IGNORECASE)
"""`not multiprocess or multi-thread safe`."""

_DEMAND = re.compile(r"\b(ensure|expect(s|ed)?|requires?|required|responsible|callers?)\b[^.]*\Z", re.IGNORECASE)
"""What is asked of others, earlier in the same sentence: `callers should ensure that they are thread-safe`."""

_LIMIT = re.compile(r"\W+(\w+\W+)?(for|in|on|with respect to) (read|the case|some|most|its read)", re.IGNORECASE)


def claims_safety(node: ast.ClassDef, lines: Sequence[str], description: str) -> bool:
    """By the class itself, by a comment at it, or by the first words of its module."""
    said = _said_of(node)
    if "thread" in said.lower():
        return claims_thread_safety(said)
    return claims_thread_safety(description) or any(map(claims_thread_safety, _comments(node, lines)))


def first_paragraph(tree: ast.Module) -> str:
    text = ast.get_docstring(tree, clean=False) if tree.body else None
    return (text or "").strip().partition("\n\n")[0]


def _said_of(node: ast.ClassDef) -> str:
    """By its docstring, and, as some write it, by that of its constructor."""
    starts = [item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == "__init__"]
    described: list[ast.ClassDef | ast.FunctionDef] = [node, *starts]
    texts = (ast.get_docstring(item, clean=False) for item in described)
    return "\n\n".join(text for text in texts if text)


def _comments(node: ast.ClassDef, lines: Sequence[str]) -> Iterator[str]:
    """The comment above a class, and what stands in it before its first method."""
    first = min((item.lineno for item in node.decorator_list), default=node.lineno)
    above = takewhile(_is_comment, reversed(lines[: first - 1]))
    yield "\n".join(line.strip("# \t") for line in reversed(list(above)))
    methods = (item.lineno for item in node.body if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef))
    inside = lines[node.lineno : min(methods, default=node.lineno)]
    yield "\n".join(line.strip("# \t") for line in inside if _is_comment(line))


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")


def claims_thread_safety(text: str) -> bool:
    """True where a text says that threads may share it, and nowhere that not, or only in part."""
    claims = list(_CLAIM.finditer(text)) if "thread" in text.lower() else []
    return bool(claims) and not any(_is_limited(text, *claim.span()) for claim in claims)


def _is_limited(text: str, start: int, end: int) -> bool:
    before = text[max(0, start - _BEFORE) : start]
    if _DEMAND.search(text, 0, start):
        return True
    if _NEITHER.search(text, max(0, start - _FAR_BEFORE), start):
        return True
    return _DENIAL.search(before) is not None or _LIMIT.match(text, end) is not None


_AT_ONCE = r"(?:several|multiple|many|concurrent|parallel|different|other|two|more than one)\s(?:\w+\s){0,2}"
_RUNS = (
    r"(?:(?:process(?:es)?|builds?|runs|instances?|invocations?|jobs?|workers?|agents?)\b"
    r"|(?:copies\s)?of\s(?:these|them|it)\b)"
)
_DONE = r"\b(?:shar|us|tak|read|writ|access|updat|call|append|run)(?:e|es|ed|s|ing)?\b"
_PROCESSES = re.compile(rf"\b{_AT_ONCE}{_RUNS}[^.]*{_DONE}|{_DONE}[^.]*\b{_AT_ONCE}{_RUNS}", re.IGNORECASE)


def claims_processes(text: str) -> bool:
    """True where a text says that several processes come to the same files."""
    found = _PROCESSES.search(text)
    return found is not None and not _is_limited(text, *found.span())
