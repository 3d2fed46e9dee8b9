class Retry:
    def __init__(self, times):
        self.times = times
        self.used = False

    def __call__(self, function):
        def wrapper(*args):
            self.used = True
            attempt = 0
            while attempt < self.times:
                attempt += 1
                try:
                    return function(*args)
                except OSError:
                    continue
            raise TimeoutError(self.used)

        return wrapper
