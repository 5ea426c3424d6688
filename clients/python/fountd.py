# Copyright 2026 The fount Authors. All rights reserved.
# Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

"""Passwords by fountd, with httpx. Copy this file into your service:

    match, new = fountd.verify(given, stored, address)  # store new, unless None
    stored = fountd.hash(given, address)

The address is where the attempt comes from. For an unknown user, stored is "".
"""

import base64
import os

import httpx

# Over TCP: httpx.Client(base_url="https://hash.internal:8443", verify=an_ssl_context, timeout=5, trust_env=False)
client = httpx.Client(
    transport=httpx.HTTPTransport(uds=os.environ.get("FOUNTD_SOCKET", "/run/fountd/fountd.sock")),
    base_url="http://fountd", timeout=5)


class Unavailable(Exception):
    """The password is neither right nor wrong: answer 503 with Retry-After."""

    def __init__(self, why, retry_after="1"):
        super().__init__(why)
        self.retry_after = retry_after  # seconds


class InvalidPassword(ValueError):
    """The password is too long, or a new one is empty: tell the user."""


def verify(password, stored, address):
    """Return whether the password matches, and the hash to store, or None."""
    answer = ask("verify", password, address, hash=stored, upgrade=True)
    return answer["match"] is True, answer.get("hash")


def hash(password, address):
    return ask("hash", password, address)["hash"]


def ask(what, password, address, **request):
    secret = base64.b64encode(password.encode(errors="surrogatepass")).decode()
    request |= {"password_b64": secret, "principal": address, "deadline_ms": 1000}
    try:
        reply = client.post(f"/v1/{what}", json=request)
    except httpx.TransportError as e:
        raise Unavailable(f"fountd: {e!r}") from e
    if reply.status_code == 200:
        return reply.json()
    # Others that answer at this address may repeat the password, and say nothing of it.
    problem = reply.json() if reply.headers.get("Content-Type") == "application/problem+json" else {}
    why = f"fountd: {reply.status_code} {problem.get('detail', '')}"
    if reply.status_code in (429, 502, 503, 504):
        raise Unavailable(why, reply.headers.get("Retry-After", "1"))
    if problem.get("reason") in ("too_large", "too_long", "empty", "nul"):
        raise InvalidPassword(problem["detail"])
    raise RuntimeError(why)  # a defect
