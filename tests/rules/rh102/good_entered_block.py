import threading


class Timer:
    def __init__(self):
        self.count = 0

    def __enter__(self):
        self.count += 1
        return self

    def __exit__(self, *error):
        self.count -= 1


def handle(request):
    with Timer():
        return request.upper()


def main(requests):
    for request in requests:
        threading.Thread(target=handle, args=(request,)).start()
