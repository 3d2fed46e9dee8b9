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
            self._price(order)  # RH

    def _price(self, order):
        with self._prices_lock:
            return self._prices.get(order)

    def update(self, name, price):
        self._prices_lock.acquire()
        try:
            self._prices[name] = price
            self._rematch()
        finally:
            self._prices_lock.release()

    def _rematch(self):
        with self._orders_lock:  # RH
            self._orders.sort()
