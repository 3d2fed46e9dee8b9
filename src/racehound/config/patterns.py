"""What is wrong with a pattern for files; git takes such patterns for names that no file has."""


def fault_of(pattern: str) -> str:
    """A clause about the pattern; empty where nothing is wrong with it."""
    if not pattern.strip("/!"):
        return "has a pattern without a name"
    if _has_open_bracket(pattern):
        return "has a pattern with a bracket that is not closed"
    return "has a pattern with a brace that is not closed" if _has_open_brace(pattern) else ""


def _has_open_brace(pattern: str) -> bool:
    plain = pattern.replace("\\{", "").replace("\\}", "")
    return plain.count("{") > plain.count("}")


def _has_open_bracket(pattern: str) -> bool:
    index = 0
    while index < len(pattern):
        if pattern[index] == "[":
            end = _end_of_set(pattern, index)
            if end < 0:
                return True
            index = end
        index += 2 if pattern[index] == "\\" else 1
    return False


def _end_of_set(pattern: str, index: int) -> int:
    """Where a set ends; a bracket that closes nothing may come first in it."""
    start = index + 2 if pattern[index + 1 : index + 2] in {"!", "^"} else index + 1
    return pattern.find("]", start + 1)
