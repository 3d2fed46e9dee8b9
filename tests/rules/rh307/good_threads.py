import threading
from concurrent.futures import ThreadPoolExecutor

LOCK = threading.Lock()
POOL = ThreadPoolExecutor()


def joined(rows, path):
    with open(path, "w") as output:
        thread = threading.Thread(target=write_rows, args=(rows, output))
        thread.start()
        thread.join()


def pooled(rows, path):
    with open(path, "w") as output, ThreadPoolExecutor() as pool:
        pool.submit(write_rows, rows, output)


def asked(rows, path):
    with open(path, "w") as output:
        POOL.submit(write_rows, rows, output).result()


def made(rows, path):
    with open(path) as output:
        count = len(output.readlines())
        threading.Thread(target=write_rows, args=(rows, count)).start()


def locked(rows):
    with LOCK:
        threading.Thread(target=write_rows, args=(rows, LOCK)).start()


def not_started(rows, path, threads):
    with open(path) as output:
        threads.append(threading.Thread(target=write_rows, args=(rows, output)))


def write_rows(rows, output):
    for row in rows:
        output.write(row)
