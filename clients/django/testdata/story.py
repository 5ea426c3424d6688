# Copyright 2026 The fount Authors. All rights reserved.
# Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

"""A store that Django has filled moves to fountd by what README.md says, pasted, and every user tries
the right and another password before, during and after an outage.

Usage: story.py REPOSITORY USERS, with fount and fountd in PATH. The status is 77 if something is missing.
"""

import collections
import concurrent.futures
import contextlib
import glob
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

try:
    import argon2, bcrypt, django, gunicorn, psycopg, pytest_django  # noqa: E401
except ImportError as e:
    print(f"{e}; want Django, argon2-cffi, bcrypt, gunicorn, psycopg and pytest-django")
    sys.exit(77)
found = sorted(glob.glob("/usr/lib/postgresql/*/bin")) or [os.path.dirname(shutil.which("initdb") or "")]
if not os.path.exists(found[-1] + "/initdb"):
    print("PostgreSQL's initdb is missing")
    sys.exit(77)

if len(sys.argv) < 3:
    sys.exit(__doc__)

repository, users = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
work = pathlib.Path(tempfile.mkdtemp(prefix="story", dir="/tmp"))
work.chmod(0o755)
project, place = work / "shop", work / "postgres"
page = (repository / "clients/django/README.md").read_text()
os.environ |= {
    "PATH": f"{os.path.dirname(sys.executable)}:{found[-1]}:{os.environ['PATH']}",
    "FOUNTD_URL": str(work / "fountd.sock"), "PYTHONDONTWRITEBYTECODE": "1", "PGHOST": str(place), "HOME": str(work)}
started = contextlib.ExitStack()


def block(language, words):
    """Return the page's one block of a language that has the words."""
    [text] = [b for b in re.findall(rf"^```{language}\n(.*?)^```", page, re.M | re.S) if words in b]
    return text


def run(*command, want=0, **more):
    done = subprocess.run(command, cwd=project, text=True, capture_output=True, **more)
    if done.returncode != want:
        sys.exit(f"{command} ended with {done.returncode}; want {want}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def manage(*command, **more):
    return run("python", "manage.py", *command, **more)


def query(sql):
    with psycopg.connect(f"host={place} user=postgres dbname=shop") as db:
        done = db.execute(sql)
        return done.fetchall() if done.description else None


def start(*command, log, **more):
    process = subprocess.Popen(command, stdout=log.open("a"), stderr=subprocess.STDOUT, start_new_session=True, **more)
    started.callback(stop, process)
    return process


def stop(process, sign=signal.SIGTERM):
    if process.poll() is None:
        os.killpg(process.pid, sign)
        process.wait()


def eventually(what, condition):
    end = time.monotonic() + 60
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"not in a minute: {what}\n{logs()}")
        time.sleep(0.02)


def accepts(path):
    with socket.socket(socket.AF_UNIX) as s:
        return s.connect_ex(str(path)) == 0


def want(what, is_, wanted):
    if is_ != wanted:
        sys.exit(f"{what}: {is_!r}; want {wanted!r}\n{logs()}")


def logs():
    return "".join(f"{log}:\n{log.read_text()[-8000:]}" for log in work.glob("*.log"))


# PostgreSQL, which refuses to be root's.
def database():
    as_user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}
    place.mkdir()
    if as_user:
        shutil.chown(place, "postgres")
    data = place / "data"
    subprocess.run(["initdb", "-D", data, "-A", "trust", "-U", "postgres", "--no-sync"], check=True, stdout=subprocess.DEVNULL, **as_user)
    start("postgres", "-D", data, "-k", place, "-c", "listen_addresses=", "-c", "fsync=off", log=work / "database.log", **as_user)
    eventually("PostgreSQL", lambda: subprocess.run(["createdb", "-U", "postgres", "shop"], capture_output=True).returncode == 0)


VIEWS = '''
import json

from django.contrib.auth import authenticate, login
from django.contrib.auth.forms import UserCreationForm
from django.http import HttpResponse
from django.views.decorators.csrf import csrf_exempt


@csrf_exempt
def sign_in(request):
    given = json.loads(request.body)
    user = authenticate(request, **given)
    if user:
        login(request, user)
    return HttpResponse(status=204 if user else 401)


@csrf_exempt
def sign_up(request):
    given = json.loads(request.body)
    form = UserCreationForm({"username": given["username"], "password1": given["password"], "password2": given["password"]})
    if form.is_valid():
        form.save()
    return HttpResponse(status=204 if form.is_valid() else 400)
'''

TESTS = '''
from django.contrib.auth.models import User
from django.test import TestCase


class Tests(TestCase):
    def test_sign_in(self):
        User.objects.create_user("ada", password="correct horse")
        self.assertTrue(self.client.login(username="ada", password="correct horse"))
        self.assertFalse(self.client.login(username="ada", password="guess"))
'''

# What fills the store: hashers of Django's own, of several years, and a user's name and password for each hash.
FILL = '''
import concurrent.futures, json, sys
from django.contrib.auth import hashers
from django.contrib.auth.models import User

def of(name, **parameters):
    return type(name, (getattr(hashers, name),), parameters)()

kinds = {
    "pbkdf2_sha256, 1,000": of("PBKDF2PasswordHasher", iterations=1000),
    "pbkdf2_sha256, 36,000": of("PBKDF2PasswordHasher", iterations=36000),
    "pbkdf2_sha256, 150,000": of("PBKDF2PasswordHasher", iterations=150000),
    "pbkdf2_sha256, 720,000": of("PBKDF2PasswordHasher", iterations=720000),
    "pbkdf2_sha1": of("PBKDF2SHA1PasswordHasher", iterations=1000),
    "md5": hashers.MD5PasswordHasher(),
    "bcrypt_sha256, 4": of("BCryptSHA256PasswordHasher", rounds=4),
    "bcrypt_sha256, 10": of("BCryptSHA256PasswordHasher", rounds=10),
    "bcrypt, 4": of("BCryptPasswordHasher", rounds=4),
    "bcrypt, 4, 72 bytes": of("BCryptPasswordHasher", rounds=4),
    "scrypt": of("ScryptPasswordHasher", work_factor=1024),
    "argon2, 8 MiB": of("Argon2PasswordHasher", memory_cost=8192, parallelism=1),
    "argon2, Django's": hashers.Argon2PasswordHasher(),
    "unusable": None,
}
dear = "pbkdf2_sha256, 150,000", "pbkdf2_sha256, 720,000", "bcrypt_sha256, 10", "argon2, Django's"
common = [kind for kind in kinds if kind not in dear]
if int(sys.argv[1]) < 1000:  # a busy machine takes longer for these than fountd's second
    del kinds[dear[1]], kinds[dear[3]]
names = list(kinds) + [common[n % len(common)] for n in range(int(sys.argv[1]) - len(kinds))]

def fill(n, kind):
    password = f"Wört {n} für {kind}"
    if "72 bytes" in kind:
        password = f"{n} ".ljust(72, "x")
    hasher = kinds[kind]
    stored = hashers.make_password(password if hasher else None, hasher=hasher or "default")
    return User(username=f"user{n}", password=stored), kind, password

with concurrent.futures.ThreadPoolExecutor() as pool:
    filled = list(pool.map(fill, range(len(names)), names))
User.objects.bulk_create(user for user, *_ in filled)
json.dump([(user.username, kind, password) for user, kind, password in filled], open("filled.json", "w"))
'''

PROBES = '''
from django.contrib.auth.models import User
from django.test import Client

for user in User.objects.all():  # as the admin checks it
    user.full_clean()
User.objects.create_superuser("root", password="correct horse battery")
admin = Client(HTTP_HOST="localhost")
assert admin.login(username="root", password="correct horse battery")
user = User.objects.filter(password__startswith="fount_wrap$").first()
page = f"/admin/auth/user/{user.pk}/change/"
assert "fount_wrap" in admin.get(page).content.decode()
reply = admin.post(page, {"username": user.username, "first_name": "Ada", "is_active": "on", "date_joined_0": "2020-01-01", "date_joined_1": "00:00:00"})
assert reply.status_code == 302, reply.content.decode()
'''


def ask(path, **members):
    """Return the status that the service answers."""
    with contextlib.closing(http.client.HTTPConnection("localhost")) as server:
        server.sock = socket.socket(socket.AF_UNIX)
        server.sock.settimeout(60)
        server.sock.connect(str(work / "web.sock"))
        server.request("POST", path, json.dumps(members))
        return server.getresponse().status


def every(attempts, status):
    """Have all attempts, of a name and a password, answered by a status. A busy machine may say 503 before."""
    def attempt(given):
        while (answer := ask("/in", username=given[0], password=given[1])) == 503 != status:
            time.sleep(0.1)
        return answer

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(attempt, attempts))
    others = [(name, answer) for (name, _), answer in zip(attempts, answers) if answer != status]
    want(f"the users who were not answered by {status}", others, [])


def serve():
    process = start("fountd", "--form", "django", "--socket", os.environ["FOUNTD_URL"], "--max-wait", "1m",
                    log=work / "fountd.log")
    eventually("fountd", lambda: accepts(os.environ["FOUNTD_URL"]))
    return process


def tell(*words):
    print(f"{time.monotonic() - began:5.1f} s ", *words, flush=True)


def story():
    database()
    project.mkdir()
    run("django-admin", "startproject", "shop", ".")
    manage("startapp", "accounts")
    (project / "fount").symlink_to(repository)
    (project / "accounts/views.py").write_text(VIEWS)
    (project / "accounts/tests.py").write_text(TESTS)
    (project / "shop/urls.py").write_text("from django.contrib import admin\nfrom django.urls import path\nfrom accounts import views\n"
        'urlpatterns = [path("in", views.sign_in), path("up", views.sign_up), path("admin/", admin.site.urls)]\n')
    settings = project / "shop/settings.py"
    with settings.open("a") as f:
        f.write(f"""
INSTALLED_APPS += ["accounts"]
DATABASES = {{"default": {{"ENGINE": "django.db.backends.postgresql", "NAME": "shop", "USER": "postgres", "HOST": "{place}"}}}}
ALLOWED_HOSTS = ["*"]
DEBUG = False
MIDDLEWARE = [m for m in MIDDLEWARE if "csrf" not in m]
""")
    manage("migrate")
    manage("shell", "-c", f"import sys; sys.argv[1:] = ['{users}']\n" + FILL)
    filled = json.loads((project / "filled.json").read_text())
    right = {name: password for name, kind, password in filled if kind != "unusable"}
    unusable = {name for name, kind, _ in filled if kind == "unusable"}
    kinds = {name: kind for name, kind, _ in filled}
    tell(len(filled), "users:", dict(collections.Counter(kinds.values())))

    # What the page says, pasted.
    run("bash", "-c", block("sh", "cp "))
    with settings.open("a") as f:
        f.write(block("python", "PASSWORD_HASHERS"))
    (project / "accounts/migrations/0001_password.py").write_text(block("python", "AlterUser"))
    manage("makemigrations", "--check")
    manage("migrate")
    want("the column", query("SELECT character_maximum_length FROM information_schema.columns WHERE table_name = 'auth_user' AND column_name = 'password'"), [(640,)])
    manage("makemigrations", "--check")
    tell("settings and migration")

    # Tests need no fountd, which does not run yet.
    run("python", "manage.py", "test")
    run("python", "-m", "pytest", "-q", "accounts/tests.py", env=os.environ | {"DJANGO_SETTINGS_MODULE": "shop.settings"})
    tell("manage.py test and pytest, without fountd")

    fountd = serve()
    start("gunicorn", "--preload", "--workers", "8", "--bind", f"unix:{work / 'web.sock'}", "shop.wsgi", cwd=project, log=work / "gunicorn.log")
    eventually("gunicorn", lambda: accepts(work / "web.sock"))

    # Some sign in before their hashes are wrapped.
    first = dict(list(right.items())[::10])
    every([(name, password[:-1]) for name, password in first.items()], 401)
    every(list(first.items()), 204)
    tell("before the wrapping", len(first), "in")

    said = run("bash", "-c", block("sh", "dbshell"))
    tell(re.search(r".* wrapped, .*", said)[0], "|", re.search(r"UPDATE \d+", said)[0])
    wrapped = query("SELECT username FROM auth_user WHERE password LIKE 'fount_wrap$%'")
    [(longest,)] = query("SELECT max(length(password)) FROM auth_user")
    tell(len(wrapped), "wrapped; the longest has", longest)
    manage("shell", "-c", PROBES)

    # Away: nobody in, nobody out, no hash changed.
    before = query("SELECT username, password FROM auth_user ORDER BY id")
    stop(fountd)
    every(list(right.items()) + [(name, "guess") for name in right] + [(name, "guess") for name in unusable], 503)
    want("the store after the outage", query("SELECT username, password FROM auth_user ORDER BY id") == before, True)
    tell("fountd away: 503 for all")

    # Again: others' passwords first, as an upgrade must need the right one.
    fountd = serve()
    names = list(right)
    others = [(name, right[names[n - 1]]) for n, name in enumerate(names)]
    every([(name, password[:-1]) for name, password in right.items()] + others, 401)
    every([(name, "guess") for name in unusable] + [("nobody", "guess")], 401)
    every(list(right.items()), 204)
    stays = {name for name in right if kinds[name] in ("argon2, Django's", "bcrypt, 4, 72 bytes")}  # harder, and what other passwords match too

    def old():
        rows = query("SELECT username, password FROM auth_user")
        return {name: stored.split("$")[0] for name, stored in rows if name in right and not stored.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")}

    def upgraded():  # a busy machine has no time for a second hash
        late = [(name, right[name]) for name in old().keys() - stays]
        for one in late:
            every([one], 204)
        return not late

    eventually(f"the upgrade of all but {stays}", upgraded)
    tell("upgraded:", dict(collections.Counter(kinds[name] for name in right.keys() - old().keys())))
    tell("kept:", dict(collections.Counter(f"{kinds[name]}, as {stored}" for name, stored in old().items())))
    want("who keeps his hash", old().keys() ^ stays, set())

    # A restart every second, right and other passwords mixed: none is answered wrongly.
    signs, answers = [signal.SIGTERM, signal.SIGKILL], collections.Counter()
    attempts = [(name, password, 204) for name, password in right.items()] + [(name, password, 401) for name, password in others]
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        waiting = [pool.submit(lambda a: (ask("/in", username=a[0], password=a[1]), a[2]), a) for a in attempts]
        while not all(f.done() for f in waiting):
            time.sleep(0.5)
            stop(fountd, signs[0])
            signs.reverse()
            fountd = serve()
        for is_, wanted in (f.result() for f in waiting):
            answers[f"{is_} for {wanted}"] += 1
    tell("restarts:", dict(answers))
    want("wrong answers", set(answers) <= {"204 for 204", "401 for 401", "503 for 204", "503 for 401"}, True)

    # All again, and new users. What is new stays.
    before = query("SELECT username, password FROM auth_user ORDER BY id")
    every(list(right.items()), 204)
    every(others, 401)
    want("the store after another sign-in", query("SELECT username, password FROM auth_user ORDER BY id") == before, True)
    for n in range(10):
        want("a sign-up", ask("/up", username=f"new{n}", password=f"a good one, {n}"), 204)
    want("a sign-up with a long password", ask("/up", username="long", password="x" * 1025), 400)
    every([(f"new{n}", f"a good one, {n}") for n in range(10)], 204)
    every([(f"new{n}", f"a good one, {n + 1}") for n in range(10)], 401)
    log = logs()
    want("passwords in the log", [password for password in right.values() if password in log], [])
    tell("all in, others out, 10 signed up")


began = time.monotonic()
try:
    story()
finally:
    started.close()
    shutil.rmtree(work, ignore_errors=True)
