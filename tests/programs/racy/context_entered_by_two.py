"""Two threads run something in one context, which lets in one at a time: the second is told so by an exception."""

import contextvars

DEPTH: contextvars.ContextVar[int] = contextvars.ContextVar("DEPTH", default=0)


class Shared:
    def __init__(self) -> None:
        self.context = contextvars.copy_context()

    def deepen(self) -> None:
        self.context.run(lambda: DEPTH.set(DEPTH.get() + 1))


setup = Shared
WORKERS = [Shared.deepen, Shared.deepen]


def invariant(shared: Shared) -> bool:
    return shared.context[DEPTH] == 2
