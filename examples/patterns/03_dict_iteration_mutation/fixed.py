"""A table that holds still: loops run over a copy, and copying and changing exclude each other."""

import threading


class SessionTable:
    """Who is logged in, and how many minutes each session has left."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._minutes: dict[str, int] = {}

    def log_in(self, user: str, minutes: int = 30) -> None:
        with self._lock:
            self._minutes[user] = minutes

    def expire(self) -> None:
        with self._lock:
            for user in list(self._minutes):
                if self._minutes[user] <= 0:
                    del self._minutes[user]

    def names(self) -> list[str]:
        with self._lock:
            users = list(self._minutes)
        return [user.title() for user in users]


def main() -> None:
    table = SessionTable()
    threads = [
        threading.Thread(target=table.log_in, args=("ada",)),
        threading.Thread(target=table.expire),
        threading.Thread(target=table.names),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(table.names())


if __name__ == "__main__":
    main()
