"""Two threads run something in one context, which lets in one at a time: the second is refused."""

import contextvars

DEPTH: contextvars.ContextVar[int] = contextvars.ContextVar("DEPTH", default=0)


class Shared:
    def __init__(self) -> None:
        self.context = contextvars.copy_context()
        self.refused = 0

    def deepen(self) -> None:
        try:
            self.context.run(lambda: DEPTH.set(DEPTH.get() + 1))
        except RuntimeError:
            self.refused += 1


setup = Shared
WORKERS = [Shared.deepen, Shared.deepen]


def invariant(shared: Shared) -> bool:
    return shared.refused == 0
