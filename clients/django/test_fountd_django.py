# Copyright 2026 The fount Authors. All rights reserved.
# Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

"""What Django is promised of one call to fountd, beside the suite of clients and the story."""

import asyncio
import sys
import unittest
from unittest import mock

sys.path.append("../python")
import fountd
import fountd_django

import django
from django.conf import settings

settings.configure(
    ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, SECRET_KEY="of this test",
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "fountd_django.FountdConfig"],
    MIDDLEWARE=["fountd_django.FountdMiddleware", f"{__name__}.proxy", f"{__name__}.basic"],
    PASSWORD_HASHERS=fountd_django.PASSWORD_HASHERS)
django.setup()

from django.contrib.auth.hashers import check_password, get_hasher, identify_hasher, make_password
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpResponse
from django.test import Client, override_settings
from django.urls import path

NEW = "$argon2id$v=19$m=19456,t=2,p=1$bmV3LW5ldy1uZXctbmV3$bmV3LW5ldy1uZXctbmV3LW5ldy1uZXctbmV3LW5ldy0"
OTHER = NEW.replace("bmV3", "b3RoZXI")
OLD = {
    "argon2": "argon2$argon2id$v=19$m=8192,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY",
    "fount_wrap": "fount_wrap$fount-wrap$v=1,form=django$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$c3VtLXN1bS1zdW0$md5$salt$" + 32 * "0",
    "pbkdf2_sha256": "pbkdf2_sha256$1000$salt$" + 43 * "A" + "=",
    "md5": "md5$salt$" + 32 * "0",
    "unsalted_md5": "md5$$" + 32 * "0",
    "sha1": "sha1$salt$" + 40 * "0",
    "unsalted_sha1": "sha1$$" + 40 * "0",
}


def proxy(get_response):
    """A middleware that knows where a request comes from."""
    def middleware(request):
        request.META["REMOTE_ADDR"] = request.META["HTTP_X_FORWARDED_FOR"]
        return get_response(request)

    return middleware


def basic(get_response):
    """A middleware that authenticates."""
    def middleware(request):
        check_password("of the middleware", OLD["md5"])
        return get_response(request)

    return middleware


def view(request):
    check_password("of the view", OLD["md5"])
    return HttpResponse()


urlpatterns = [path("", view)]


class Tests(unittest.TestCase):
    def setUp(self):
        self.asked, self.addresses = [], []
        self.answer = {"match": True, "needs_rehash": True, "hash": NEW}
        self.enterContext(mock.patch("fountd.ask", self.ask))
        self.save = self.enterContext(mock.patch.object(User, "save"))
        self.enterContext(mock.patch.object(User, "asave"))

    def ask(self, what, password, address, **members):
        self.asked.append((what, password, members.get("hash")))
        self.addresses.append(address)
        return self.answer if what == "verify" else {"hash": OTHER}

    def sign_in(self, stored, password="right"):
        user = User(password=stored)
        return user.check_password(password), user.password

    def test_one_call_brings_the_new_hash(self):
        for algorithm, stored in OLD.items():
            with self.subTest(algorithm):
                self.asked.clear()
                self.assertEqual(self.sign_in(stored), (True, "argon2" + NEW))
                self.assertEqual(self.asked, [("verify", "right", stored.removeprefix("argon2"))])

    def test_async(self):
        user = User(password=OLD["argon2"])
        self.assertTrue(asyncio.run(user.acheck_password("right")))
        self.assertEqual(user.password, "argon2" + NEW)

    def test_what_fountd_keeps_stays(self):
        for self.answer in {"match": True, "needs_rehash": False}, {"match": True, "needs_rehash": True}:
            for algorithm, stored in OLD.items():
                with self.subTest(algorithm):
                    self.assertEqual(self.sign_in(stored), (True, stored))
        self.assertEqual({what for what, *_ in self.asked}, {"verify"})

    def test_what_stays_is_not_saved(self):  # over a password that changes meanwhile
        self.answer = {"match": True, "needs_rehash": False}
        for algorithm, stored in OLD.items():
            with self.subTest(algorithm):
                self.sign_in(stored)
                self.save.assert_not_called()

    def test_wrong_passwords_change_nothing(self):
        self.answer = {"match": False}
        for algorithm, stored in OLD.items():
            with self.subTest(algorithm):
                self.assertEqual(self.sign_in(stored), (False, stored))
                self.assertEqual(make_password("right"), "argon2" + OTHER)  # a new one, not the stored

    def test_a_new_password_is_hashed(self):
        user = User(password=OLD["md5"])
        self.assertTrue(check_password("right", user.password))  # nobody stores the new hash
        user.set_password("another")
        self.assertEqual(user.password, "argon2" + OTHER)

    def test_a_new_hash_is_its_own_users(self):
        for algorithm, stored in OLD.items():
            with self.subTest(algorithm):
                self.assertTrue(check_password("right", stored))  # nobody stores the new hash
                self.assertEqual(make_password("right"), "argon2" + OTHER)

    def test_back_to_djangos_hashers(self):
        wrapped, *_ = (path for path in fountd_django.PASSWORD_HASHERS if "Wrapped" in path)
        for own, algorithm in ("MD5", "md5"), ("PBKDF2", "pbkdf2_sha256"):
            with override_settings(PASSWORD_HASHERS=[f"django.contrib.auth.hashers.{own}PasswordHasher", wrapped]):
                match, stored = self.sign_in(OLD["fount_wrap"])
            self.assertEqual((match, stored.split("$")[0]), (True, algorithm))

    def test_another_hasher_of_the_service(self):
        with override_settings(PASSWORD_HASHERS=[fountd_django.PASSWORD_HASHERS[0], "django.contrib.auth.hashers.MD5PasswordHasher"]):
            self.assertEqual(self.sign_in(make_password("right", hasher="md5")), (True, "argon2" + OTHER))

    def test_nobody(self):
        for stored in "!unusable", "", "gibberish", "unknown$hash":
            self.asked.clear()
            self.assertEqual(self.sign_in(stored), (False, stored))
            self.assertEqual([what for what, *_ in self.asked], ["hash"])  # takes time
        self.assertFalse(check_password(None, OLD["md5"]))

    def test_empty_passwords(self):
        make_password("")  # as where an unknown user signs in
        [(what, password, _)] = self.asked
        self.assertNotEqual(password, "")

    def test_address(self):
        for address in "192.0.2.1", "192.0.2.2":
            self.addresses.clear()
            self.assertEqual(Client(HTTP_X_FORWARDED_FOR=address).get("/").status_code, 200)
            make_password("between requests")
            self.assertEqual(self.addresses, [address, address, ""])

    def test_away(self):
        def ask(what, password, *_, **members):
            if password == "of the view":
                raise fountd.Unavailable("away", 7)
            return self.answer

        with mock.patch("fountd.ask", ask), self.assertLogs("fountd_django"):
            reply = Client(HTTP_X_FORWARDED_FOR="192.0.2.1").get("/")
        self.assertEqual((reply.status_code, reply["Retry-After"]), (503, "7"))

    def test_faults(self):
        with mock.patch("fountd.ask", side_effect=fountd.InvalidPassword("The password is too long.")):
            with self.assertRaises(PermissionDenied):
                make_password("long")
            for stored in OLD.values():
                self.assertEqual(self.sign_in(stored), (False, stored))  # another backend may know it
        with self.assertRaises(ValidationError):
            fountd_django.LengthValidator().validate("€" * 342)

    def test_admin(self):
        for stored in *OLD.values(), "argon2$2b$10$" + 53 * "a", *(algorithm + "$x" for algorithm in OLD):
            self.assertTrue(identify_hasher(stored).safe_summary(stored)["algorithm"])
        User(username="ada", password="x" * 640).full_clean(exclude=["username"])
        self.assertEqual(get_hasher().algorithm, "argon2")


if __name__ == "__main__":
    unittest.main()
