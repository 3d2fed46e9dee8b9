from racehound.engine.strategy import Beginning, SearchStrategy, beginning_of


class Limited:
    """Another strategy, for a number of executions."""

    def __init__(self, inner: SearchStrategy, executions: int) -> None:
        self._inner = inner
        self._left = executions
        self.choose = inner.choose
        self.end_execution = inner.end_execution
        self.beginning: Beginning = ()

    @property
    def exhausted(self) -> bool:
        return self._inner.exhausted

    @property
    def bound(self) -> int | None:
        return self._inner.bound

    def start_execution(self) -> bool:
        self._left -= 1
        goes_on = self._left >= 0 and self._inner.start_execution()
        self.choose, self.end_execution = self._inner.choose, self._inner.end_execution
        self.beginning = beginning_of(self._inner)
        return goes_on
