"""Pairs of commands worth racing, made from one template.

The pair matters: `aws configure set` never loses a new profile, which it appends, but does lose an entry of a
profile that exists. So three pairs are tried: two keys beside a third that exists, two keys with nothing there
before, and the same key twice.
"""

import re
from dataclasses import dataclass

from racehound.errors import UsageError

PLACE = re.compile(r"\{(?:i|key)\}")
KEY = re.compile(r"\{key\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two commands to race after the preparing ones have run, one after the other."""

    name: str
    first: str
    second: str
    prepare: tuple[str, ...] = ()


def expand(template: str, number: int, key: int | None = None) -> str:
    """The template with `{key}` as `k` and the number of the key, and `{i}` as the number."""
    return KEY.sub(f"k{number if key is None else key}", template).replace("{i}", str(number))


def pairs_of(template: str) -> tuple[Pair, ...]:
    """The pairs of a template, the most telling one first."""
    if not PLACE.search(template):
        return (Pair(name="the same command twice", first=template, second=template),)
    beside = Pair(
        name="sibling keys",
        first=expand(template, 1),
        second=expand(template, 2),
        prepare=(expand(template, 0),),
    )
    new = Pair(name="new keys", first=expand(template, 1), second=expand(template, 2))
    same = Pair(
        name="the same key",
        first=expand(template, 1, key=0),
        second=expand(template, 2, key=0) if "{key}" in template else expand(template, 1),
        prepare=(expand(template, 0),),
    )
    return beside, new, same


def pair_of(first: str | None, second: str | None) -> Pair:
    """The pair that `--a` and `--b` name."""
    if not first or not second:
        raise UsageError("--a and --b belong together", hint="name both commands, or one template after --")
    return Pair(name="the two commands", first=first, second=second)
