# Copyright 2026 The fount Authors. All rights reserved.
# Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

"""Django's passwords, hashed and verified by fountd. Put this file beside manage.py; in the settings:

    PASSWORD_HASHERS = [
        "fountd_django.FountdPasswordHasher",        # makes new hashes: Django's own form of argon2id
        "fountd_django.FountdPBKDF2PasswordHasher",  # verifies the old ones
    ]
    MIDDLEWARE = [..., "fountd_django.FountdMiddleware"]  # answers 503 where fountd can't
    AUTH_PASSWORD_VALIDATORS = [..., {"NAME": "fountd_django.MaximumLengthValidator"}]

fountd is at /run/fountd/fountd.sock, or where the settings say:

    FOUNTD = {"LOCATION": "http://haproxy:8080"}  # for a service in deploy/compose/compose.yaml
    FOUNTD = {
        "LOCATION": ["https://hash-1:8443", "https://hash-2:8443"],  # in any order, until one can answer
        "CA": "/etc/web/ca.pem",
        "CERTIFICATE": "/etc/web/client.pem",  # with its key, or that is in KEY
    }

Your tests need no fountd:

    if "test" in sys.argv:
        PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

and have one that is away by mock.patch("fountd_django.ask", side_effect=fountd_django.Unavailable("away")).

A store with other hashes needs their hashers too: Django's own, or such as the second one. Of two for
one algorithm Django verifies by the last, so leave its own for these out. fountd's policy must be an
argon2id, as it is by default.
"""

import base64
import contextlib
import contextvars
import http.client
import json
import logging
import random
import re
import socket
import ssl
import urllib.parse

from django.conf import settings
from django.contrib.auth.hashers import BasePasswordHasher, PBKDF2PasswordHasher, mask_hash
from django.core.exceptions import ImproperlyConfigured, PermissionDenied, ValidationError
from django.http import HttpResponse
from django.utils.deprecation import MiddlewareMixin

LONGEST = 1024  # bytes of a password

principal = contextvars.ContextVar("principal", default="")  # where the request comes from
upgrade = contextvars.ContextVar("upgrade", default=(None, None))  # a password, and what to store


class Unavailable(Exception):
    """fountd gave no answer: the password is neither right nor wrong."""

    def __init__(self, why, retry_after="1"):
        super().__init__(why)
        self.retry_after = retry_after  # seconds


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path, timeout):
        super().__init__("fountd", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def connection(location, CA=None, CERTIFICATE=None, KEY=None):
    url, timeout = urllib.parse.urlsplit(location), 2  # seconds; fountd has one
    if url.scheme == "https":
        context = ssl.create_default_context(cafile=CA)
        if CERTIFICATE:
            context.load_cert_chain(CERTIFICATE, KEY)
        return http.client.HTTPSConnection(url.netloc, timeout=timeout, context=context)
    if url.scheme == "http":
        return http.client.HTTPConnection(url.netloc, timeout=timeout)
    if location.startswith("/"):
        return UnixConnection(location, timeout)
    raise ImproperlyConfigured(f"FOUNTD has the LOCATION {location!r}; want a path, or http:// or https://")


def ask(path, password, **request):
    secret = password.encode() if isinstance(password, str) else password
    if not 1 <= len(secret) <= LONGEST:
        # Where somebody signs in, Django takes this for a wrong password, as it must for all users.
        raise PermissionDenied(f"a password has 1 to {LONGEST} bytes")
    request |= {
        "password_b64": base64.b64encode(secret).decode(), "principal": principal.get(), "deadline_ms": 1000}
    options = {"LOCATION": "/run/fountd/fountd.sock"} | getattr(settings, "FOUNTD", {})
    locations = options.pop("LOCATION")
    if isinstance(locations, str):
        locations = [locations]
    *others, last = random.sample(locations, len(locations))
    for location in others:
        with contextlib.suppress(Unavailable):
            return post(connection(location, **options), path, request)
    return post(connection(last, **options), path, request)


def post(server, path, request):
    try:
        server.request("POST", path, json.dumps(request), {"Content-Type": "application/json"})
        reply = server.getresponse()
        if reply.status == 200:
            return json.load(reply)
        # No reply is the user's mistake, so any other is for the log: not a text of others, who
        # may answer at this address and repeat the password.
        problem = reply.read() if reply.getheader("Content-Type") == "application/problem+json" else ""
        raise Unavailable(f"fountd: {reply.status} {problem}", reply.getheader("Retry-After", "1"))
    except (OSError, ValueError, http.client.HTTPException) as e:
        raise Unavailable(f"fountd: {e!r}") from e
    finally:
        server.close()


def work(argon2):
    """Return KiB times passes."""
    memory, passes = re.search(r"m=(\d+),t=(\d+)", argon2).groups()
    return int(memory) * int(passes)


class Verifies:
    def verify(self, password, encoded):
        # A second call, for the new hash, could be refused, and the user be out who was in. So one
        # call brings both; encode is next. In an overload there is no new hash, and the old stays.
        outdated = self.algorithm != "argon2" or self.must_update(encoded)
        answer = ask("/v1/verify", password, hash=encoded, upgrade=outdated)
        if outdated and answer["needs_rehash"]:
            upgrade.set((password, "argon2" + answer["hash"] if "hash" in answer else encoded))
        return answer["match"] is True

    def harden_runtime(self, password, encoded):
        pass


class FountdPasswordHasher(Verifies, BasePasswordHasher):
    algorithm = "argon2"
    policy = 0  # work of the last new hash

    def encode(self, password, salt):  # fountd draws the salt
        matched, stored = upgrade.get()
        upgrade.set((None, None))
        if password == matched:
            return stored
        hash = ask("/v1/hash", password)["hash"]
        self.policy = work(hash)
        return "argon2" + hash

    def must_update(self, encoded):
        return work(encoded) < self.policy

    def safe_summary(self, encoded):
        algorithm, *_, costs, salt, sum = encoded.split("$")[1:]
        return {"algorithm": algorithm, "costs": costs, "salt": mask_hash(salt), "hash": mask_hash(sum)}


class FountdPBKDF2PasswordHasher(Verifies, PBKDF2PasswordHasher):
    pass


class MaximumLengthValidator:
    def validate(self, password, user=None):
        if len(password.encode()) > LONGEST:
            raise ValidationError(self.get_help_text())

    def get_help_text(self):
        return f"Your password must have at most {LONGEST} bytes."


class FountdMiddleware(MiddlewareMixin):
    def process_request(self, request):
        principal.set(request.META.get("REMOTE_ADDR", ""))
        upgrade.set((None, None))  # a thread's last request may have left one

    def process_exception(self, request, exception):
        if isinstance(exception, Unavailable):
            logging.getLogger(__name__).error("%s", exception)
            headers = {"Retry-After": exception.retry_after}
            return HttpResponse("Please try again soon.", "text/plain", 503, headers=headers)
