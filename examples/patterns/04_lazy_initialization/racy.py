"""A connection that is opened twice: both threads find none, both open one, and one is never closed."""

from concurrent.futures import ThreadPoolExecutor


class Connection:
    """Stands for something costly that must exist once."""

    def __init__(self, address: str) -> None:
        self.address = address

    def query(self, text: str) -> str:
        return f"{self.address}: {text}"


class Repository:
    """Opens its connection when it is first needed, which may be in several threads at once."""

    def __init__(self, address: str = "db.example:5432") -> None:
        self._address = address
        self._connection: Connection | None = None
        self.opened: list[str] = []

    def connection(self) -> Connection:
        if self._connection is None:  # race: RH105
            self.opened.append(self._address)
            self._connection = Connection(self._address)
        return self._connection


def main() -> None:
    repository = Repository()
    with ThreadPoolExecutor(max_workers=4) as pool:
        connections = [pool.submit(repository.connection) for _ in range(4)]
    print({connection.result().query("select 1") for connection in connections}, repository.opened)


if __name__ == "__main__":
    main()
