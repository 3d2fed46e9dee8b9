import threading


class ByNew:
    _instance = None

    def __new__(cls):
        if cls._instance is None:  # RH
            cls._instance = super().__new__(cls)
        return cls._instance


class ByName:
    _instance = None

    @staticmethod
    def get():
        if ByName._instance is None:  # RH
            ByName._instance = ByName()
        return ByName._instance


class Base:
    _shared = None

    @classmethod
    def shared(cls):
        if not cls._shared:  # RH
            cls._shared = cls._make()
        return cls._shared

    @classmethod
    def _make(cls):
        return cls()


class Derived(Base):
    pass


def start():
    threading.Thread(target=Derived.shared).start()
