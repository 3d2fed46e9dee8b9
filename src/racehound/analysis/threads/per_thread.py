"""Names that say that each thread has its own, where what makes it is out of sight."""

import re
from collections.abc import Set as AbstractSet

from racehound.analysis.meaning.kinds import NONE, Kind

_SAID = re.compile(r"_*(\w+_)?thread_?locals?_*", re.IGNORECASE)


def is_said_per_thread(name: str, kinds: AbstractSet[Kind]) -> bool:
    """True for `_thread_local`, unless it is seen to hold something else."""
    return not kinds - {NONE} and _SAID.fullmatch(name.partition(".")[0]) is not None
