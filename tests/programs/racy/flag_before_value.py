"""The flag says ready before the value is there."""


class Config:
    def __init__(self) -> None:
        self.ready = False
        self.value: dict[str, int] | None = None

    def load(self) -> None:
        if not self.ready:
            self.ready = True
            self.value = {"port": 80}

    def port(self) -> int:
        self.load()
        return self.value["port"]


setup = Config
WORKERS = [Config.port, Config.port]
