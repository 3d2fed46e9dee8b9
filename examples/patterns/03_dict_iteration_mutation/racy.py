"""A table that changes under its reader: a dictionary that is resized while somebody iterates over it raises.

`expire` resizes the table in its own loop; `names` meets the `log_in` of another thread.
"""

import threading


class SessionTable:
    """Who is logged in, and how many minutes each session has left."""

    def __init__(self) -> None:
        self._minutes: dict[str, int] = {}

    def log_in(self, user: str, minutes: int = 30) -> None:
        self._minutes[user] = minutes

    def expire(self) -> None:
        for user in self._minutes:
            if self._minutes[user] <= 0:
                del self._minutes[user]  # race: RH104

    def names(self) -> list[str]:
        found = []
        for user in self._minutes:  # race: RH103
            found.append(user.title())
        return found


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
