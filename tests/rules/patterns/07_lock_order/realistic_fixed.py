import threading


class Broker:
    def __init__(self):
        self._orders_lock = threading.Lock()
        self._prices_lock = threading.Lock()
        self._orders = []
        self._prices = {}

    def place(self, order):
        with self._orders_lock:
            self._orders.append(order)
            self._price(order)

    def _price(self, order):
        with self._prices_lock:
            return self._prices.get(order)

    def update(self, name, price):
        self._prices_lock.acquire()
        try:
            self._prices[name] = price
        finally:
            self._prices_lock.release()
        self._rematch()

    def _rematch(self):
        with self._orders_lock:
            self._orders.sort()
