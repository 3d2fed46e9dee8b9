import threading

COUNT = 0


def count():
    global COUNT
    COUNT += 1


def one_after_the_other():
    thread = threading.Thread(target=count)
    thread.start()
    thread.join()
    thread = threading.Thread(target=count)
    thread.start()
    thread.join()


def either(quietly):
    if quietly:
        threading.Thread(target=count, daemon=True).start()
    else:
        threading.Thread(target=count).start()


class Meter:
    def __init__(self):
        self.calls = 0

    def call(self):
        self.calls += 1


def an_object_for_each():
    first = Meter()
    second = Meter()
    threading.Thread(target=first.call).start()
    threading.Thread(target=second.call).start()


class Tally:
    def __init__(self):
        self.marks = 0


def mark(tally: Tally):
    tally.marks += 1


def an_argument_for_each():
    first = Tally()
    second = Tally()
    threading.Thread(target=mark, args=(first,)).start()
    threading.Thread(target=mark, args=(second,)).start()
