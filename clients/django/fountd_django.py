# Copyright 2026 The fount Authors. All rights reserved.
# Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

"""Django's passwords, hashed and verified by fountd: README.md has the settings, fountd.py where fountd is.

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

principal = contextvars.ContextVar("principal", default="")  # where the request comes from
upgrade = contextvars.ContextVar("upgrade", default=(None, None))  # a password, and what to store


def ask(what, password, **secret):
    try:
        # Trackers of errors hide variables that are called password or secret.
        return fountd.ask(what, password, principal.get(), **secret)
    except fountd.InvalidPassword as e:
        # Where somebody signs in, Django takes this for a wrong password, as it must for all users.
        raise PermissionDenied(*e.args) from None


class Verifies:
    def verify(self, password, secret):
        # A second call, for the new hash, could be refused, and the user be out who was in. So one
        # call brings both, and encode, which Django calls next, returns it. Without a new hash, in an
        # overload or if other passwords match too, that is the old one.
        # fountd replaces Django's own forms, and keeps an argon2id that is not one.
        answer = ask("verify", password, hash=secret.removeprefix("argon2"), upgrade=True)
        if "hash" in answer:
            secret = "argon2" + answer["hash"]
        changes = "hash" in answer or self.algorithm != FountdPasswordHasher.algorithm
        upgrade.set((password, secret) if answer["match"] and changes else (None, None))
        return answer["match"]


class Later:
    """Whether a new hash is to be stored: Django asks before verify, and looks after it."""

    def __bool__(self):
        return upgrade.get() != (None, None)


class FountdPasswordHasher(Verifies, hashers.BasePasswordHasher):
    """Makes the new hashes, in Django's own form of argon2id."""

    algorithm = "argon2"

    def encode(self, password, salt):  # fountd draws the salt
        matched, secret = upgrade.get()
        upgrade.set((None, None))
        if password == matched:
            return secret

        # Django hashes an empty password of a user whom it does not know. An empty one matches nothing.
        return "argon2" + ask("hash", password or hashers.get_random_string(22))["hash"]

    def must_update(self, secret):
        upgrade.set((None, None))
        return Later()

    def safe_summary(self, secret):
        algorithm, *_, costs, salt, sum = secret.split("$")[1:]
        return {"algorithm": algorithm, "costs": costs, "salt": hashers.mask_hash(salt), "hash": hashers.mask_hash(sum)}


class FountdWrappedPasswordHasher(Verifies, hashers.BasePasswordHasher):
    """Verifies what fount password wrap has made."""

    algorithm = "fount_wrap"

    def safe_summary(self, secret):
        return {"algorithm": self.algorithm}


class FountdPBKDF2PasswordHasher(Verifies, hashers.PBKDF2PasswordHasher):
    pass


class FountdPBKDF2SHA1PasswordHasher(Verifies, hashers.PBKDF2SHA1PasswordHasher):
    pass


class FountdBCryptSHA256PasswordHasher(Verifies, hashers.BCryptSHA256PasswordHasher):
    pass


class FountdBCryptPasswordHasher(Verifies, hashers.BCryptPasswordHasher):
    pass


class FountdScryptPasswordHasher(Verifies, hashers.ScryptPasswordHasher):
    pass


class FountdMD5PasswordHasher(Verifies, hashers.MD5PasswordHasher):
    pass


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
        principal.set(request.META.get("REMOTE_ADDR", ""))
        upgrade.set((None, None))  # a thread's last request may have left one

    def process_exception(self, request, exception):
        if isinstance(exception, fountd.Unavailable):
            logging.getLogger(__name__).error("%s", exception)
            headers = {"Retry-After": str(exception.retry_after)}
            return HttpResponse("Please try again soon.", "text/plain", 503, headers=headers)
