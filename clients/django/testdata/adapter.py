# Copyright 2026 The fount Authors. All rights reserved.
# Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

"""The adapter of Django for the suite of clients: each call is a request whose view calls authenticate."""

import base64
import json
import os
import platform
import sys
import threading
import time
import traceback

sys.path[:0] = [".", "../python"]
try:
    import django
    from django.conf import settings
except ImportError as e:
    print(e, file=sys.stderr)
    sys.exit(77)

settings.configure(
    ALLOWED_HOSTS=["*"],
    AUTH_PASSWORD_VALIDATORS=[{"NAME": "fountd_django.LengthValidator"}],
    DATABASES={},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes"],
    MIDDLEWARE=["fountd_django.FountdMiddleware", "__main__.tracker"],
    PASSWORD_HASHERS=__import__("fountd_django").PASSWORD_HASHERS,
    ROOT_URLCONF="__main__",
    SECRET_KEY="of this test",
)
django.setup()

from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.http import JsonResponse
from django.test import Client
from django.urls import path

local = threading.local()  # the call of a thread, and what a tracker of errors saw


def get_by_natural_key(name):  # of a table in which a user's name is the stored hash
    if not name:
        raise User.DoesNotExist
    return User(username="someone", password=name)


User._default_manager.get_by_natural_key = get_by_natural_key
User.save = lambda self, **_: None


def view(request):
    call = local.call
    if call["call"] == "hash":
        try:
            validate_password(call["password"])
        except ValidationError as e:
            return JsonResponse({"outcome": "invalid", "text": " ".join(e.messages)})
        user = User()
        user.set_password(call["password"])
        return JsonResponse({"outcome": "match", "hash": user.password.removeprefix("argon2")})
    stored = call.get("stored") or ""
    # Django's own forms have a name before the first $.
    named = {"$2": "bcrypt$", "$a": "argon2"}.get(stored[:2], "") + stored
    user = authenticate(request, username=named, password=call["password"])
    if user is None:
        return JsonResponse({"outcome": "mismatch"})
    return JsonResponse({"outcome": "match", "hash": user.password.removeprefix("argon2") if user.password != named else None})


def tracker(get_response):
    def middleware(request):
        return get_response(request)

    def process_exception(request, exception):
        local.seen = text(exception)

    middleware.process_exception = process_exception
    return middleware


urlpatterns = [path("", view)]


def text(exception):
    """Return what a tracker of errors would see."""
    seen = "".join(traceback.format_exception(exception))
    while exception:
        frame = exception.__traceback__
        while frame:
            if os.path.basename(frame.tb_frame.f_code.co_filename).startswith("fountd"):
                seen += "".join(f"{k} = {v!r}\n" for k, v in frame.tb_frame.f_locals.items() if k not in ("password", "secret"))
            frame = frame.tb_next
        exception = exception.__cause__ or not exception.__suppress_context__ and exception.__context__
    return seen


def outcome(call):
    local.call, local.seen = call, ""
    began = time.monotonic()
    try:
        for name, member in (("URL", "server"), ("CA", "ca"), ("CERT", "cert"), ("KEY", "key")):
            os.environ[f"FOUNTD_{name}"] = call.get(member) or ""
        reply = Client(REMOTE_ADDR=call["address"]).get("/")
        told = {"outcome": "unavailable", "retry_after": int(reply["Retry-After"]), "text": local.seen} if reply.status_code == 503 else reply.json()
    except BaseException as e:
        told = {"outcome": "defect", "text": text(e)}
    return told | {"elapsed_ms": int(1000 * (time.monotonic() - began))}


def threads(calls):
    outcomes = [None] * len(calls)

    def one(i):
        outcomes[i] = outcome(calls[i])

    running = [threading.Thread(target=one, args=[i]) for i in range(len(calls))]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return outcomes


def forks(calls):
    outcomes = [outcome(calls[0])] + [None] * (len(calls) - 1)
    meanwhile = threading.Thread(target=lambda: outcomes.__setitem__(1, outcome(calls[1])))
    meanwhile.start()
    readers = []
    for worker in range(8):
        reader, writer = os.pipe()
        if os.fork() == 0:
            done = {n: outcome(calls[n]) for n in range(2 + worker, len(calls), 8)}
            with os.fdopen(writer, "w") as f:
                json.dump(done, f)
            os._exit(0)
        os.close(writer)
        readers.append(reader)
    for reader in readers:
        with os.fdopen(reader) as f:
            for n, one in json.load(f).items():
                outcomes[int(n)] = one
        os.wait()
    meanwhile.join()
    return outcomes


answers = sys.stdout
sys.stdout = sys.stderr
tell = lambda it: print(json.dumps(it), file=answers, flush=True)
tell({"client": f"Django {django.__version__}, Python {platform.python_version()}", "unix": True, "tls": True, "framework": True,
      "batches": ["threads", "forks"]})
for line in sys.stdin:
    asked = json.loads(line)
    if "batch" in asked:
        tell({"outcomes": {"threads": threads, "forks": forks}[asked["batch"]](asked["calls"])})
    else:
        tell(outcome(asked))
