HANDLERS = {}
SEEN = set()


def unregister(name):
    HANDLERS.pop(name, None)


def forget(name):
    SEEN.discard(name)


def dispatch(event):
    for name, handler in HANDLERS.items():
        if handler(event) is False:
            unregister(name)  # RH


def clean():
    for name in SEEN:
        forget(name)  # RH


def clean_a_copy():
    for name in list(SEEN):
        forget(name)


def first(event):
    for name, handler in HANDLERS.items():
        if handler(event):
            unregister(name)
            break
