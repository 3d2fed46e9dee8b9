import functools
import threading


def counted(function):
    @functools.wraps(function)
    def wrapper(*args):
        wrapper.calls += 1  # RH
        return function(*args)

    wrapper.calls = 0
    return wrapper


@counted
def resolve(host):
    resolve.asked = resolve.asked + 1  # RH
    return host.lower()


resolve.asked = 0


def once(host):
    once.calls += 1


once.calls = 0


def main(hosts):
    for host in hosts:
        threading.Thread(target=resolve, args=(host,)).start()
    once(hosts)
