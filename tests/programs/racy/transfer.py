"""Two transfers out of one account, each checking first."""


class Bank:
    def __init__(self) -> None:
        self.accounts = {"a": 10, "b": 0}

    def transfer(self, amount: int) -> bool:
        if self.accounts["a"] < amount:
            return False
        self.accounts["a"] -= amount
        self.accounts["b"] += amount
        return True


setup = Bank
WORKERS = [lambda bank: bank.transfer(8), lambda bank: bank.transfer(7)]
