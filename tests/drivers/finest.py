"""Plain code on two real threads that take turns at single instructions, by chance.

Knows nothing of operations: whatever the interpreter lets happen between two instructions can happen here.
"""

import sys
import threading
import types
from collections.abc import Callable
from random import Random


class Turns:
    """Lets one of two threads run at a time; each instruction may be the last one before the other's turn."""

    def __init__(self, path: str, seed: int) -> None:
        self._path = path
        self._random = Random(seed)  # noqa: S311 - chance that can be repeated
        self._batons = [threading.Semaphore(0), threading.Semaphore(0)]
        self._done = [False, False]
        self.results: list[tuple[object, str]] = [(None, ""), (None, "")]

    def run(self, bodies: list[Callable[[], object]]) -> None:
        threads = [threading.Thread(target=self._serve, args=(index, body)) for index, body in enumerate(bodies)]
        for thread in threads:
            thread.start()
        self._batons[self._random.randrange(2)].release()
        for thread in threads:
            thread.join()

    def _serve(self, index: int, body: Callable[[], object]) -> None:
        self._batons[index].acquire()

        def local(frame: types.FrameType, event: str, _: object) -> object:
            frame.f_trace_opcodes = True
            if event == "opcode":
                self._maybe_yield(index)
            return local

        def enter(frame: types.FrameType, event: str, _: object) -> object:
            return local(frame, event, None) if frame.f_code.co_filename == self._path else None

        sys.settrace(enter)  # type: ignore[arg-type]  # the type says object where the function gives itself
        try:
            self.results[index] = (body(), "None")
        except Exception as error:  # noqa: BLE001 - whatever the program raises is its result
            self.results[index] = (None, repr(error))
        finally:
            sys.settrace(None)
        self._done[index] = True
        self._batons[1 - index].release()

    def _maybe_yield(self, index: int) -> None:
        if not self._done[1 - index] and self._random.random() < 0.25:
            self._batons[1 - index].release()
            self._batons[index].acquire()
