from concurrent.futures import ThreadPoolExecutor

_services = {}


def service(name, factory):
    if name not in _services:  # RH
        _services[name] = factory()
    return _services[name]


def start(names, make_service):
    with ThreadPoolExecutor() as pool:
        for name in names:
            pool.submit(service, name, make_service).add_done_callback(print)
