import threading

hits = 0


def handle():
    global hits
    hits += 1  # RH


def serve():
    workers = [threading.Thread(target=handle) for _ in range(8)]
    for worker in workers:
        worker.start()
