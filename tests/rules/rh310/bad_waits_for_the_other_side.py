import smtplib
import subprocess

import requests


class Mailer:
    def __init__(self, host):
        self.host = host
        self.session = requests.Session()

    def _connect(self):
        return smtplib.SMTP(self.host, 587)

    def send(self, text):
        self._connect().sendmail("a", "b", text)

    async def deliver(self, text):
        self.send(text)  # RH

    async def fetch(self, url):
        return self.session.get(url)  # RH

    async def ask(self):
        return input("go on? ")  # RH

    async def run(self, command):
        process = subprocess.Popen(command)
        return process.communicate()  # RH

    async def fine(self):
        return smtplib.SMTP()
