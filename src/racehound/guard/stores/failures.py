from racehound.guard.errors import CONFLICT, GuardError

_UNAVAILABLE = 12


class StoreUnavailable(GuardError):
    """The server does not answer, or the client library for it is not installed."""

    code = "UNAVAILABLE"
    exit_status = _UNAVAILABLE
    retryable = True
    suggestion = "Check that the server runs and can be reached"


class LockLost(GuardError):
    """The lock passed to somebody else, or may have, while we believed to hold it.

    From then on nothing is written through the store. What is written elsewhere is safe only if
    that place compares fencing tokens.
    """

    code = "LOCK_LOST"
    exit_status = CONFLICT
    retryable = True
    retry_after_ms: int = 100
    suggestion = "Read the state again and repeat the work"
