import threading


class Registry:
    _instance = None
    _guard = threading.Lock()

    def __new__(cls):
        with cls._guard:
            if cls._instance is None:
                cls._instance = super().__new__(cls)
        return cls._instance
