"""One thread steps into a directory and back while another asks where it is."""

import os


class Builder:
    def __init__(self) -> None:
        self.home = os.getcwd()  # noqa: PTH109 - as programs do it

    def build(self) -> None:
        os.chdir("/")
        os.chdir(self.home)

    def is_home(self) -> bool:
        return os.getcwd() == self.home  # noqa: PTH109


setup = Builder
WORKERS = [Builder.build, Builder.is_home]
