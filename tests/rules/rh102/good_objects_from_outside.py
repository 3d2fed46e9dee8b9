import threading


class Tally:
    def __init__(self):
        self.lock = threading.Lock()
        self.marks = 0

    def mark(self):
        with self.lock:
            self.marks += 1


def under_its_lock(tally: Tally):
    with tally.lock:
        tally.marks += 1


def its_own():
    tally = Tally()
    tally.marks += 1
    return tally


def of_each_run(request):
    tally = Tally()

    def step():
        tally.marks += 1

    step()
    return request


class Item:
    def __init__(self):
        self.seen = 0


def look(item: Item):
    item.seen += 1


def main(items: list[Item]):
    tally = Tally()
    for item in items:
        threading.Thread(target=under_its_lock, args=(tally,)).start()
        threading.Thread(target=its_own).start()
        threading.Thread(target=of_each_run, args=(item,)).start()
        threading.Thread(target=look, args=(item,)).start()
