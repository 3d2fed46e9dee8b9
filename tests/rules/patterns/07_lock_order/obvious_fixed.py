import threading

accounts = threading.Lock()
journal = threading.Lock()


def book(entry):
    with accounts:
        with journal:
            write(entry)


def audit():
    with accounts:
        with journal:
            return read()


threading.Thread(target=book, args=(1,)).start()
threading.Thread(target=audit).start()
