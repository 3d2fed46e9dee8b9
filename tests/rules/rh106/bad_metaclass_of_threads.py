from threading import Thread


class Singleton(type):
    _instances = {}

    def __call__(cls, *args, **kwargs):
        if cls not in Singleton._instances:  # RH
            Singleton._instances[cls] = super().__call__(*args, **kwargs)
        return Singleton._instances[cls]


class Registry(metaclass=Singleton):
    def __init__(self):
        self.names = set()


class Journal:
    _only = None

    def __new__(cls):
        if cls._only is None:  # RH
            cls._only = super().__new__(cls)
            cls._only.lines = []
        return cls._only


def work(name):
    Registry().names.add(name)
    Journal().lines.append(name)


for name in ("ann", "bob"):
    Thread(target=work, args=(name,)).start()
