# Copyright 2026 The fount Authors. All rights reserved.
# Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

"""Signs in to a Django project that has clients/django/fountd_django.py."""

import json
import logging
import os
import sys
from unittest import mock

import django
from django.conf import settings

settings.configure(
    ALLOWED_HOSTS=["*"],
    AUTH_PASSWORD_VALIDATORS=[{"NAME": "fountd_django.MaximumLengthValidator"}],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    FOUNTD={"LOCATION": os.environ["FOUNTD_SOCKET"]},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions"],
    LOGIN_REDIRECT_URL="/welcome",
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware", "fountd_django.FountdMiddleware"],
    PASSWORD_HASHERS=["fountd_django.FountdPasswordHasher", "fountd_django.FountdPBKDF2PasswordHasher"],
    ROOT_URLCONF=__name__,
    SECRET_KEY="of this test",
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "OPTIONS": {
        "loaders": [("django.template.loaders.locmem.Loader", {"registration/login.html": "{{ form.errors }}"})]}}],
)
django.setup()

from django.contrib.auth.hashers import PBKDF2PasswordHasher, identify_hasher, make_password
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.views import LoginView
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.management import call_command
from django.test import Client, SimpleTestCase, override_settings
from django.urls import path

import fountd_django

urlpatterns = [path("login", LoginView.as_view())]
logging.disable()
right = "correct horse battery staple €"


def login(name, password):
    reply = Client().post("/login", {"username": name, "password": password}, REMOTE_ADDR="192.0.2.1")
    if reply.status_code == 503:
        print(f"try again in {reply['Retry-After']} s")
        sys.exit()
    return reply.status_code


def want(is_, wanted):
    if is_ != wanted:
        sys.exit(f"{is_!r}; want {wanted!r}")


call_command("migrate", verbosity=0)
former = PBKDF2PasswordHasher()
former.iterations = 1000
ada = User(username="ada", password=make_password(right, hasher=former))
ada.save()
User.objects.create(username="nobody", password=make_password(None))

want(login("ada", "guess"), 200)  # the form again
want(fountd_django.principal.get(), "192.0.2.1")
ask = fountd_django.ask
fountd_django.ask = lambda path, password, **_: {"match": True, "needs_rehash": True}  # an overload: no new hash
want(login("ada", right), 302)
want(User.objects.get(username="ada").password, ada.password)
asked = []
fountd_django.ask = lambda path, *args, **kwargs: asked.append(path) or ask(path, *args, **kwargs)
want(login("ada", right), 302)
want(asked, ["/v1/verify"])  # a second call could be refused
ada.refresh_from_db()
want(ada.password[:15], "argon2$argon2id")
want(login("ada", right), 302)
fountd_django.upgrade.set((right, "another user's"))  # of the thread's last request
want(login("ada", "guess"), 200)
want(fountd_django.upgrade.get(), (None, None))
want(login("nobody", "guess"), 200)
want(login("someone", "guess"), 200)
for name in "ada", "nobody", "someone":  # none by its answer
    want(login(name, "x" * 1025), 200)
hasher = identify_hasher(ada.password)
want(hasher.safe_summary(ada.password)["costs"], "m=19456,t=2,p=1")  # as the admin shows it
want(hasher.must_update(ada.password), False)
want(hasher.must_update("argon2$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$c3Vt"), True)

ada.set_password("another")
ada.save()
want(login("ada", right), 200)
ada.set_password("correct horse battery staple")  # as the caller of this program has it
ada.save()
print("true", ada.password)

with override_settings(FOUNTD=json.loads(os.environ["FOUNTD_TLS"])):  # the first of two is absent
    for _ in range(4):
        want(ada.check_password("correct horse battery staple"), True)
with override_settings(FOUNTD={"LOCATION": "hash-1:8443"}):
    with SimpleTestCase().assertRaisesMessage(ImproperlyConfigured, "'hash-1:8443'"):
        ada.check_password(right)
with SimpleTestCase().assertRaisesMessage(ValidationError, "at most 1024 bytes"):
    validate_password("€" * 342)
with mock.patch("fountd_django.ask", side_effect=fountd_django.Unavailable("away")):
    for name in "ada", "someone":
        want(Client().post("/login", {"username": name, "password": right}).status_code, 503)
