import threading


class Busy:
    def __init__(self):
        self.count = 0

    def __enter__(self):
        self.count += 1  # RH
        return self

    def __exit__(self, *error):
        self.count -= 1  # RH


class Proxy:
    def __init__(self):
        self.busy = Busy()

    def handle(self, request):
        with self.busy:
            return request.upper()


proxy = Proxy()


def main(requests):
    for request in requests:
        threading.Thread(target=proxy.handle, args=(request,)).start()
