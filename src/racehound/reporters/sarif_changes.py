"""A patch in SARIF: the lines that go and the text that comes in their place."""

import re
from difflib import SequenceMatcher

from racehound.model.patch import Patch

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
"""With its end: a form feed ends none."""


def fix(patch: Patch, artifact: dict[str, object]) -> dict[str, object]:
    return {
        "description": {"text": patch.summary},
        "artifactChanges": [{"artifactLocation": artifact, "replacements": replacements(patch)}],
    }


def replacements(patch: Patch) -> list[dict[str, object]]:
    """In the order of the file; each region ends where the next line begins."""
    before, after = _LINE.findall(patch.before), _LINE.findall(patch.after)
    matcher = SequenceMatcher(a=before, b=after, autojunk=False)
    return [
        {
            "deletedRegion": {"startLine": old + 1, "startColumn": 1, "endLine": old_end + 1, "endColumn": 1},
            "insertedContent": {"text": "".join(after[new:new_end])},
        }
        for kind, old, old_end, new, new_end in matcher.get_opcodes()
        if kind != "equal"
    ]
