# Copyright 2026 The fount Authors. All rights reserved.
# Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

"""Django's passwords, hashed and verified by fountd: README.md has the settings.

fountd.py says how it finds fountd.

Have fountd away in a test by mock.patch("fountd.ask", side_effect=fountd.Unavailable("away")) and
override_settings(PASSWORD_HASHERS=fountd_django.PASSWORD_HASHERS).
"""

import contextvars
import logging

import fountd
from django.apps import AppConfig
from django.contrib.auth import get_user_model, hashers
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.validators import MaxLengthValidator
from django.http import HttpResponse
from django.utils.deprecation import MiddlewareMixin

MAX_PASSWORD = 1024  # bytes
MAX_HASH = 640  # characters, of a wrapped hash
origin = contextvars.ContextVar("origin", default={})  # of the request: its META


def ask(what, password, **secret):  # trackers of errors hide variables that are called password or secret
    return fountd.ask(what, password, origin.get().get("REMOTE_ADDR", ""), **secret)


class Upgrade:
    """Whether Django is to store a new hash: it asks before verify, and looks here after it."""

    def __init__(self, secret=None):
        self.stored = secret
        self.password = self.new = None

    def __bool__(self):
        # Django looks if it has a setter, which is next: encode gives it what verify has brought.
        if self.new:
            upgrade.set(self)
        return bool(self.new)


upgrade = contextvars.ContextVar("upgrade", default=Upgrade())  # of the check that runs


class Algorithm(str):
    """Not another than fountd's others: or Django would store what fountd keeps, and not ask."""

    def __ne__(self, other):
        return not isinstance(other, Algorithm) and super().__ne__(other)


class Verifies(hashers.BasePasswordHasher):
    def __init_subclass__(cls):
        cls.algorithm = Algorithm(cls.algorithm)

    def must_update(self, secret):
        upgrade.set(Upgrade(secret))
        return upgrade.get()

    def verify(self, password, secret):
        # A second call, for the new hash, could be refused, and the user be out who was in: one brings
        # both. There is none in an overload, or if other passwords match too.
        asked = upgrade.get()
        upgrade.set(Upgrade())
        try:
            # fountd replaces Django's own forms, and keeps an argon2id that is not one.
            answer = ask("verify", password, hash=secret.removeprefix("argon2"), renew=True)
        except fountd.InvalidPassword:
            return False  # here, but the next backend may know it

        if answer["match"] and "hash" in answer and asked.stored == secret:
            asked.password = password
            asked.new = "argon2" + answer["hash"]
        return answer["match"]

    def safe_summary(self, secret):
        return {"algorithm": self.algorithm}


class FountdPasswordHasher(Verifies):
    """Makes the new hashes, in Django's own form of argon2id."""

    algorithm = "argon2"

    def encode(self, password, salt):  # fountd draws the salt
        asked = upgrade.get()
        upgrade.set(Upgrade())
        if asked.new and password == asked.password:
            return asked.new

        # Django hashes an empty password of a user whom it does not know. An empty one matches nothing.
        password = password or hashers.get_random_string(22)
        try:
            return "argon2" + ask("hash", password)["hash"]
        except fountd.InvalidPassword as e:
            # Where somebody signs in, Django takes this for a wrong password.
            raise PermissionDenied(*e.args) from None


class FountdWrappedPasswordHasher(Verifies):
    """Verifies what fount password wrap has made."""

    algorithm = "fount_wrap"


class FountdPBKDF2PasswordHasher(Verifies):
    algorithm = "pbkdf2_sha256"


class FountdPBKDF2SHA1PasswordHasher(Verifies):
    algorithm = "pbkdf2_sha1"


class FountdBCryptSHA256PasswordHasher(Verifies):
    algorithm = "bcrypt_sha256"


class FountdBCryptPasswordHasher(Verifies):
    algorithm = "bcrypt"


class FountdScryptPasswordHasher(Verifies):
    algorithm = "scrypt"


class FountdMD5PasswordHasher(Verifies):
    algorithm = "md5"


class FountdUnsaltedMD5PasswordHasher(Verifies):
    algorithm = "unsalted_md5"


class FountdSHA1PasswordHasher(Verifies):
    algorithm = "sha1"


class FountdUnsaltedSHA1PasswordHasher(Verifies):
    algorithm = "unsalted_sha1"


# The first makes new hashes, the others verify old ones.
PASSWORD_HASHERS = [f"{__name__}.{hasher.__name__}" for hasher in Verifies.__subclasses__()]


class FountdConfig(AppConfig):
    """An app: users may have wrapped hashes, which are longer than Django's 128 characters."""

    name = __name__

    def ready(self):
        field = get_user_model()._meta.get_field("password")
        field.max_length = MAX_HASH
        field.validators = [MaxLengthValidator(MAX_HASH)]


class LengthValidator:
    def validate(self, password, user=None):
        if not 1 <= len(password.encode(errors="surrogatepass")) <= MAX_PASSWORD:
            raise ValidationError(self.get_help_text())

    def get_help_text(self):
        return f"Your password must have 1 to {MAX_PASSWORD} bytes."


class FountdMiddleware(MiddlewareMixin):
    """Answers 503 where fountd can't."""

    def process_request(self, request):
        origin.set(request.META)  # in which another middleware may set the address

    def process_response(self, request, response):
        origin.set({})  # the thread's next call may be before the next request is here
        upgrade.set(Upgrade())
        return response

    def process_exception(self, request, exception):
        if isinstance(exception, fountd.Unavailable):
            logging.getLogger(__name__).error("%s", exception)
            headers = {"Retry-After": str(exception.retry_after)}
            return HttpResponse("Please try again soon.", "text/plain", 503, headers=headers)
