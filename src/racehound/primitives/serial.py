"""Hashes that do not depend on addresses, so that sets of threads and futures have the same order every time."""

from typing import TYPE_CHECKING, Any, Final

from racehound.engine.control import CONTROL
from racehound.primitives.replacement import Replacement

if TYPE_CHECKING:
    from collections.abc import Callable

_SERIAL: Final = "_racehound_serial"


def numbered(kind: type) -> tuple[Replacement, Replacement]:
    """Instances made under control, or for an execution, are numbered and hash to their number."""
    make: Callable[..., None] = kind.__init__  # type: ignore[misc]  # exchanged for this class alone
    original: Callable[[Any], int] = kind.__hash__  # type: ignore[assignment]  # taken from the class, not bound

    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        execution = CONTROL.in_charge()
        if execution is not None:
            setattr(self, _SERIAL, next(execution.serials))
        elif CONTROL.sets_up():
            setattr(self, _SERIAL, next(CONTROL.serials))
        make(self, *args, **kwargs)

    def hash_of(self: Any) -> int:
        serial: int = getattr(self, _SERIAL, -1)
        return original(self) if serial < 0 else serial

    return Replacement(kind, "__init__", init), Replacement(kind, "__hash__", hash_of)
