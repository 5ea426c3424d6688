"""make_argon2_cffi answers for PyPI's argon2-cffi: README.md has the questions."""
import importlib.metadata as meta

from argon2 import PasswordHasher, Type
from argon2.exceptions import VerifyMismatchError
from maker import serve

cheap = {"argon2" + t.name.lower(): PasswordHasher(2, 64, 2, type=t).hash for t in Type}


def check(form, password, stored):
    try:
        return PasswordHasher().verify(stored, password)
    except VerifyMismatchError:
        return False


serve("argon2-cffi " + meta.version("argon2-cffi"), check, cheap, {"argon2id default": PasswordHasher().hash})
