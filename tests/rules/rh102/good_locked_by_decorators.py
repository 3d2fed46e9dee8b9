import functools
import threading

total = 0


def alone(function):
    guard = threading.Lock()

    @functools.wraps(function)
    def wrapper(*args):
        with guard:
            return function(*args)

    return wrapper


def guarded_by(name):
    def decorate(method):
        @functools.wraps(method)
        def inner(self, *args):
            with getattr(self, name):
                return method(self, *args)

        return inner

    return decorate


@alone
def bump(amount):
    global total
    total += amount


class Mixer:
    def __init__(self):
        self.inputs = threading.Lock()
        self.routed = 0

    @guarded_by("inputs")
    def route(self, source):
        self.routed += source


mixer = Mixer()


def work(amount):
    bump(amount)
    mixer.route(amount)


def main(amounts):
    for amount in amounts:
        threading.Thread(target=work, args=(amount,)).start()
