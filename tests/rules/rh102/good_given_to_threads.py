import threading


def store(results, number):
    results[number] = number * 2


def collect(found, number):
    found.append(number)


def of_its_own(counts):
    counts["all"] = counts.get("all", 0) + 1


def guarded(counts, lock):
    with lock:
        counts["all"] = counts.get("all", 0) + 1


def main():
    results, found, counts = {}, [], {}
    lock = threading.Lock()
    for number in range(4):
        own = {}
        threading.Thread(target=store, args=(results, number)).start()
        threading.Thread(target=collect, args=(found, number)).start()
        threading.Thread(target=of_its_own, args=(own,)).start()
        threading.Thread(target=guarded, args=(counts, lock)).start()


def once_in_common():
    counts = {}
    threading.Thread(target=of_its_own, args=(counts,)).start()


class Tally:
    def __init__(self):
        self.marks = 0


def mark(tally: Tally):
    tally.marks += 1


def once_with_another():
    tally = Tally()
    threading.Thread(target=mark, args=(tally,)).start()


def each_with_its_own():
    for _ in range(4):
        tally = Tally()
        threading.Thread(target=mark, args=(tally,)).start()
