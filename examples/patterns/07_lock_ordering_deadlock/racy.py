"""Two locks taken in two orders: one thread holds the shelf and wants the book, the other the reverse."""

import threading


class Warehouse:
    """Moves items between the shelf and the order book; each has its own lock."""

    def __init__(self, stock: int = 5) -> None:
        self._shelf_lock = threading.Lock()
        self._book_lock = threading.Lock()
        self._stock = stock
        self._ordered = 0

    def order(self) -> None:
        with self._shelf_lock:
            with self._book_lock:  # race: RH201
                self._stock -= 1
                self._ordered += 1

    def cancel(self) -> None:
        with self._book_lock:
            with self._shelf_lock:
                self._stock += 1
                self._ordered -= 1


def main() -> None:
    warehouse = Warehouse()
    threads = [threading.Thread(target=warehouse.order), threading.Thread(target=warehouse.cancel)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print("all orders done")


if __name__ == "__main__":
    main()
