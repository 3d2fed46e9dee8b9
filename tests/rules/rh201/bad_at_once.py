import threading

table = threading.Lock()
log = threading.Lock()


class Engine:
    def __init__(self):
        self._state = threading.Lock()
        self._io = threading.Lock()
        self.pending = []

    def run(self):
        while True:
            with self._io:
                with self._state:  # RH
                    self.pending.clear()

    def submit(self, job):
        with self._state:
            self.pending.append(job)
            with self._io:
                print("full")


class Pair:
    def __init__(self):
        self.left = threading.Lock()
        self.right = threading.Lock()

    def forward(self):
        with self.left:
            with self.right:  # RH
                pass

    def backward(self):
        with self.right, self.left:
            pass


first = threading.Lock()
second = threading.Lock()


def one():
    with first:
        with second:  # RH
            pass


def two():
    with second, first:
        pass


def main():
    slow = threading.Thread(target=one)
    slow.start()
    quick = threading.Thread(target=two)
    quick.start()
    quick.join()
    slow.join()


def load():
    with table:
        with log:  # RH
            pass


def report():
    with log, table:
        pass


def run():
    threads = [threading.Thread(target=load), threading.Thread(target=report)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    pair = Pair()
    other = threading.Thread(target=pair.forward)
    other.start()
    pair.backward()
    other.join()
    run()
    main()
