"""What the collector knows of: the way to objects of which nobody else keeps a list.

A program that has called `gc.freeze()`, as servers do before they fork and large test suites to be faster, has
hidden all that was there from such questions: functions would be taken for missing, and not be observed. So it is
thawed first. That changes nothing but how much the collector looks at.
"""

import gc
from typing import Any


def tracked() -> list[Any]:
    """Every object that the collector knows of."""
    gc.unfreeze()
    return gc.get_objects()


def referrers_of(subject: object) -> list[Any]:
    """Those of them that refer to the object."""
    gc.unfreeze()
    return gc.get_referrers(subject)
