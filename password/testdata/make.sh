#!/bin/bash
# make.sh prints hashes.txt anew: hashes that other programs made, each with the
# program and its version. It needs Python with bcrypt, argon2-cffi and passlib
# (PYTHON names the interpreter), and the Debian packages php-cli, apache2-utils,
# whois, perl and openssl. Salts are fixed where the maker lets its caller choose.

set -euo pipefail
python=${PYTHON:-python3}

echo '# Hashes made by others: name of the maker | password in hex | stored hash.'
echo '# Written by make.sh, which has the command of each.'

"$python" - <<'P'
import bcrypt, argon2, passlib
from argon2.low_level import Type, hash_secret
from passlib.hash import pbkdf2_sha256, pbkdf2_sha512, scrypt
import importlib.metadata as m
def out(maker, pw, h):
    print(maker, pw.hex(), h.decode() if isinstance(h, bytes) else h, sep=" | ")
pws = [b"correct horse battery staple", "pässwörd €".encode(), bytes(range(1, 73)), b"\xff\xa3\x345"]
v = "Python bcrypt " + m.version("bcrypt")
for pw in pws:
    for prefix in (b"2a", b"2b"):
        out(v, pw, bcrypt.hashpw(pw, bcrypt.gensalt(5, prefix)))
out(v, b"nul\0inside", bcrypt.hashpw(b"nul\0inside", bcrypt.gensalt(5)))
v = "argon2-cffi " + m.version("argon2-cffi")
for pw in pws + [b"nul\0inside"]:
    for t in (Type.ID, Type.I, Type.D):
        out(v, pw, hash_secret(pw, b"0123456789abcdef", 2, 64, 1, 32, t))
out(v, pws[0], hash_secret(pws[0], b"saltsalt", 3, 128, 4, 16, Type.ID))
out(v, pws[0], hash_secret(pws[0], b"0123456789abcdef", 1, 71, 2, 64, Type.D))
out(v, pws[0], argon2.PasswordHasher().hash(pws[0]))
v = "passlib " + m.version("passlib")
for pw in pws + [b"nul\0inside", b"x" * 100]:
    out(v, pw, pbkdf2_sha256.using(rounds=1000).hash(pw))
    out(v, pw, pbkdf2_sha512.using(rounds=1000).hash(pw))
    out(v, pw, scrypt.using(rounds=8).hash(pw))
P
"$python" - <<'P' 2>/dev/null
# passlib 1.7.4 probes bcrypt with a password of 255 bytes, which bcrypt 5 refuses.
import bcrypt, importlib.metadata as m
bcrypt.__about__ = type("about", (), {"__version__": bcrypt.__version__})
real = bcrypt.hashpw
bcrypt.hashpw = lambda pw, salt: real(pw[:72], salt)
from passlib.hash import bcrypt_sha256
v = "passlib " + m.version("passlib") + " with Python bcrypt " + m.version("bcrypt")
for pw in [b"correct horse battery staple", "pässwörd €".encode(), b"x" * 100]:
    print(v, pw.hex(), bcrypt_sha256.using(rounds=5).hash(pw), sep=" | ")
P

"$python" - <<'P'
# fount's own forms, made without fount: docs/design.md in
# Python, with the key "k1", the 32 bytes 0, 1, ... 31. Argon2's secret input K
# is only in argon2-cffi's low level; bcrypt's salt and sum are decoded from its
# own alphabet.
import base64, bcrypt, hashlib, hmac, importlib.metadata as m
from argon2.low_level import Type, core, ffi, lib
key, keyid, salt = bytes(range(32)), base64.b64encode(b"k1").decode().rstrip("="), b"0123456789abcdef"
b64 = lambda b: base64.b64encode(b).decode().rstrip("=")
std = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
own = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
def unbcrypt(s):
    return base64.b64decode(s.translate(str.maketrans(own, std)) + "=" * (-len(s) % 4))
def pre(pw):
    return base64.b64encode(hmac.digest(key, pw, "sha384"))
def argon2(pw, t):
    out, cpw, csalt, ckey = ffi.new("uint8_t[]", 32), ffi.new("uint8_t[]", pw), ffi.new("uint8_t[]", salt), ffi.new("uint8_t[]", key)
    c = ffi.new("argon2_context*", dict(version=19, out=out, outlen=32, pwd=cpw, pwdlen=len(pw), salt=csalt, saltlen=len(salt),
        secret=ckey, secretlen=len(key), ad=ffi.NULL, adlen=0, t_cost=2, m_cost=64, lanes=2, threads=2,
        allocate_cbk=ffi.NULL, free_cbk=ffi.NULL, flags=lib.ARGON2_DEFAULT_FLAGS))
    assert core(c, t.value) == 0
    return bytes(ffi.buffer(out))
for pw in (b"correct horse battery staple", "pässwörd €".encode(), b"nul\0inside", b"x" * 100):
    h = bcrypt.hashpw(pre(pw), bcrypt.gensalt(5)).decode()
    s, d = unbcrypt(h[7:29]), unbcrypt(h[29:])
    print("Python hmac, bcrypt " + m.version("bcrypt"), pw.hex(), f"$fount-bcrypt$v=1$r=5,keyid={keyid}${b64(s)}${b64(d)}", sep=" | ")
    for t, name in ((Type.ID, "argon2id"), (Type.I, "argon2i"), (Type.D, "argon2d")):
        print("argon2-cffi-bindings " + m.version("argon2-cffi-bindings"), pw.hex(), f"${name}$v=19$m=64,t=2,p=2,keyid={keyid}${b64(salt)}${b64(argon2(pw, t))}", sep=" | ")
    d = hashlib.pbkdf2_hmac("sha256", pre(pw), salt, 1000)
    print("Python hmac, hashlib", pw.hex(), f"$pbkdf2-sha256$i=1000,keyid={keyid}${b64(salt)}${b64(d)}", sep=" | ")
    d = hashlib.scrypt(pre(pw), salt=salt, n=256, r=8, p=2, dklen=32)
    print("Python hmac, hashlib", pw.hex(), f"$scrypt$ln=8,r=8,p=2,keyid={keyid}${b64(salt)}${b64(d)}", sep=" | ")
P

php -r '
$v = "PHP " . PHP_VERSION;
foreach (["correct horse battery staple", "pässwörd €", str_repeat("x", 100), "\xff\xa3345"] as $pw) {
    echo "$v | ", bin2hex($pw), " | ", password_hash($pw, PASSWORD_BCRYPT, ["cost" => 5]), "\n";
    echo "$v | ", bin2hex($pw), " | ", password_hash($pw, PASSWORD_ARGON2ID, ["memory_cost" => 64, "time_cost" => 2]), "\n";
    echo "$v | ", bin2hex($pw), " | ", password_hash($pw, PASSWORD_ARGON2I, ["memory_cost" => 64, "time_cost" => 2]), "\n";
}'

apache="htpasswd -B of Apache $(dpkg-query -W -f '${Version}' apache2-utils)"
hex() { printf %s "$1" | od -An -v -tx1 | tr -d ' \n'; }
for pw in 'correct horse battery staple' 'pässwörd €'; do
    echo "$apache | $(hex "$pw") | $(htpasswd -nbB -C 5 user "$pw" | sed -n 's/^user://p')"
done

crypt="libxcrypt $(dpkg-query -W -f '${Version}' libcrypt1)"
for pw in 'correct horse battery staple' 'pässwörd €' "$(printf '%0100d' 7)"; do
    for setting in '$2a$05$abcdefghijklmnopqrstuu' '$2b$05$abcdefghijklmnopqrstuu' '$2y$05$abcdefghijklmnopqrstuu' \
        '$7$5/..../....SaltOf16Letters.'; do
        echo "$crypt | $(hex "$pw") | $(perl -e 'print crypt($ARGV[0], $ARGV[1])' "$pw" "$setting")"
    done
    echo "$crypt, mkpasswd | $(hex "$pw") | $(mkpasswd -m bcrypt -R 5 "$pw")"
done

# OpenSSL computes, and formats nothing: passlib's alphabet has '.' for '+'.
openssl="$(openssl version | cut -d' ' -f1,2)"
ab64() { base64 -w0 | tr -d = | tr + .; }
b64() { base64 -w0 | tr -d =; }
pw='correct horse battery staple'
for digest in SHA256:32 SHA512:64; do
    sum=$(openssl kdf -keylen "${digest#*:}" -kdfopt "digest:${digest%:*}" -kdfopt "pass:$pw" -kdfopt salt:0123456789abcdef \
        -kdfopt iter:1000 -binary PBKDF2 | ab64)
    name=$(tr A-Z a-z <<<"${digest%:*}")
    echo "$openssl | $(hex "$pw") | \$pbkdf2-$name\$1000\$$(printf 0123456789abcdef | ab64)\$$sum"
done
sum=$(openssl kdf -keylen 32 -kdfopt "pass:$pw" -kdfopt salt:0123456789abcdef -kdfopt n:1024 -kdfopt r:8 -kdfopt p:2 \
    -binary SCRYPT | b64)
echo "$openssl | $(hex "$pw") | \$scrypt\$ln=10,r=8,p=2\$$(printf 0123456789abcdef | b64)\$$sum"
