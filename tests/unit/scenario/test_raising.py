"""Functions that raise what is caught, and bodies of threads."""

from collections.abc import Callable

from racehound.scenario.raising import raising_what_is_caught
from racehound.scenario.stand_ins import FAILING, NOTHING


def attempt(function: Callable[[], object]) -> None:
    try:
        function()
    except (ValueError, TimeoutError):
        return
    except Exception:  # noqa: BLE001 - whatever it is
        return


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
