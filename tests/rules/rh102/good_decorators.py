import threading


def guarded(function):
    lock = threading.Lock()
    count = 0

    def inner(*arguments):
        nonlocal count
        with lock:
            count += 1
        return function(*arguments)

    return inner


def of_one_thread(function):
    count = 0

    def inner():
        nonlocal count
        count += 1
        return function()

    return inner


@guarded
def get():
    return 1


@of_one_thread
def put():
    return 1


def main():
    for _ in range(4):
        threading.Thread(target=get).start()
    put()
