import threading


class Office:
    def __init__(self, seats):
        self.seats = seats
        self.sold = []
        self.lock = threading.Lock()
        self.waiting = []

    def sell(self, name):
        if len(self.sold) < self.seats:  # RH
            self.sold.append(name)
            return True
        return False

    def queue(self, name):
        with self.lock:
            if len(self.waiting) < self.seats:
                self.waiting.append(name)


def main(office: Office):
    for name in ("a", "b", "c"):
        threading.Thread(target=office.sell, args=(name,)).start()
        threading.Thread(target=office.queue, args=(name,)).start()
