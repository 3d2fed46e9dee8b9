import threading


class Registry:
    _instance = None

    def __new__(cls):
        if cls._instance is None:  # RH
            cls._instance = super().__new__(cls)
        return cls._instance
