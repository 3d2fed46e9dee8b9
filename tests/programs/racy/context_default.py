"""All threads that have not set a context variable get the same list, its default."""

from contextvars import ContextVar

STACK: ContextVar[list[str]] = ContextVar("stack", default=[])  # noqa: B039 - the mistake


class Tracer:
    def enter(self) -> int:
        STACK.get().append("span")
        return len(STACK.get())


setup = Tracer
WORKERS = [Tracer.enter, Tracer.enter]
