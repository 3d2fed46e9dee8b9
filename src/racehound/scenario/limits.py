"""What the process may use in which code under proof runs."""

import resource
from pathlib import Path

BEGUN = ".begun"
LATE = ".late"


def begin(answer: Path) -> None:
    """Say that Python has started and the budget runs from now on."""
    answer.with_suffix(BEGUN).touch()


def say_late(answer: Path) -> None:
    """Say that the budget is over and an answer is on its way: who cannot say that cannot answer either."""
    answer.with_suffix(LATE).touch()


def limit_resources(megabytes: int) -> None:
    """No more memory than that, and no core file."""
    size = megabytes * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
