class CircuitOpen(Exception):
    """The call was not made, because the circuit of that name admits none now.

    `retry_after` is the number of seconds after which asking again makes sense, never negative.
    `last_failure` describes the newest failure, as text: keeping the exception itself would keep
    every frame of its traceback alive for as long as the circuit stays open.
    """

    code = "CIRCUIT_OPEN"

    def __init__(self, name: str, retry_after: float, last_failure: str | None = None) -> None:
        # All fields go to `args`: that is what makes the exception survive a trip to another process.
        super().__init__(name, retry_after, last_failure)
        self.name = name
        self.retry_after = retry_after
        self.last_failure = last_failure

    def __str__(self) -> str:
        cause = f"; last failure: {self.last_failure}" if self.last_failure else ""
        return f"circuit {self.name!r} is open, ask again in {self.retry_after:.3g} s{cause}"


class StoreUnavailable(Exception):
    """The shared store did not answer; circuits go on alone until it does."""
