# Copyright 2026 The fount Authors. All rights reserved.
# Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

"""Django's passwords, hashed and verified by fountd. Put this file beside manage.py; in the settings:

    PASSWORD_HASHERS = [
        "fountd_django.FountdPasswordHasher",        # makes new hashes: Django's own form of argon2id
        "fountd_django.FountdPBKDF2PasswordHasher",  # verifies the old ones
    ]
    MIDDLEWARE = [..., "fountd_django.FountdMiddleware"]  # answers 503 where fountd can't

A store with other hashes needs their hashers too: Django's own, or such as the second one. Of two for
one algorithm Django verifies by the last, so leave its own for these out. fountd's policy must be an
argon2id, as it is by default.
"""

import base64
import contextvars
import http.client
import json
import logging
import re
import socket

from django.contrib.auth.hashers import BasePasswordHasher, PBKDF2PasswordHasher, mask_hash
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.utils.deprecation import MiddlewareMixin

SOCKET = "/run/fountd/fountd.sock"

principal = contextvars.ContextVar("principal", default="")  # where the request comes from
upgrade = contextvars.ContextVar("upgrade", default=(None, None))  # a password, and what to store


class Unavailable(Exception):
    """fountd gave no answer: the password is neither right nor wrong."""

    def __init__(self, why, seconds=1):
        super().__init__(why)
        self.seconds = seconds


class Connection(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(SOCKET)


def ask(path, password, **request):
    secret = password.encode() if isinstance(password, str) else password
    if not 1 <= len(secret) <= 1024:
        # Where somebody signs in, Django takes this for a wrong password, as it must for all users.
        raise PermissionDenied("a password has 1 to 1,024 bytes")
    request |= {
        "password_b64": base64.b64encode(secret).decode(), "principal": principal.get(), "deadline_ms": 1000}
    connection = Connection("fountd", timeout=5)
    try:
        connection.request("POST", path, json.dumps(request), {"Content-Type": "application/json"})
        reply = connection.getresponse()
        answer = json.load(reply)
    except (OSError, ValueError, http.client.HTTPException) as e:
        raise Unavailable(f"fountd: {e!r}") from e
    finally:
        connection.close()
    if reply.status != 200:
        raise Unavailable(f"fountd: {reply.status} {answer}", reply.getheader("Retry-After", 1))
    return answer


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
        return answer["match"]

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


class FountdMiddleware(MiddlewareMixin):
    def process_request(self, request):
        principal.set(request.META.get("REMOTE_ADDR", ""))
        upgrade.set((None, None))  # a thread's last request may have left one

    def process_exception(self, request, exception):
        if isinstance(exception, Unavailable):
            logging.getLogger(__name__).error("%s", exception)
            return HttpResponse("Please try again soon.", "text/plain", 503, headers={"Retry-After": exception.seconds})
