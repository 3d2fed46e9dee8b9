"""What the process may use in which code under proof runs."""

import resource
from pathlib import Path

BEGUN = ".begun"


def begin(answer: Path) -> None:
    """Say that Python has started and the budget runs from now on."""
    answer.with_suffix(BEGUN).touch()


def limit_resources(megabytes: int) -> None:
    """No more memory than that, and no core file."""
    size = megabytes * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
