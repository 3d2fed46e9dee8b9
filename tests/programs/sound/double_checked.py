"""The second look is taken under the lock."""

import threading


class Service:
    _lock = threading.Lock()
    instance: "Service | None" = None

    @classmethod
    def get(cls) -> "Service":
        if cls.instance is None:
            with cls._lock:
                if cls.instance is None:
                    cls.instance = cls()
        return cls.instance


def setup() -> None:
    """The state is the class itself."""


WORKERS = [lambda _: Service.get(), lambda _: Service.get()]
