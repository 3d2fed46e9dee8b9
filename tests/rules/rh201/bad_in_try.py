import threading

users = threading.Lock()
mails = threading.Lock()


def rename(user, name):
    users.acquire()
    try:
        mails.acquire()  # RH
        try:
            user.name = name
        finally:
            mails.release()
    finally:
        users.release()


def deliver(mail):
    with mails, users:
        mail.to.inbox.append(mail)
