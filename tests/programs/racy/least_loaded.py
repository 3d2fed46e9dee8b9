"""Both tasks find the same backend the least loaded one."""


class Balancer:
    def __init__(self) -> None:
        self.load = {"a": 0, "b": 0}

    def assign(self) -> str:
        chosen = min(self.load, key=self.load.__getitem__)
        self.load[chosen] += 1
        return chosen


setup = Balancer
WORKERS = [Balancer.assign, Balancer.assign]
