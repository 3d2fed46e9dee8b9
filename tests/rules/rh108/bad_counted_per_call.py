class Retry:
    def __init__(self, times):
        self.times = times
        self.attempt = 0

    def __call__(self, function):
        def wrapper(*args):
            self.attempt = 0  # RH
            while self.attempt < self.times:
                self.attempt += 1
                try:
                    return function(*args)
                except OSError:
                    continue
            raise TimeoutError

        return wrapper
