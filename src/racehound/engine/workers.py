"""Whether it matters which worker of a pool does which job.

As long as no job leaves anything in its thread, and none asks which thread it is on, the workers of a pool are
only names, and the search need not tell them apart.
"""

from _thread import get_ident
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from racehound.engine.control import CONTROL
from racehound.errors import HarnessError

if TYPE_CHECKING:
    from racehound.engine.execution import Execution


Result = TypeVar("Result")


class WorkersMatter(HarnessError):
    """Everything has to be run anew, with `exact_pools`."""


def tell_workers_apart(execution: "Execution", reason: str) -> None:
    """End the execution, since it was run as if it did not matter."""
    if not execution.aborting:
        execution.give_up(WorkersMatter(reason))


def is_in_job() -> bool:
    """Whether the calling thread does a job of a pool."""
    return get_ident() in CONTROL.jobs


def with_workers_told_apart_if_need_be(run: Callable[[], Result]) -> Result:
    """What comes of it, run a second time if it turns out that they matter."""
    CONTROL.exact_pools = False
    try:
        return run()
    except WorkersMatter:
        CONTROL.exact_pools = True
        return run()
