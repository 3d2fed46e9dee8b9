import threading

table = threading.Lock()
log = threading.Lock()


class Pair:
    def __init__(self):
        self.left = threading.Lock()
        self.right = threading.Lock()

    def forward(self):
        with self.left, self.right:
            pass

    def backward(self):
        with self.right, self.left:
            pass


def load():
    with table, log:
        pass


def report():
    with log, table:
        pass


def main():
    loader = threading.Thread(target=load)
    loader.start()
    loader.join()
    reporter = threading.Thread(target=report)
    reporter.start()
    print("reporting")
    reporter.join()


if __name__ == "__main__":
    pair = Pair()
    pair.forward()
    pair.backward()
    main()
