"""make_django answers for Django: README.md has the questions."""
import importlib.metadata as meta

import django
from django.conf import settings
from maker import serve, text

settings.configure(
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth"],
    PASSWORD_HASHERS=["django.contrib.auth.hashers." + h for h in (
        "PBKDF2PasswordHasher", "PBKDF2SHA1PasswordHasher", "Argon2PasswordHasher", "BCryptPasswordHasher",
        "BCryptSHA256PasswordHasher", "ScryptPasswordHasher", "MD5PasswordHasher")])
django.setup()
from django.contrib.auth import hashers


def make(hasher):
    return lambda password: hasher.encode(text(password), hasher.salt())


cheap = {}
for h in hashers.get_hashers():
    h = type(h)()
    for name, n in (("iterations", 1000), ("rounds", 4), ("work_factor", 2**10), ("memory_cost", 64)):
        if hasattr(h, name):
            setattr(h, name, n)
    cheap[h.algorithm] = make(h)
default = {h.algorithm + " default": make(h) for h in hashers.get_hashers()}


def check(form, password, stored):
    return hashers.identify_hasher(stored).verify(text(password), stored)


# tests/auth_tests/test_hashers.py of django/django, commit 02dbf1667c6d; sha1 was in Django before 5.1, crypt before 5.0.
PUBLISHED = {
    "lètmein": (
        "pbkdf2_sha256$390000$seasalt$8xBlGd3jVgvJ+92hWPxi5ww0uuAuAnKgC45eudxro7c=",
        "pbkdf2_sha256$390000$seasalt2$geC/uZ92nRXDSjSxeoiBqYyRcrLzMm8xK3ro1QS1uo8=",
        "pbkdf2_sha1$390000$seasalt2$aDapRanzW8aHTz97v2TcfHzWD+I=",
        "scrypt$16384$seasalt$8$1$Qj3+9PPyRjSJIebHnG81TMjsqtaIGxNQG/aEB/NYafTJ7tibgfYz71m0ldQESkXFRkdVCBhhY8mx7rQwite/Pw==",
        "sha1$seasalt$cff36ea83f5706ce9aa7454e63e431fc726b2dc8",
        "sha1$$6d138ca3ae545631b3abd71a4f076ce759c5700b",
        "md5$seasalt$3f86d0d3d465b7b458c231bf3555c0e3",
        "md5$$88a434c88cca4e900f7874cd98123f43",
        "88a434c88cca4e900f7874cd98123f43"),
    "lètmei": ("crypt$$ab1Hv2Lg7ltQo",),
    "secret": (
        "argon2$argon2i$m=8,t=1,p=1$c29tZXNhbHQ$gwQOXSNhxiOxPOA0+PY10P9QFO4NAYysnqRt1GSQLE55m+2GYDt9FEjPMHhP2Cuf0nOEXXMocVrsJ"
        "AtNSsKyfg",
        "argon2$argon2i$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$YC9+jJCrQhs5R6db7LlN8Q",
        "argon2$argon2id$v=19$m=102400,t=2,p=8$Y041dExhNkljRUUy$TMa6A8fPJhCAUXRhJXCXdw"),
}


def published():
    for password, hashes in PUBLISHED.items():
        for h in hashes:
            yield h.split("$")[0] if "$" in h else "unsalted md5", password.encode(), h


v = meta.version
serve(f"Django {v('django')} with argon2-cffi {v('argon2-cffi')} and bcrypt {v('bcrypt')}", check, cheap, default, published)
