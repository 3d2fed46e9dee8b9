import subprocess as sp
from time import sleep
from urllib import request


async def naps():
    sleep(1)  # RH


class Fetcher:
    def _get(self, url):
        return self._open(url)

    def _open(self, url):
        return request.urlopen(url)

    async def fetch(self, url):
        return self._get(url)  # RH


class Derived(Fetcher):
    async def version(self):
        return sp.check_output(["git", "--version"])  # RH
