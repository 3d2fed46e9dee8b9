import subprocess
import time

import requests


class Rates:
    def __init__(self):
        self.known = None

    def all(self):
        if self.known is None:
            self.known = requests.get("https://bank/rates").json()
        return self.known

    def of(self, code):
        return self.all()[code]


class Converter:
    def __init__(self, rates: Rates):
        self.rates = rates

    def convert(self, amount, code):
        return amount * self.rates.of(code)


async def price(converter: Converter, amount):
    return converter.convert(amount, "EUR")  # RH


PAGES = {}


def page(url):
    if url in PAGES:
        return PAGES[url]
    if not url.startswith("https:"):
        raise ValueError(url)
    PAGES[url] = requests.get(url).text
    return PAGES[url]


async def show(url):
    return page(url)  # RH


def thumbnail(source, target):
    if target.exists():
        return target
    subprocess.run(["convert", source, target])
    return target


async def upload(source, target):
    return thumbnail(source, target)  # RH


def wait_for(path, until):
    while time.monotonic() < until:
        if path.exists():
            return True
        time.sleep(0.1)
    return False


async def ready(path, until):
    return wait_for(path, until)  # RH
