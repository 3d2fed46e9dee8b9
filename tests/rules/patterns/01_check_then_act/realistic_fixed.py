import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field


@dataclass
class Inventory:
    stock: dict = field(default_factory=dict)
    guard: threading.Lock = field(default_factory=threading.Lock)

    def _is_known(self, item):
        return item in self.stock

    def take(self, item):
        with self.guard:
            if not self._is_known(item):
                return None
            amount = self.stock[item]
            self._forget(item)
            return amount

    def _forget(self, item):
        del self.stock[item]


def sell_all(items):
    inventory = Inventory()
    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(inventory.take, item) for item in items]
        return [future.result() for future in futures]
