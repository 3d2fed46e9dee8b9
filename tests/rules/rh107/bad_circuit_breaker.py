class CircuitBreaker:
    """Thread-safe: state is only changed by the thread that owns the futures."""

    def __init__(self, threshold: int = 3) -> None:
        self.threshold = threshold
        self._failures: dict[str, int] = {}
        self._disabled: set[str] = set()

    def record_success(self, name: str) -> None:
        self._failures[name] = 0
        self._disabled.discard(name)

    def record_failure(self, name: str) -> None:
        count = self._failures.get(name, 0) + 1
        self._failures[name] = count  # RH
        if count >= self.threshold:
            self._disabled.add(name)  # RH

    def is_open(self, name: str) -> bool:
        return name in self._disabled

    def reset_all(self) -> None:
        self._failures.clear()
        self._disabled.clear()
