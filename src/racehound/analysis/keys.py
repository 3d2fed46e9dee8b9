"""What the key of a touch says: how deep below the container the touched thing lies."""


def lies_below_entry(key: str | None) -> bool:
    """True for `[kind][name]`: what is changed is inside an entry, and the container keeps its size."""
    depth = 0
    for position, letter in enumerate(key or ""):
        depth += (letter in "([{") - (letter in ")]}")
        if not depth:
            return position + 1 < len(key or "")
    return False
