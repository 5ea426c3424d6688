#!/usr/bin/env python3
"""moves.py N COSTS SEED prints a store of N users of Django and of PHP: maker | password in hex | stored hash.

COSTS is real (the makers' defaults of their time), part (a 32nd of these), or least (what a test of a second takes).
The seed decides who has which form and which password; the salts are the makers' own. It needs Django with argon2-cffi and
bcrypt, passlib for phpass, and php with Argon2 in the PATH. Moves.txt is of

    moves.py 240 least 24 >moves.txt
"""
import base64
import importlib.metadata as meta
import random
import subprocess
import sys

import django
from django.conf import settings

settings.configure(PASSWORD_HASHERS=["django.contrib.auth.hashers." + h for h in (
    "PBKDF2PasswordHasher", "Argon2PasswordHasher", "BCryptPasswordHasher", "BCryptSHA256PasswordHasher",
    "ScryptPasswordHasher", "MD5PasswordHasher")])
from django.contrib.auth import hashers
from passlib.hash import phpass

users, costs, seed = int(sys.argv[1]), ("real", "part", "least").index(sys.argv[2]), int(sys.argv[3])
rand = random.Random(seed)

# percent of the users, maker, algorithm, its attribute or option, and that by COSTS
mix = (
    (14, "Django 1.8", "pbkdf2_sha256", "iterations", (20_000, 625, 50)),
    (12, "Django 2.2", "pbkdf2_sha256", "iterations", (150_000, 4_687, 300)),
    (10, "Django 4.0", "pbkdf2_sha256", "iterations", (320_000, 10_000, 600)),
    (8, "Django 5.2", "pbkdf2_sha256", "iterations", (1_000_000, 31_250, 2_000)),
    (6, "Django", "md5", "", (0, 0, 0)),
    (5, "Django", "bcrypt_sha256", "rounds", (12, 7, 4)),
    (2, "Django", "bcrypt", "rounds", (12, 7, 4)),
    (4, "Django", "scrypt", "work_factor", (2**14, 2**9, 2**4)),
    (4, "Django", "argon2", "memory_cost", (102_400, 3_200, 256)),
    (12, "PHP phpass", "phpass", "rounds", (13, 8, 7)),
    (14, "PHP 8.3", "2y", "cost", (10, 5, 4)),
    (5, "PHP 8.4", "2y", "cost", (12, 7, 5)),
    (4, "PHP", "argon2id", "memory_cost", (65_536, 2_048, 256)),
)


def password(i, algorithm):
    """password returns one that this algorithm's maker takes."""
    kind = rand.random()
    bcrypt = algorithm in ("bcrypt", "2y")
    if kind < 0.10:
        return f"pässwörd €{i} 🐎".encode()
    if kind < 0.13:
        return f"{i:-<72}".encode()
    if kind < 0.16 and algorithm != "bcrypt":  # Python's bcrypt refuses more than 72 bytes; PHP cuts them
        return f"{i:=<73}".encode()
    if kind < 0.18 and not bcrypt:
        return f"nul\0{i}".encode()
    if kind < 0.20 and algorithm in ("2y", "argon2id", "phpass"):
        return f"Straße {i}".encode("latin-1")
    return f"correct horse {i}".encode()


def by_php(todo):
    """by_php has one process of PHP make all its hashes."""
    code = """while (($line = fgets(STDIN)) !== false) {
        [$algorithm, $cost, $password] = explode(' ', trim($line));
        echo $algorithm === '2y' ? password_hash(base64_decode($password), PASSWORD_BCRYPT, ['cost' => (int)$cost])
            : password_hash(base64_decode($password), PASSWORD_ARGON2ID, ['memory_cost' => (int)$cost, 'time_cost' => 4, 'threads' => 1]), "\\n";
    }"""
    lines = "".join(f"{a} {c} {base64.b64encode(p).decode()}\n" for a, c, p in todo)
    return subprocess.run(["php", "-r", code], input=lines.encode(), capture_output=True, check=True).stdout.decode().split()


rows, todo = [], []
for i in range(users):
    _, maker, algorithm, name, cost = rand.choices(mix, [m[0] for m in mix])[0]
    cost, pw, encoded = cost[costs], password(i, algorithm), None
    if algorithm in ("2y", "argon2id"):
        todo.append((algorithm, cost, pw))
    elif algorithm == "phpass":
        encoded = phpass.using(rounds=cost).hash(pw)
    else:
        hasher = hashers.get_hasher(algorithm)
        if name:
            setattr(hasher, name, cost)
        encoded = hasher.encode(pw.decode(), hasher.salt())
    rows.append([maker, pw, encoded])
made = iter(by_php(todo))
php = subprocess.run(["php", "-r", "echo PHP_VERSION;"], capture_output=True, check=True).stdout.decode()
print(f"# {users} users, costs {sys.argv[2]}, seed {seed}: by Django {meta.version('django')}, PHP {php}, and passlib {meta.version('passlib')} for phpass.")
for maker, pw, encoded in rows:
    print(maker, pw.hex(), encoded or next(made), sep=" | ")
