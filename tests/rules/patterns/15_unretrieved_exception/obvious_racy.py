from concurrent.futures import ThreadPoolExecutor

pool = ThreadPoolExecutor()


def convert(file):
    write(read(file))


def on_upload(file):
    pool.submit(convert, file)  # RH
