"""make_werkzeug answers for Werkzeug, Flask's hashes: README.md has the questions."""
import importlib.metadata as meta

from maker import serve, text
from werkzeug.security import check_password_hash, generate_password_hash


def make(*method):
    return lambda password: generate_password_hash(text(password), *method)


cheap = {m: make(m) for m in ("scrypt:1024:8:1", "pbkdf2:sha1:1000", "pbkdf2:sha256:1000", "pbkdf2:sha512:1000", "pbkdf2:sha3_256:1000")}
default = {"scrypt default": make(), "pbkdf2 default": make("pbkdf2")}
serve("Werkzeug " + meta.version("werkzeug"), lambda form, password, stored: check_password_hash(stored, text(password)), cheap, default)
