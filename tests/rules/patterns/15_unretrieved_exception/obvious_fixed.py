from concurrent.futures import ThreadPoolExecutor

pool = ThreadPoolExecutor()


def convert(file):
    write(read(file))


def on_upload(file):
    return pool.submit(convert, file)
