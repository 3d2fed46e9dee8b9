"""What stands where while code is under control."""

from typing import NamedTuple


class Replacement(NamedTuple):
    """An attribute of a module or class of the standard library, and what stands there instead."""

    owner: object
    name: str
    stand_in: object
