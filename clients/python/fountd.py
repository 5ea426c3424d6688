# Copyright 2026 The fount Authors. All rights reserved.
# Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

"""Passwords by fountd. Copy this file into your service:

    match, new = fountd.verify(given, stored, address)  # store new, unless None
    stored = fountd.hash(given, address)

The address is where the attempt comes from. For an unknown user, stored is "" or None.

FOUNTD_URL says where fountd is: /run/fountd/fountd.sock if unset, another path, or http:// or
https://HOST:PORT, for which FOUNTD_CA, FOUNTD_CERT and FOUNTD_KEY name TLS's files. Give an
address: the system may take longer than 2 s to resolve a name.
"""

import base64
import http.client
import io
import json
import os
import re
import socket
import ssl
import time
import urllib.parse

TIMEOUT = 2  # seconds for a whole call, of which fountd has one
MAX_REPLY = 64 << 10  # bytes

INVALID = {
    "too_long": "The password is too long.",
    "too_large": "The password is too long.",
    "empty": "The password is empty.",
    "nul": "The password has a NUL character.",
}


class Unavailable(Exception):
    """The password is neither right nor wrong: answer 503 with Retry-After."""

    def __init__(self, why, retry_after=1):
        super().__init__(why)
        self.retry_after = retry_after  # seconds


class InvalidPassword(ValueError):
    """The password is too long, or a new one is empty: tell the user."""


def verify(password, secret, address):
    """Return whether the password matches the stored secret, and the hash to store, or None."""
    answer = ask("verify", password, address, hash=secret or "", renew=True)
    return answer["match"], answer.get("hash")


def hash(password, address):
    return ask("hash", password, address)["hash"]


def ask(what, password, address, **members):
    """Return the members of fountd's answer."""
    secret = password.encode(errors="surrogatepass") if isinstance(password, str) else password
    secret = members | {"password_b64": base64.b64encode(secret).decode(), "principal": address or ""}
    del members  # trackers of errors show variables, but for those with a name as secret
    deadline = time.monotonic() + TIMEOUT

    # A server that restarts ends connections unanswered: ask once more.
    for _ in range(2):
        reply = post(f"/v1/{what}", secret, deadline)
        if reply.bytes or time.monotonic() >= deadline:
            break

    if not reply.status:
        raise Unavailable(f"fountd: {reply.why}")
    if reply.status == 200:
        member, kind = ("match", bool) if what == "verify" else ("hash", str)
        typed = isinstance(reply.members.get(member), kind) and isinstance(reply.members.get("hash", ""), str)
        if reply.type == "application/json" and typed:
            return reply.members
        raise RuntimeError("fountd: an answer of another server")

    # Whoever else answers at this address may repeat the password: none of its words goes on.
    why = f"fountd: {reply.status}"
    if reply.status in (429, 502, 503, 504):
        raise Unavailable(why, reply.retry_after)
    words = INVALID.get(str(reply.members.get("reason")))
    if reply.status in (413, 422) and reply.type == "application/problem+json" and words:
        raise InvalidPassword(words)
    raise RuntimeError(why)  # a defect, of which fountd's log has more


def post(path, secret, deadline):
    """Return the reply, without a status if it is none."""
    location = os.environ.get("FOUNTD_URL", "/run/fountd/fountd.sock")
    url = urllib.parse.urlsplit(location)
    if url.scheme not in ("", "http", "https"):
        raise ValueError(f"fountd is at {location!r}; want a path, or http:// or https://")

    reply = Reply(deadline)
    try:
        with connect(url, deadline) as reply.server:
            reply.server.settimeout(left(deadline))
            milliseconds = max(1, min(1000, int(1000 * left(deadline))))
            secret = json.dumps(secret | {"deadline_ms": milliseconds}).encode()
            head = (f"POST {path} HTTP/1.1\r\nHost: {url.netloc or 'fountd'}\r\nConnection: close\r\n"
                    f"Content-Type: application/json\r\nContent-Length: {len(secret)}\r\n\r\n")
            reply.server.sendall(head.encode() + secret)
            reply.parse()
    except OSError as e:
        reply.why = str(e)
    except http.client.HTTPException as e:
        reply.why = type(e).__name__  # its text may be the password's echo
    return reply


def connect(url, deadline):
    """Return a connection of this call's own, as forked workers would share another."""
    addresses = [(socket.AF_UNIX, url.path)]
    if url.scheme:
        found = socket.getaddrinfo(url.hostname, url.port or url.scheme, type=socket.SOCK_STREAM)
        addresses = [(family, address) for family, *_, address in found]

    for n, (family, address) in enumerate(addresses, 1):
        server = socket.socket(family)
        try:
            server.settimeout(left(deadline))
            server.connect(address)
            break
        except OSError:
            server.close()
            if n == len(addresses):
                raise

    if url.scheme != "https":
        return server
    context = ssl.create_default_context(cafile=os.environ.get("FOUNTD_CA"))
    cert = os.environ.get("FOUNTD_CERT")
    if cert:
        context.load_cert_chain(cert, os.environ.get("FOUNTD_KEY"))
    server.settimeout(left(deadline))
    return context.wrap_socket(server, server_hostname=url.hostname)


def left(deadline):
    """Return the seconds until a deadline."""
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError(f"no answer in {TIMEOUT} s")
    return seconds


class Reply(io.RawIOBase):
    """What a connection brings before the deadline, of at most MAX_REPLY bytes."""

    def __init__(self, deadline):
        self.deadline = deadline
        self.bytes = self.status = 0
        self.why = ""

    def parse(self):
        reply = http.client.HTTPResponse(self, method="POST")
        reply.begin()
        body = reply.read()
        self.status = reply.status
        self.type = reply.headers.get_content_type()
        retry_after = reply.headers.get("Retry-After", "")
        self.retry_after = int(retry_after) if re.fullmatch("[1-9][0-9]{0,4}", retry_after) else 1
        try:
            members = json.loads(body)
        except (ValueError, RecursionError):
            members = None
        self.members = members if isinstance(members, dict) else {}

    def makefile(self, mode):
        return io.BufferedReader(self)

    def readable(self):
        return True

    def readinto(self, buffer):
        if self.bytes == MAX_REPLY:
            raise OSError(f"an answer of more than {MAX_REPLY} bytes")
        self.server.settimeout(left(self.deadline))
        n = self.server.recv_into(memoryview(buffer)[: MAX_REPLY - self.bytes])
        self.bytes += n
        return n
