import ftplib
import smtplib
from threading import Timer


class Mailer:
    _smtp = None

    def __init__(self):
        self._mirror = None

    def smtp(self):
        if not self._smtp:  # RH
            self._smtp = smtplib.SMTP("localhost")
        return self._smtp

    def mirror(self):
        if self._mirror is None:  # RH
            self._mirror = ftplib.FTP_TLS("localhost")
        return self._mirror

    def send(self, to):
        self.smtp().sendmail("me@example.org", to, "hello")
        self.mirror().cwd(to)


mailer = Mailer()
for name in ("a@example.org", "b@example.org"):
    Timer(1.0, mailer.send, [name]).start()
