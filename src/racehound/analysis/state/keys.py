"""What the key of a touch says: how deep below the container the touched thing lies, and which entry it is."""

import re


def lies_below_entry(key: str | None) -> bool:
    """True for `[kind][name]`: what is changed is inside an entry, and the container keeps its size."""
    depth = 0
    for position, letter in enumerate(key or ""):
        depth += (letter in "([{") - (letter in ")]}")
        if not depth:
            return position + 1 < len(key or "")
    return False


def are_other_entries(one: str | None, other: str | None) -> bool:
    """True for `["sent"]` and `["received"]`: whatever is done to one entry leaves the other as it is."""
    both = [_NAMED.match(key) for key in (one or "", other or "")]
    names = [found[1] for found in both if found is not None]
    return len(names) == len(both) and names[0] != names[1]


_NAMED = re.compile(r"""\[((['"])[^'"]*\2)\]""")
