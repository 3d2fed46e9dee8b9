from dataclasses import dataclass
from enum import StrEnum

from racehound.model.proof import Proof


class Safety(StrEnum):
    """`safe` patches change no behaviour but the race; `unsafe` ones want a reader."""

    SAFE = "safe"
    UNSAFE = "unsafe"


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """A change to one file; `proof` is the search on the patched code."""

    path: str
    summary: str
    before: str
    after: str
    diff: str
    safety: Safety
    proof: Proof | None = None
    transformation: str = ""
    """What made it, by the name of its class."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no patch: a clause without a full stop."""

    reason: str
