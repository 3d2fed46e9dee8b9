"""Functions that raise what is caught, and bodies of threads."""

import threading
from collections.abc import Callable

from racehound.scenario.raising import raising_what_is_caught
from racehound.scenario.stand_ins import FAILING, NOTHING
from racehound.scenario.thread_bodies import is_thread_body


def attempt(function: Callable[[], object]) -> None:
    try:
        function()
    except (ValueError, TimeoutError):
        return
    except Exception:  # noqa: BLE001 - whatever it is
        return


class Watch:
    def __init__(self) -> None:
        self.stopped = threading.Event()

    def run(self) -> None:
        while not self.stopped.wait(1.0):
            self.look()

    def look(self) -> None: ...

    def start(self) -> None:
        threading.Thread(target=self.run).start()
        threading.Thread(target=self.look).start()


def test_what_is_handed_over_raises_what_is_caught() -> None:
    made = raising_what_is_caught([f"attempt({FAILING})"], attempt)

    assert made == [
        "attempt((lambda *args, **kwargs: int('a')))",
        "attempt((lambda *args, **kwargs: (_ for _ in ()).throw(TimeoutError('a'))))",
    ]
    for text in made:
        eval(text, {"attempt": attempt})  # noqa: S307 - text of ours


def test_what_does_not_fail_stays_so() -> None:
    assert raising_what_is_caught([f"attempt({NOTHING})"], attempt) == []


def test_a_loop_that_is_handed_to_a_thread_is_its_body() -> None:
    assert is_thread_body(Watch.run, Watch)
    assert not is_thread_body(Watch.look, Watch)
    assert not is_thread_body(attempt, None)
