"""An entry that others can see before it is complete."""


class Job:
    def __init__(self, registry: "dict[str, Job]") -> None:
        registry["job"] = self
        self.state = "ready"


class Registry:
    def __init__(self) -> None:
        self.jobs: dict[str, Job] = {}

    def add(self) -> None:
        Job(self.jobs)

    def state(self) -> str:
        return self.jobs["job"].state if "job" in self.jobs else "none"


setup = Registry
WORKERS = [Registry.add, Registry.state]
