import functools
import threading


def limited(times):
    used = 0

    def decorate(function):
        count = 0

        @functools.wraps(function)
        def inner(*arguments):
            nonlocal count, used
            steps = 0

            def step():
                nonlocal steps
                steps += 1

            step()
            count += 1  # RH
            used += 1  # RH
            return function(*arguments) if used < times else None

        return inner

    return decorate


class Retry:
    def __init__(self, function):
        self.function = function
        self.attempt = 0

    def __call__(self):
        while self.attempt < 3:
            self.attempt += 1  # RH
            self.function()


class Application:
    @limited(3)
    def get(self):
        return 1


@Retry
def push():
    return 1


def main(application: Application):
    for _ in range(4):
        threading.Thread(target=application.get).start()
        threading.Thread(target=push).start()
