import threading

hits = 0
guard = threading.Lock()


def handle():
    global hits
    with guard:
        hits += 1


def serve():
    workers = [threading.Thread(target=handle) for _ in range(8)]
    for worker in workers:
        worker.start()
