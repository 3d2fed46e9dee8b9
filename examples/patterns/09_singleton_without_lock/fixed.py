"""A singleton of which there is one: the second check runs under the lock."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar


class Settings:
    """Meant to exist once per process."""

    _instance: ClassVar["Settings | None"] = None
    _lock = threading.Lock()

    def __init__(self) -> None:
        self.values: dict[str, str] = {}

    @classmethod
    def get(cls) -> "Settings":
        if cls._instance is None:
            with cls._lock:
                if cls._instance is None:
                    cls._instance = cls()
        return cls._instance


def main() -> None:
    with ThreadPoolExecutor(max_workers=4) as pool:
        found = [pool.submit(Settings.get) for _ in range(4)]
    print(len({id(settings.result()) for settings in found}))


if __name__ == "__main__":
    main()
