import threading

from locks import registry, registry_lock

own_lock = threading.Lock()
own = {}


def add(name):
    with registry_lock:
        registry[name] = 1
    with own_lock:
        own[name] = 1


def drop(name):
    guard, mine = registry_lock, own_lock
    held = own_lock
    with held:
        own.pop(name, None)


def clear(name):
    guard = registry_lock
    with guard:
        registry.pop(name, None)


def start(names):
    for name in names:
        threading.Thread(target=add, args=(name,)).start()
        threading.Thread(target=drop, args=(name,)).start()
