"""make_passlib answers for passlib: README.md has the questions."""
import importlib.metadata as meta
import warnings

warnings.simplefilter("ignore")

# passlib 1.7.4, the last, looks for a version where bcrypt 5 has none, and probes it with 255 bytes, which it refuses.
import bcrypt

bcrypt.__about__ = type("about", (), {"__version__": bcrypt.__version__})
real = bcrypt.hashpw
bcrypt.hashpw = lambda password, salt: real(password[:72], salt)

import passlib.hash as pl
from maker import serve

names = """pbkdf2_sha1 pbkdf2_sha256 pbkdf2_sha512 atlassian_pbkdf2_sha1 cta_pbkdf2_sha1 dlitz_pbkdf2_sha1 grub_pbkdf2_sha512
    bcrypt bcrypt_sha256 argon2 scrypt phpass scram fshp
    sha256_crypt sha512_crypt md5_crypt apr_md5_crypt sha1_crypt sun_md5_crypt des_crypt bsdi_crypt bigcrypt crypt16
    django_salted_md5 django_salted_sha1 django_pbkdf2_sha256 django_pbkdf2_sha1 django_bcrypt django_bcrypt_sha256 django_des_crypt
    ldap_md5 ldap_sha1 ldap_salted_md5 ldap_salted_sha1 ldap_salted_sha256 ldap_salted_sha512
    ldap_pbkdf2_sha1 ldap_pbkdf2_sha256 ldap_pbkdf2_sha512 ldap_bcrypt
    ldap_sha256_crypt ldap_sha512_crypt ldap_md5_crypt ldap_des_crypt
    nthash hex_md5 hex_sha1 hex_sha256 hex_sha512""".split()
handlers = {name: getattr(pl, name) for name in names}
handlers["argon2"].set_backend()  # using() before it fails


def cheapest(name, h):
    if "rounds" not in h.setting_kwds:
        return h
    more = {"memory_cost": 64} if name == "argon2" else {}
    return h.using(rounds=1000 if "pbkdf2" in name else max(1, h.min_rounds), **more)


cheap = {name: cheapest(name, h).hash for name, h in handlers.items()}
cheap["bcrypt_sha256 v=1"] = pl.bcrypt_sha256.using(rounds=5, version=1).hash
for name in ("sha256_crypt", "sha512_crypt"):
    cheap[name + " 5000"] = handlers[name].using(rounds=5000).hash  # its text has no rounds=
default = {name + " default": handlers[name].hash for name in
           ("pbkdf2_sha1", "pbkdf2_sha256", "pbkdf2_sha512", "bcrypt", "bcrypt_sha256", "argon2", "scrypt", "phpass",
            "sha256_crypt", "sha512_crypt", "django_pbkdf2_sha256")}


def check(form, password, stored):
    h = handlers.get(form.split()[0]) or next(h for h in handlers.values() if h.identify(stored))
    return h.verify(password, stored)


def published():
    """Those of passlib's tests, which are in its package. The backends of a handler share most."""
    from passlib.tests import (test_handlers, test_handlers_argon2, test_handlers_bcrypt, test_handlers_django,
                               test_handlers_pbkdf2, test_handlers_scrypt)
    seen = set()
    for module in (test_handlers, test_handlers_argon2, test_handlers_bcrypt, test_handlers_django, test_handlers_pbkdf2,
                   test_handlers_scrypt):
        for case in vars(module).values():
            name = getattr(getattr(case, "handler", None), "name", "")
            if name not in handlers:
                continue
            for password, stored in getattr(case, "known_correct_hashes", ()):
                if isinstance(password, str):
                    password = password.encode()
                if (password, stored) not in seen:
                    seen.add((password, stored))
                    yield name, password, stored


serve(f"passlib {meta.version('passlib')} with bcrypt {bcrypt.__version__}", check, cheap, default, published)
