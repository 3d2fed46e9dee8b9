import threading

width = 200


class Console:
    def __init__(self):
        self.width = 200


console = Console()


def configure():
    global width
    width = min(width, 120)
    console.width = min(console.width, 120)


def main():
    for _ in range(3):
        threading.Thread(target=configure).start()
