import threading

accounts = threading.Lock()
journal = threading.Lock()


def book(entry):
    with accounts:
        with journal:  # RH
            write(entry)


def audit():
    with journal:
        with accounts:  # RH
            return read()


threading.Thread(target=book, args=(1,)).start()
threading.Thread(target=audit).start()
