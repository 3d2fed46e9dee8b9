"""What a session calls itself, so that others can tell who holds its locks."""

import os

from racehound.guard.identity import host_name, own_start_time

_HOST_LENGTH = 24  # a name has 63 bytes


def own_host() -> str:
    return host_name()[:_HOST_LENGTH]


def process_name() -> tuple[str, str]:
    pid = os.getpid()
    return f"rh {pid} {own_start_time(pid) or '-'}", own_host()


def session_name() -> str:
    """Without a time: the server knows since when the session is idle."""
    process, host = process_name()
    return f"{process} - {host}"
