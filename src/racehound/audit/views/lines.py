"""Text read line by line: sections of INI files, assignments of dotenv files, indentation of YAML."""

import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256

LONGEST = 160
"""Characters of a line that are shown; the rest counts by its digest."""

SECTION = re.compile(r"\[(?P<name>[^\]]+)\]\s*(?:[#;].*)?$")
ASSIGNMENT = re.compile(r"(?P<key>[^=:\s#;][^=:]*?)\s*(?P<sign>[=:])\s*(?P<value>.*)$")
EXPORT = re.compile(r"(?:export\s+)?(?P<key>[A-Za-z_][\w.]*)\s*=(?P<value>.*)$")
YAML_KEY = re.compile(r"(?P<indent>\s*)(?P<dash>-\s+)?(?P<key>[^\s#:][^:]*):(?:\s+(?P<value>.*))?$")

Entries = Iterator[tuple[str, str]]


def ini_entries(text: str) -> Entries:
    """`section.key`; what is no assignment counts as a line of its section."""
    section = ""
    for line in filter(None, map(str.strip, text.splitlines())):
        if head := SECTION.match(line):
            section = head["name"].strip().replace(' "', ".").rstrip('"')
            yield f"[{section}]", ""
        elif found := ASSIGNMENT.match(line):
            yield f"{section}.{found['key']}" if section else found["key"], found["value"]
        else:
            yield f"[{section}] {clipped(line)}", ""


def dotenv_entries(text: str) -> Entries:
    for line in filter(None, map(str.strip, text.splitlines())):
        found = EXPORT.match(line)
        yield (found["key"], found["value"]) if found else (clipped(line), "")


def yaml_entries(text: str) -> Entries:
    """A reading by indentation for machines without a YAML parser; what it does not understand stays a line."""
    path: list[tuple[int, str]] = []
    for line in text.splitlines():
        if not line.strip() or line.strip() in {"---", "..."}:
            continue
        found = YAML_KEY.match(line)
        if found is None:
            yield f"{_dotted(path)} {clipped(line.strip())}".strip(), ""
            continue
        depth = len(found["indent"]) + len(found["dash"] or "")
        path = [step for step in path if step[0] < depth]
        path.append((depth, found["key"].strip()))
        if found["value"]:
            yield _dotted(path), found["value"].strip()


def _dotted(path: list[tuple[int, str]]) -> str:
    return ".".join(key for _, key in path)


def text_entries(text: str) -> Entries:
    """Each line with how often it is there, and the order of all of them."""
    lines = text.splitlines()
    for line, count in Counter(lines).items():
        yield f"line {clipped(line)!r}", str(count)
    yield ORDER, sha256(text.encode()).hexdigest()[:16]


ORDER = "(order of lines)"


def clipped(line: str) -> str:
    if len(line) <= LONGEST:
        return line
    return f"{line[:LONGEST]}… {sha256(line.encode()).hexdigest()[:12]}"
