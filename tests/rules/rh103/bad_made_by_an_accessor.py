import threading

_settings = None
_making = threading.Lock()


class Settings:
    def __init__(self):
        self.values = {}

    def set(self, key, value):
        self.values[key] = value

    def dump(self):
        return [f"{key}={value}" for key, value in self.values.items()]  # RH


def settings():
    global _settings
    with _making:
        if _settings is None:
            _settings = Settings()
        return _settings


class Saving(threading.Thread):
    def run(self):
        settings().dump()


class Plugin(threading.Thread):
    def run(self):
        found = settings()
        found.set("ran", 1)


def main():
    Saving().start()
    for _ in range(3):
        Plugin().start()
