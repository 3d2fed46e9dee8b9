"""Read and stored under the lock, looked at without it: who looks takes one value, whole."""

import threading


class Router:
    def __init__(self):
        self._routes = {}
        self._lock = threading.Lock()

    def add(self, path, handler):
        with self._lock:
            routes = dict(self._routes)
            routes[path] = handler
            self._routes = routes

    def resolve(self, path):
        return self._routes.get(path)
