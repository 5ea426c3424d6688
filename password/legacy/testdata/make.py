#!/usr/bin/env python3
"""make.py prints hashes.txt anew, down to "Given": hashes of other makers, by the makers, and from their own tests.

It needs Django, Werkzeug, passlib 1.7.4 (with its tests), argon2-cffi, bcrypt below 4.1, which passlib takes, and
firebase-scrypt, and libxcrypt.
What has no maker here is named with the file that it is from.
"""
import base64
import ctypes
import hashlib
import hmac
import importlib.metadata as meta
import os
import warnings

warnings.simplefilter("ignore")

print('# Hashes of other makers: maker | password in hex | stored hash. Written by make.py, and by hand below "Given".')


def out(maker, pw, h):
    if isinstance(pw, str):
        pw = pw.encode()
    print(maker, pw.hex(), h, sep=" | ")


texts = ["correct horse battery staple", "pässwörd €", "x" * 72, "y" * 73, "z" * 200, "p"]

import django
from django.conf import settings

settings.configure(INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth"], PASSWORD_HASHERS=["django.contrib.auth.hashers." + h for h in (
    "PBKDF2PasswordHasher", "PBKDF2SHA1PasswordHasher", "Argon2PasswordHasher", "BCryptPasswordHasher",
    "BCryptSHA256PasswordHasher", "ScryptPasswordHasher", "MD5PasswordHasher")])
django.setup()
from django.contrib.auth import hashers

maker = "Django " + meta.version("django")
for h in hashers.get_hashers():
    for name, n in (("iterations", 1000), ("rounds", 4), ("work_factor", 2**10), ("memory_cost", 64)):
        if hasattr(h, name):
            setattr(h, name, n)
    for t in texts + ["nul\0inside"]:
        if h.algorithm == "bcrypt" and "\0" in t:
            continue
        out(maker, t, h.encode(t, h.salt()))
# tests/auth_tests/test_hashers.py of django/django, commit 02dbf1667c6d
t = "lètmein"
maker = "Django's tests"
for h in ("pbkdf2_sha256$390000$seasalt$8xBlGd3jVgvJ+92hWPxi5ww0uuAuAnKgC45eudxro7c=",
          "sha1$seasalt$cff36ea83f5706ce9aa7454e63e431fc726b2dc8", "md5$seasalt$3f86d0d3d465b7b458c231bf3555c0e3",
          "md5$$88a434c88cca4e900f7874cd98123f43", "sha1$$6d138ca3ae545631b3abd71a4f076ce759c5700b"):
    out(maker, t, h)

from werkzeug.security import generate_password_hash

maker = "Werkzeug " + meta.version("werkzeug")
for method in ("scrypt:1024:8:1", "scrypt:32768:8:1", "pbkdf2:sha256:1000", "pbkdf2:sha1:1000", "pbkdf2:sha512:1000"):
    for t in texts if method != "scrypt:32768:8:1" else texts[:1]:
        out(maker, t, generate_password_hash(t, method))

import passlib.hash as pl

maker = "passlib " + meta.version("passlib")
for h in (pl.pbkdf2_sha1.using(rounds=1000), pl.atlassian_pbkdf2_sha1, pl.sha256_crypt.using(rounds=1000),
          pl.sha512_crypt.using(rounds=1000), pl.sha512_crypt.using(rounds=5000), pl.md5_crypt, pl.apr_md5_crypt,
          pl.phpass.using(rounds=7), pl.ldap_salted_sha1, pl.ldap_salted_sha256, pl.ldap_salted_sha512,
          pl.ldap_salted_md5, pl.ldap_sha1, pl.ldap_md5, pl.ldap_sha512_crypt.using(rounds=1000), pl.ldap_md5_crypt,
          pl.bcrypt_sha256.using(rounds=4, version=1)):
    for t in texts:
        out(maker, t, h.hash(t))

# passlib's own tests: among them those of Drepper's specification of SHA-crypt.
from passlib.tests import (test_handlers as th, test_handlers_bcrypt as tb, test_handlers_django as td,
                           test_handlers_pbkdf2 as tp)

maker = "passlib's tests"
for case in (tp.pbkdf2_sha1_test, tp.atlassian_pbkdf2_sha1_test, th._sha256_crypt_test, th._sha512_crypt_test,
             th._md5_crypt_test, th.apr_md5_crypt_test, th.phpass_test, th.ldap_salted_sha1_test,
             th.ldap_salted_md5_test, th.ldap_sha1_test, th.ldap_md5_test, tb._bcrypt_sha256_test,
             td.django_salted_md5_test, td.django_salted_sha1_test, td.django_pbkdf2_sha256_test,
             td.django_pbkdf2_sha1_test, td.django_bcrypt_test, td.django_bcrypt_sha256_test):
    seen = set()
    for secret, h in case.known_correct_hashes:
        if secret and h not in seen and len(h) <= 320:  # an empty password never matches
            seen.add(h)
            out(maker, secret, h)

# wrapper.c of openwall/crypt_blowfish
maker = "crypt_blowfish's tests"
for pw, h in ((b"\xa3", "$2x$05$/OK.fbVrR/bpIqNJ5ianF.CE5elHaaO4EbggVDjb8P19RukzXSM3e"),
              (b"\xff\xff\xa3", "$2x$05$/OK.fbVrR/bpIqNJ5ianF.CE5elHaaO4EbggVDjb8P19RukzXSM3e"),
              (b"1\xa3345", "$2x$05$/OK.fbVrR/bpIqNJ5ianF.o./n25XVfn6oAPaUvHe.Csk4zRfsYPi"),
              (b"\xff\xa3345", "$2x$05$/OK.fbVrR/bpIqNJ5ianF.o./n25XVfn6oAPaUvHe.Csk4zRfsYPi"),
              (b"\xff\xa334\xff\xff\xff\xa3345", "$2x$05$/OK.fbVrR/bpIqNJ5ianF.o./n25XVfn6oAPaUvHe.Csk4zRfsYPi"),
              (b"\xa3ab", "$2x$05$/OK.fbVrR/bpIqNJ5ianF.6IflQkJytoRVc1yuaNtHfiuq.FRlSIS"),
              (b"\xd1\x91", "$2x$05$6bNw2HLQYeqHYyBfLMsv/OiwqTymGIGzFsA4hOTWebfehXHNprcAS"),
              (b"\xd0\xc1\xd2\xcf\xcc\xd8", "$2x$05$6bNw2HLQYeqHYyBfLMsv/O9LIGgn8OMzuDoHfof8AQimSGfcSWxnS")):
    out(maker, pw, h)

# test.php of openwall/phpass
out("phpass's tests", "test12345", "$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0")

# PasswordHasherTest.cs of dotnet/aspnetcore
maker = "ASP.NET's tests"
for h in ("AAABAgMEBQYHCAkKCwwNDg+ukCEMDf0yyQ29NYubggHIVY0sdEUfdyeM+E1LtH1uJg==",
          "AQAAAAAAAAD6AAAAEAhftMyfTJylOlZT+eEotFXd1elee8ih5WsjXaR3PA9M",
          "AQAAAAEAA9CQAAAAIESkQuj2Du8Y+kbc5lcN/W/3NiAZFEm11P27nrSN5/tId+bR1SwV8CO1Jd72r4C08OLvplNlCDc3oQZ8efcW+jQ=",
          "AQAAAAIAAAAyAAAAEOMwvh3+FZxqkdMBz2ekgGhwQ4B6pZWND6zgESBuWiHw",
          "AQAAAAIAAAD6AAAAIJbVi5wbMR+htSfFp8fTw8N8GOS/Sje+S/4YZcgBfU7EQuqv4OkVYmc4VJl9AGZzmRTxSkP7LtVi9IWyUxX8IAAfZ8v+ZfhjC"
          "cudtC1YERSqE1OEdXLW9VukPuJWBBjLuw==",
          "AQAAAAIAACcQAAAAEAABAgMEBQYHCAkKCwwNDg9B0Oxwty+PGIDSp95gcCfzeDvA4sGapUIUov8usXfD6A=="):
    out(maker, "my password", h)

# Spring Security's reference, "Password Storage Format"
maker = "Spring Security's reference"
for h in ("{bcrypt}$2a$10$dXJ3SW6G7P50lGmMkkmwe.20cQQubK3.HZWzG3YB1tlRy.fqvM/BG",
          "{pbkdf2}5d923b44a6d129f3ddf3e3c8d29412723dcbde72445e8ef6bf3b508fbf17fa4ed4d6b99ca763d8dc",
          "{scrypt}$e0801$8bWJaSu2IKSn9Z9kM+TPXfOc/9bdYSrN1oD9qfVThWEwdRTnO7re7Ei+fUZRJ68k9lTyuTeUp4of4g24hHnazw==$"
          "OAOec05+bXxvuu/1qZ6NUR+xQYvYv7BeL1QxwRpY5Pc=",
          "{sha256}97cde38028ad898ebc02e690819fa220e88c62e0699403e94fff291cfffaf8410849f27605abcbc0"):
    out(maker, "password", h)

# DrupalPasswordTest (TestDrupalPassword.java) of gbevin/rife2
out("RIFE2's tests of Drupal's", "terry-SELL-niggling", "$S$D0jOAf3SWo8LZbI3hnATd81YG0Q7XzQ9.hxtRfgcAO74X2qplNME")

# tests of Drupal hashers for Django, among them one of user_update_7000's
maker = "Tests of Drupal's"
out(maker, "DifficultPassword123", "$S$5FIcboyzv1ZD/OZDb4w/4HSlnsPlwbr/PWLWrHPWrJp8eXOQQaWJ")
out(maker, "SimpleEasyPassword", "U$S$5I5Ht7YwxFRiMiJhBjyt42Ji2WRndX2dCx1jyktH92PeQp0xWdgi")

# made by WordPress 6.8, in public repositories' tests of its form
maker = "WordPress 6.8"
out(maker, "grimoire-test-123", "$wp$2y$12$iWN5xRwDE7i9R5jVJvCyqOxS1CNnwUggQaF8O2W9Bg8TuXQz.ngrS")
out(maker, "BigBike@2026", "$wp$2y$10$qeleDSuDaeZO5fBsEqFReeWdlqaDnBDBzB16hFgsFnhN9qFBIihvm")

# Firebase's scrypt, in the rows of Supabase and of Kratos
import firebase_scrypt

maker = "firebase-scrypt " + meta.version("firebase-scrypt")
signer = "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="  # of Firebase's tests
for t in texts + ["nul\0inside"]:
    for rounds, cost in ((8, 10), (1, 4), (3, 7)):
        salt = base64.b64encode(os.urandom(10)).decode()
        key = firebase_scrypt.generate_derived_key(t, salt, "Bw==", rounds, cost)
        h = base64.b64encode(firebase_scrypt.encrypt(base64.b64decode(signer), key)).decode()
        out(maker, t, f"$fbscrypt$v=1,n={cost},r={rounds},p=1,ss=Bw==,sk={signer}${salt}${h}")
        out(maker, t, f"$firescrypt$ln={cost},r={rounds},p=1${salt}${h}$Bw==${signer}")
# README.md of firebase/scrypt, in the row of Supabase
out("Firebase's README", "user1password", f"$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk={signer}$42xEC+ixf3L2lw==$"
    "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==")
# internal/crypto/password_test.go of supabase/auth, commit bc32168e13fd
out("Supabase's tests", "mytestpassword", "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=ou9tdYTGyYm8kuR6Dt0Bp0kDuAYoXrK16mbZO4yGwAn3oLspjnN0/c41v8xZnO1"
    "n14J3MjKj1b2g6AUCAlFwMw==$C0sHCg9ek77hsg==$zKVTMvnWVw5BBOZNUdnsalx4c4c7y/w7IS5p6Ut2+CfEFFlz37J9huyQfov4iizN8dbjvEJlM5tQaJP84+hfTw==")
# hash/hasher_test.go of ory/kratos, commit b86338da04a0
out("Kratos' tests", "8x4WjoDbSxJZdR", "$firescrypt$ln=14,r=8,p=1$sPtDhWcd1MfdAw==$xbSou7FOl6mChCyzpCPIQ7tku7nsQMTFtyOZSXXd7tjBa4NtimOx7v42Gv2SfzPQ"
    "u1oxM2/k4SsbOu73wlKe1A==$Bw==$YE0dO4bwD4JnJafh6lZZfkp1MtKzuKAXQcDCJNJNyeCHairWHKENOkbh3dzwaCdizzOspwr/FITUVlnOAwPKyw==")

# The same file of Kratos' tests: its other forms
maker = "Kratos' tests"
for t, h in (("test", "$sha1$pf=e1NBTFR9e1BBU1NXT1JEfQ==$NW9wbWtnejAzcg==$2qU2SGWP8viTM1md3FiI3+rjWXQ="),
             ("BwS^514g^cv@Z", "$sha1$pf=e1NBTFR9e1BBU1NXT1JEfQ==$NW9wbWtnejAzcg==$99h9net4BXl7qdTRaiGUobLROxM="),
             ("test", "$sha1$pf=Pz9zdGF0aWNQcmVmaXg/P3tTQUxUfXtQQVNTV09SRH0=$NW9wbWtnejAzcg==$SAAxMUn7jxckQXkBmsVF0nHwqso="),
             ("test", "$sha1$pf=e1BBU1NXT1JEfSUle1NBTFR9$NW9wbWtnejAzcg==$YX0AW8/MW5ojUlnzTaR43ucHCog="),
             ("test", "$sha1$pf=JHtQQVNTV09SRH0ke1NBTFR9JA==$NW9wbWtnejAzcg==$iE5n1yjX3oAdxRHwZ4u57I4LpQo="),
             ("test", "$sha256$pf=e1NBTFR9e1BBU1NXT1JEfQ==$NW9wbWtnejAzcg==$0gfRVLCvtBCk20udLDEY5vNhujWx7RGjwRIS1ebMsLY="),
             ("test", "$sha256$pf=e1NBTFR9JCR7UEFTU1dPUkR9$NW9wbWtnejAzcg==$HokCOi9OtiZaZRvnkgemV3B4UUHpI7kA8zq/EZWH2NY="),
             ("test", "$sha512$pf=e1NBTFR9e1BBU1NXT1JEfQ==$NW9wbWtnejAzcg==$6ctpVuApMNp0CgBXcdHw/GC562eFEFGr4gpgANX8ZYsX+j5B19IkdmOY2Fyt"
              "sz3QUwSWdGcUjbqwgJGTH0UYvw=="),
             ("test", "$sha512$pf=e1NBTFR9JCR7UEFTU1dPUkR9$NW9wbWtnejAzcg==$1F9BPW8UtdJkZ9Dhlf+D4X4dJ9xfuH8y04EfuCP2k4aGPPq/aWxU9/xe3Lyd"
              "HmYW1/K3zu3NFO9ETVrZettz3w=="),
             ("test", "$md5$CY9rzUYh03PK3k6DJie09g=="), ("ory", "$md5$ptoWyof5SobW+pbZu2QXoQ=="),
             ("test", "$md5$pf=e1NBTFR9e1BBU1NXT1JEfQ==$MTIz$q+RdKCgc+ipCAcm5ChQwlQ=="),
             ("test", "$md5$pf=e1NBTFR9JCR7UEFTU1dPUkR9$MTIzNA==$ud392Z8rfZ+Ou7ZFXYLKbA=="),
             ("ory", "$md5$pf=e1BBU1NXT1JEfXtTQUxUfSQ/$MTIzNDU2Nzg5$8PhwWanVRnpJAFK4NUjR0w=="),
             ("test", "$md5-crypt$TVEiiKNb$SN6/pUaRQS/E8Jh46As2C/"), ("test", "$md5-crypt$$whuMjZj.HMFoaTaZRRtkO0"),
             ("ory", "$md5-crypt$xWMlm2eL$GGTOpgZu4p2k6ORprAu3b."),
             ("test", "$sha256-crypt$rounds=535000$05R.9KB6UC2kLI3w$Q/zslzx./JjkAVPTwp6th7nW5l7JU91Gte/UmIh.U78"),
             ("test", "$sha512-crypt$rounds=656000$3LVbIAVxR//cRajw$uuNasMW.RYxlGzIRFU1Was70BPSa933AjxhZIGJdJBOlqJAHlgqa0yuiuq5JHF/ryNGryJkj87G9i3G2HPSXg1"),
             ("test", "$scrypt$ln=16384,r=8,p=1$2npRo7P03Mt8keSoMbyD/tKFWyUzjiQf2svUaNDSrhA=$MiCzNcIplSMqSBrm4HckjYqYhaVPPjTARTzwB1cVNYE="),
             ("test", "$pbkdf2-sha224$i=100000,l=32$A2nzbFd+wwzPSb+TqkF5Pw$9M4GM2yOYw/fZvsvQbF/0Ec8JO2u9O1MYRTfrDimX6o"),
             ("test", "$pbkdf2-sha384$i=100000,l=32$xDInuz7Y/DPzZUnCaQXJmg$7ICaEa6jEqxbbCBbv4YzrBf39KYNAtc3Bj0QWKeB3Ck"),
             ("test123", "{SSHA}JFZFs0oHzxbMwkSJmYVeI8MnTDy/276a"),
             ("test123", "{SSHA256}czO44OTV17PcF1cRxWrLZLy9xHd7CWyVYplr1rOhuMlx/7IK"),
             ("test123", "{SSHA512}xPUl/px+1cG55rUH4rzcwxdOIPSB2TingLpiJJumN2xyDWN4Ix1WQG3ihnvHaWUE8MYNkvMi5rf0C9NYixHsE6Yh59M=")):
    out(maker, t, h)
for name, h in (("md5", "fe8697f742d080405d1270e6163316f9"), ("sha1", "432671e52cf6a0fb6cd16641b0061bf008a35c90"),
                ("sha224", "be0bf33a04de414b4360a6b298f6b2c289d2397050d1c39bb5f03294"),
                ("sha256", "e031ba1c2938b1d283f919a1df9ac66c192a7dd74432d5fd4ada299941ba109f"),
                ("sha384", "ea20c74a8ce319c57ce9add2a6c4140d8b30ab09c894b5d82fc89a30a2d34a96d44655dab46f8bb0d54fb99afde050f5"),
                ("sha512", "91f864e256e4f5ab8b05bdaf4ef4ff0ee5688605baa98196982377725a783711"
                           "3376fcf1a990c13dbd960af2d5c4f87e0c0a3db726646384a8c4623ad6d7e1e1")):
    out(maker, "test", f"$hmac-{name}${base64.b64encode(h.encode()).decode()}$MTIzNDU=")

# libxcrypt's $y$ with the settings that crypt_gensalt writes, of many N and r
libcrypt = ctypes.CDLL("libcrypt.so.1")
libcrypt.crypt.restype = ctypes.c_char_p
crypt64 = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def encode64(n, least):
    """encode64_uint32 of lib/alg-yescrypt-common.c"""
    n, start, end, bits = n - least, 0, 47, 0
    while n >= (end + 1 - start) << bits:
        n -= (end + 1 - start) << bits
        start, end, bits = end + 1, end + 1 + (62 - end) // 2, bits + 6
    return crypt64[start + (n >> bits)] + "".join(crypt64[n >> b & 63] for b in range(bits - 6, -1, -6))


pws = [t.encode() for t in texts] + [b"\xff\xa3", b"\x80" * 65]
salts = ["abcdefgh", "5R2/LLVbwPN2NgYJz0zCt0", "", "LdJMENpBABJJ3hIHjB1Bi.", "z0zCt0" * 5 + "z0"]
for k, (log2, r) in enumerate(((2, 1), (3, 8), (4, 3), (5, 1), (6, 32), (7, 2), (8, 8), (9, 60), (6, 255), (9, 32), (2, 7), (3, 1), (5, 48),
                               (10, 8), (11, 8), (12, 32), (14, 8), (17, 1))):  # from (12, 32) on with a prehash
    setting = "$y$j" + encode64(log2, 1) + encode64(r, 1) + "$" + salts[k % 5]
    h = libcrypt.crypt(pws[k % 8], setting.encode()).decode()
    assert h.startswith(setting), setting
    out("libxcrypt 4.4.33", pws[k % 8], h)
# TESTS-OK of openwall/yescrypt
for h in ("$y$j80$LdJMENpBABJJ3h2$ysXVVJwuaVlI1BWoEKt/Bz3WNDDmdOWz/8KTQaHL1cC",
          "$y$j4/$LdJMENpBA/$tHlkpTQ8V/eEnTVau1uW36T97LIXlfPrEzdeV5SE5K7",
          "$y$j0/$LdJM$k7BXzSDuoGHW56SY3HxROCiA0gWRscZe2aA0q5oHPM0"):
    out("yescrypt's tests", "pleaseletmein", h)

# Werkzeug before 3.0, whose _hash_internal made HMACs under the salt. Its md5$ and sha1$ look like Django's.
for name in ("sha224", "sha256", "sha384", "sha512"):
    out("Werkzeug 2.3", "pässword", f"{name}$9Xq2ZLbT$" + hmac.new(b"9Xq2ZLbT", "pässword".encode(), name).hexdigest())

# Names that servers of directories and mail write before hashes: those of passlib, Python's bcrypt and libxcrypt
for h in (
        "{sha256}NHgme1YSeRtAmIkGs6eJfrarUB4EuV7TL5nQr99mnZw=",
        "{CRYPT}$y$j75$saltsalt$rU1Bn6BfyMIl9gqJcvIBvpcA0DoWXp8Q4ifs.GUhQy0",
        "{crypt}$7$2/..../....saltsalt$pGKkIIQfLXHPkTFCYop2Tt9SpVwfGfdHF7z03s/eoP6",
        "{SHA512-CRYPT}$6$rounds=1000$saltsalt$GRg0cJEHso4LJZYmvs6cl1YziCrkl3pvdLeF58R.fERGV/fOgD8w6F4Ljko0wttVnHPN.v.Sy4JUmYierjxw6/",
        "{BLF-CRYPT}$2y$04$ryBzyqViEgkRic6BnVeFN.46I3eTv1ZrayWiXHg37OdfB9xw2ap52",
        "{ARGON2}$argon2id$v=19$m=64,t=1,p=1$vbdWSiml9L6XknJuTQkBYA$myNPFwE+zecSEyt35CcQPhTE+4iMGG91l+PTc8Ypq9E",
        "{ARGON2I}$argon2i$v=19$m=64,t=1,p=1$R+i915qzlpKy9j6HUEopJQ$cik7FegBOA8SYr0pQZ/C/F4fM/rggTSaW9u4hERmnGc",
        "{PBKDF2-SHA256}10$c2FsdHNhbHRzYWx0c2FsdA$C4tsZz9zsZB91pJ8CtAYtCbQiCKeCneKB33pgR8gigQ"):
    out("Names of servers", "pässword", h)

out("RFC 6070", "password", "$pbkdf2-sha1$i=4096,l=20$c2FsdA$SwB5AbdlSJq+rUnZJvch0GWkKcE")

# The given examples of makers and of who reads them.
for maker, pw, h in (
        ("OpenDJ 191", "Password.1", "{BCRYPT}$2y$10$ku2Gy22F240O5jDrF8bdQusB0/3KHIXIsoHcJo0DMAsnRoNQXXB0C"),
        ("hashcat 6300", "hashcat", "{smd5}a5/yTL/u$VfvgyHx1xUlXZYBocQpQY0"),
        ("hashcat 6400", "hashcat", "{ssha256}06$aJckFGJAB30LTe10$ohUsB7LBPlgclE3hJg9x042DLJvQyxVCX.nZZLEz.g2"),
        ("hashcat 6500", "hashcat", "{ssha512}06$bJbkFGJAB30L2e23$bXiXjyH5YGIyoWWmEVwq67nCU5t7GLy9HkCzrodRCQCx3r9VvG98o7O3V0r9cVrX3LPPGuHqT5LLn0oGCuI1.."),
        ("hashcat 6700", "hashcat", "{ssha1}06$bJbkFGJAB30L2e23$dCESGOsP7jaIIAJ1QAcmaGeG.kr"),
        ("hashcat 3711", "hashcat", ":B:56668501:0ce106caa70af57fd525aeaf80ef2898"),
        ("hashcat 7100", "hashcat", "$ml$35460$93a94bd24b5de64d79a5e49fa372827e739f4d7b6975c752c9a0ff1e5cf72e05$752351df64dd2ce9dc9c64a72ad91de6581a15c19176266b44d98919dfa81f0f96cbcb20a1ffb400718c20382030f637892f776627d34e021bad4f81b7de8222"),
        ("hashcat 7200", "hashcat", "grub.pbkdf2.sha512.10000.7D391EF48645F626B427B1FAE06A7219B5B54F4F02B2621F86B5E36E83AE492BD1DB60871E45BC07925CECB46FF8BA3DB31C723C0C6ACBD4F06F60C5B246ECBF.26D59C52B50DF90D043F070BD9CBCD92A74424DA42B3666FDEB08F1A54B8F1D2F4F56CF436F9382419C26798DC2C209A86003982B1E5A9FCEF905F4DFAA4C524"),
        ("Ruby's scrypt, README", "my grand secret", "400$8$36$78f4ae6983f76119$37ec6ce55a2b928dc56ff9a7d0cdafbd7dbde49d9282c38a40b1434e88f24cf5"),
        ("lambdaworks scrypt, README", "secret", "$s0$e0801$epIxT/h6HbbwHaehFnh/bw==$7H0vsXlY8UxxyW/BWx/9GuY7jEvGjT71GFd6O4SZND0="),
        ("Dovecot's doveadm pw", "test", "{MD5}$1$wmyrgRuV$kImF6.9MAFQNHe23kq5vI/"),
        ("libxcrypt 4.4.33", "hashcat", "$sha1$1000$saltsalt$tdM8Fm.1/XY5F8iw2gY5s5T1dYoq")):
    out(maker, pw, h)

# What Python's hashlib makes, as the makers' sources say.
b64 = lambda b: base64.b64encode(b).decode()
raw64 = lambda b: b64(b).rstrip("=")
ab64 = lambda b: raw64(b).replace("+", ".")
pw, salt, text = "pässwörd", bytes(range(240, 256)), "saltsalt"
key = lambda name, salt, n, size=None: hashlib.pbkdf2_hmac(name, pw.encode(), salt, n, size)
digest = lambda name, s: hashlib.new(name, s)
p, t = pw.encode(), text.encode()
for maker, h in (
        ("Authelia", "$pbkdf2-sha224$1000$" + ab64(salt) + "$" + ab64(key("sha224", salt, 1000))),
        ("Authelia", "$pbkdf2-sha384$1000$" + ab64(salt) + "$" + ab64(key("sha384", salt, 1000))),
        ("passlib's form in standard base64", "$pbkdf2-sha256$1000$" + b64(salt) + "$" + b64(key("sha256", salt, 1000))),
        ("passlib's form in standard base64", "$pbkdf2$1000$" + raw64(salt) + "$" + raw64(key("sha1", salt, 1000))),
        ("passlib's form, 20 bytes", "$pbkdf2-sha512$1000$" + ab64(salt) + "$" + ab64(key("sha512", salt, 1000, 20))),
        ("passlib's cta_pbkdf2_sha1", "$p5k2$3e8$" + base64.urlsafe_b64encode(salt).decode() + "$" + base64.urlsafe_b64encode(key("sha1", salt, 1000)).decode()),
        ("Mattermost 11", "$pbkdf2$f=SHA256,w=1000,l=32$" + raw64(salt) + "$" + raw64(key("sha256", salt, 1000))),
        ("Jakarta Security", "PBKDF2WithHmacSHA256:1000:" + b64(salt) + ":" + b64(key("sha256", salt, 1000))),
        ("Jakarta Security", "PBKDF2WithHmacSHA224:1000:" + b64(salt) + ":" + b64(key("sha224", salt, 1000))),
        ("mosquitto-go-auth", "PBKDF2$sha512$1000$" + b64(salt) + "$" + b64(key("sha512", salt, 1000, 32))),
        ("mosquitto", "$7$101$" + b64(salt) + "$" + b64(key("sha512", salt, 101))),
        ("mosquitto", "$6$" + b64(salt) + "$" + b64(digest("sha512", p + salt).digest())),
        ("MediaWiki", ":pbkdf2:sha512:1000:64:" + b64(salt) + ":" + b64(key("sha512", salt, 1000))),
        ("MediaWiki", ":A:" + digest("md5", p).hexdigest()),
        ("web2py", "pbkdf2(1000,20,sha512)$" + text + "$" + key("sha512", t, 1000, 20).hex()),
        ("web2py", "sha512$" + text + "$" + digest("sha512", p + t).hexdigest()),
        ("Django's subclasses", "sha256$" + text + "$" + digest("sha256", t + p).hexdigest()),
        ("Joomla before 3.2, salt last", digest("md5", p + b"aBcDeFgHiJkLmNoP").hexdigest() + ":aBcDeFgHiJkLmNoP"),
        ("389-ds before 2", "{PBKDF2_SHA256}" + b64((1000).to_bytes(4, "big") + salt * 4 + key("sha256", salt * 4, 1000, 256))),
        ("OpenDJ", "{PBKDF2-HMAC-SHA256}1000:" + b64(key("sha256", salt, 1000) + salt)),
        ("Dovecot", "{PBKDF2}$1$" + text + "$1000$" + key("sha1", t, 1000).hex()),
        ("Dovecot", "{SHA256.HEX}" + digest("sha256", p).hexdigest()),
        ("Dovecot", "{SSHA512.b64}" + b64(digest("sha512", p + salt).digest() + salt)),
        ("Dovecot", "{PLAIN-MD5}" + digest("md5", p).hexdigest()),
        ("Dovecot", "{LDAP-MD5}" + b64(digest("md5", p).digest())),
        ("simple-scrypt", "1024$8$1$" + salt.hex() + "$" + hashlib.scrypt(p, salt=salt, n=1024, r=8, p=1, dklen=32).hex()),
        ("Ruby's scrypt", "400$8$1$00" + salt[1:].hex() + "$" + hashlib.scrypt(p, salt=salt[1:], n=1024, r=8, p=1, dklen=32).hex()),
        ("@phc/scrypt", "$scrypt$n=10,r=8,p=1$" + raw64(salt) + "$" + raw64(hashlib.scrypt(p, salt=salt, n=1024, r=8, p=1, dklen=32))),
        ("Werkzeug", "pbkdf2:sha384:1000$" + text + "$" + key("sha384", t, 1000).hex()),
        ("Kratos, twice", "$sha256$pf=e1BBU1NXT1JEfXtTQUxUfXtQQVNTV09SRH0=$" + b64(t) + "$" + b64(digest("sha256", p + t + p).digest())),
        ("Kratos, l of another length", "$pbkdf2-sha256$i=1000,l=16$" + raw64(salt) + "$" + raw64(key("sha256", salt, 1000)))):
    out(maker, pw, h)
shiro = digest("sha256", salt + p).digest()
for _ in range(999):
    shiro = digest("sha256", shiro).digest()
out("Shiro 1", pw, "$shiro1$SHA-256$1000$" + b64(salt) + "$" + b64(shiro))

# Others' hashes behind names.
for h in ("1|{}", "#jbcrypt:{}", "crypt$${}"):
    out("Names of servers", "U*U", h.format("$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"))
out("GLAuth", "U*U", b"$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW".hex())
out("argon2, padded", "Winter-2026 sun", "$argon2id$v=19$m=64,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg==$YxPktF5tEMDttK5Y3rUhuYX+H8lFCwFC1s+uVRKBHck=")
inner = lambda minor, salt: "$bcrypt-sha256$v=2,t=" + minor + ",r=4$" + salt + "$" + bcrypt.hashpw(
    base64.b64encode(hmac.new(salt.encode(), pw.encode(), "sha256").digest()), b"$2b$04$" + salt.encode()).decode()[29:]
for minor in ("2a", "2x", "2y"):
    out("passlib's bcrypt_sha256", pw, inner(minor, "n79VH.0Q2TMWmt3Oqt9uku"))
out("Supabase, without ss", "Winter-2026 sun", "$fbscrypt$v=1,n=14,r=8,p=1,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$c2FsdHNhbHQ=$J3RE66sVVwWr5kSPkt7AOteqbQzuHEzcRCPIyyad6CRPJfviKOS5177O2kVT5qJtpVfxEfyt+o+8VYl9KbP0GQ==")

# The rows that have no vector above, by the makers' sources or the files named.
for maker, pw, h in (
        ("AdonisJS' tests", "password", "$scrypt$n=16384,r=8,p=1$YhdCGu1G+vTC6F9oJZ16lg$IDWTbizFCq5n9YvPiy3YTPdUD12Nf1Iit8aQeGyWZdA9k9L8rKk9Ii5jQxSkV0MJyxr3/nzOHh+VTht0KFxiBA"),
        ("hashcat 11, salt last", "hashcat", "b78f863f2c67410c41e617f724e22f34:89384528665349271307465505333378"),
        ("hashcat 20, salt last", "hashcat", "57ab8499d08c59a7211c77f557bf9425:4247"),
        ("hashcat 2611, salt last", "hashcat", "28f9975808ae2bdc5847b1cda26033ea:308"),
        ("hashcat 2711, salt last", "hashcat", "0844fbb2fdeda31884a7a45ec2010bb6:324410183853308365427804872426"),
        ("hashcat 2811, salt last", "hashcat", "022f7e02b3314f7d0968f73c00ba759f:67588"),
        ("hashcat 30000", "hashcat", "md5$84143$7f51edecfa6fb401a0b5e63d33fc8c0e"),
        ("hashcat 30120", "hashcat", "sha256$70108387805$8b9472281c36c3a693703de0e0f1ffab8fc0ecdd3bc5ead04c76dd74ef431e49"),
        ("pbkdf2-check.c of jpmens/mosquitto-auth-plug", "password", "PBKDF2$sha1$98$XaIs9vQgmLujKHZG4/B3dNTbeP2PyaVKySTirZznBrE=$2DX/HZDTojVbfgAIdozBi6CihjWP1+akYnh/h9uQfIVl6pLoAiwJe1ey2WW2BnT+")):
    out(maker, pw, h)
argon2 = "$argon2id$v=19$m=64,t=1,p=1$vbdWSiml9L6XknJuTQkBYA$myNPFwE+zecSEyt35CcQPhTE+4iMGG91l+PTc8Ypq9E"  # of "pässword", as above
for name in ("2|", "3|", ":argon2:", "{ARGON2ID}"):
    out("Names of servers", "pässword", name + argon2)
pw = "pässwörd"
for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512"):
    plain, salted = digest(name, p).digest(), digest(name, p + salt).digest() + salt
    for form in [name] + ["sha"] * (name == "sha1"):
        for coding, encode in (("", b64), (".b64", b64), (".hex", bytes.hex)):
            out("Dovecot, RFC 2307", pw, "{" + form.upper() + coding + "}" + encode(plain))
            out("Dovecot, RFC 2307", pw, "{S" + form.upper() + coding + "}" + encode(salted))
    out("web2py", pw, f"pbkdf2(1000,16,{name})${text}$" + key(name, t, 1000, 16).hex())
    out("web2py", pw, f"{name}${text}$" + digest(name, p + t).hexdigest())
    out("Django, salted", pw, f"{name}${text}$" + digest(name, t + p).hexdigest())
    out("Werkzeug", pw, f"pbkdf2:{name}:1000${text}$" + key(name, t, 1000).hex())
    out("Werkzeug 2.3", pw, f"{name}${text}$" + hmac.new(t, p, name).hexdigest())
for name in ("sha1", "sha224", "sha256", "sha384", "sha512"):
    for encode in (b64, raw64):
        out("passlib's form in standard base64", pw, f"$pbkdf2-{name}$1000$" + encode(salt) + "$" + encode(key(name, salt, 1000, 31)))
for name, java in (("sha224", "224"), ("sha256", "256"), ("sha384", "384"), ("sha512", "512")):
    out("Jakarta Security", pw, f"PBKDF2WithHmacSHA{java}:1000:" + b64(salt) + ":" + b64(key(name, salt, 1000)))
for name, java in (("md5", "MD5"), ("sha1", "SHA-1"), ("sha256", "SHA-256"), ("sha384", "SHA-384"), ("sha512", "SHA-512")):
    one = digest(name, salt + p).digest()
    for _ in range(999):
        one = digest(name, one).digest()
    out("Shiro 1", pw, f"$shiro1${java}$1000$" + b64(salt) + "$" + b64(one))
    if name in ("md5", "sha1", "sha256"):
        out("Spring Security", pw, "{" + java + "}" + digest(name, p).hexdigest())
for name in ("sha1", "sha256", "sha512"):
    out("MediaWiki", pw, f":pbkdf2:{name}:1000:{digest(name, p).digest_size}:" + b64(salt) + ":" + b64(key(name, salt, 1000)))
    out("mosquitto-auth-plug", pw, f"PBKDF2${name}$901$" + b64(salt[:12]) + "$" + b64(key(name, b64(salt[:12]).encode(), 901, 24)))
for maker, h in (
        ("passlib's form in base64", "$pbkdf2$1000$" + b64(salt) + "$" + b64(key("sha1", salt, 1000))),
        ("Mattermost 11", "$pbkdf2$f=SHA512,w=1000,l=64$" + raw64(salt) + "$" + raw64(key("sha512", salt, 1000))),
        ("mosquitto-go-auth", "PBKDF2$sha256$1000$" + b64(salt) + "$" + b64(key("sha256", salt, 1000))),
        ("OpenLDAP", "{PBKDF2-SHA1}1000$" + ab64(salt) + "$" + ab64(key("sha1", salt, 1000))),
        ("OpenDJ", "{PBKDF2}1000:" + b64(key("sha1", salt, 1000) + salt)),
        ("OpenDJ", "{PBKDF2-HMAC-SHA512}1000:" + b64(key("sha512", salt, 1000) + salt)),
        ("passlib's form, 20 bytes", "$pbkdf2-sha256$1000$" + ab64(salt) + "$" + ab64(key("sha256", salt, 1000, 20))),
        ("Kratos, l of another length", "$pbkdf2-sha512$i=1000,l=16$" + raw64(salt) + "$" + raw64(key("sha512", salt, 1000)))):
    out(maker, pw, h)
for name, h in (("{SHA256-CRYPT}", "$5$rounds=1000$saltsalt$"), ("{MD5-CRYPT}", "$1$saltsalt$")):
    out("Names of servers", pw, name + libcrypt.crypt(p, h.encode()).decode())
