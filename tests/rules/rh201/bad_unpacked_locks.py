from threading import Lock, Thread

red, blue = Lock(), Lock()


def one():
    with red:
        with blue:  # RH
            print("one")


def other():
    with blue, red:
        print("other")


Thread(target=one).start()
Thread(target=other).start()
