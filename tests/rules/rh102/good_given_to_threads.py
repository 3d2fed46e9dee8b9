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
