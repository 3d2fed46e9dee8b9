"""Each checks the sum of both accounts and takes from its own."""


class Accounts:
    def __init__(self) -> None:
        self.mine = 60
        self.yours = 60

    def take_mine(self) -> None:
        if self.mine + self.yours >= 100:
            self.mine -= 100

    def take_yours(self) -> None:
        if self.mine + self.yours >= 100:
            self.yours -= 100


setup = Accounts
WORKERS = [Accounts.take_mine, Accounts.take_yours]


def invariant(accounts: Accounts) -> bool:
    return accounts.mine + accounts.yours >= 0
