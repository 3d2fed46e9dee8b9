from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field


@dataclass
class Inventory:
    stock: dict = field(default_factory=dict)

    def is_known(self, item):
        return item in self.stock

    def take(self, item):
        if not self.is_known(item):  # RH
            return None
        amount = self.stock[item]
        self.forget(item)
        return amount

    def forget(self, item):
        del self.stock[item]


def sell_all(items):
    inventory = Inventory()
    with ThreadPoolExecutor(4) as pool:
        return [pool.submit(inventory.take, item) for item in items]
