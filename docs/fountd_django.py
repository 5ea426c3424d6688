# Copyright 2026 The fount Authors. All rights reserved.
# Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

"""Django's passwords, hashed and verified by fountd. Put this file beside manage.py; in the settings:

    PASSWORD_HASHERS = [
        "fountd_django.FountdPasswordHasher",        # makes new hashes: Django's own form of argon2id
        "fountd_django.FountdPBKDF2PasswordHasher",  # verifies the old ones
    ]
    MIDDLEWARE = [..., "fountd_django.FountdMiddleware"]  # answers 503 where fountd can't

A store with other hashes needs their hashers too: Django's own, or such as the second one. fountd's
policy must be an argon2id, as it is by default.
"""

import base64
import contextvars
import http.client
import json
import logging
import re
import socket

from django.contrib.auth.hashers import BasePasswordHasher, PBKDF2PasswordHasher, mask_hash
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.utils.deprecation import MiddlewareMixin

SOCKET = "/run/fountd/fountd.sock"

principal = contextvars.ContextVar("principal", default="")  # where the request comes from


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


def ask(method, path, request=None):
    connection = Connection("fountd", timeout=5)
    try:
        connection.request(method, path, request and json.dumps(request), {"Content-Type": "application/json"})
        reply = connection.getresponse()
        answer = json.load(reply)
    except (OSError, ValueError, http.client.HTTPException) as e:
        raise Unavailable(f"fountd: {e!r}") from e
    finally:
        connection.close()
    if reply.status == 200:
        return answer
    if answer["reason"] == "too_long":
        raise BadRequest("the password is too long")
    raise Unavailable(f"fountd: {reply.status} {answer['reason']}: {answer['detail']}", reply.getheader("Retry-After", 1))


def ask_with(password, path, **request):
    if not password:
        raise BadRequest("the password is empty")
    secret = password.encode() if isinstance(password, str) else password
    return ask("POST", path, request | {
        "password_b64": base64.b64encode(secret).decode(), "principal": principal.get(), "deadline_ms": 1000})


def work(argon2):
    """Return KiB times passes, of a hash or of a policy."""
    memory, passes = re.search(r"m=(\d+),t=(\d+)", argon2).groups()
    return int(memory) * int(passes)


class Verifies:
    def verify(self, password, encoded):
        return ask_with(password, "/v1/verify", hash=encoded)["match"]

    def harden_runtime(self, password, encoded):
        pass


class FountdPasswordHasher(Verifies, BasePasswordHasher):
    algorithm = "argon2"

    def encode(self, password, salt):  # fountd draws the salt
        return "argon2" + ask_with(password, "/v1/hash")["hash"]

    def must_update(self, encoded):
        return work(encoded) < work(ask("GET", "/v1/policy")["policy"])

    def safe_summary(self, encoded):
        algorithm, _, costs, salt, sum = encoded.split("$")[1:]
        return {"algorithm": algorithm, "costs": costs, "salt": mask_hash(salt), "hash": mask_hash(sum)}


class FountdPBKDF2PasswordHasher(Verifies, PBKDF2PasswordHasher):
    pass


class FountdMiddleware(MiddlewareMixin):
    def process_request(self, request):
        principal.set(request.META.get("REMOTE_ADDR", ""))

    def process_exception(self, request, exception):
        if isinstance(exception, Unavailable):
            logging.getLogger(__name__).error("%s", exception)
            return HttpResponse("Please try again soon.", "text/plain", 503, headers={"Retry-After": exception.seconds})
