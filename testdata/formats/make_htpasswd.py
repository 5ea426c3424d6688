"""make_htpasswd answers for Apache's htpasswd: README.md has the questions."""
import subprocess
import tempfile

from maker import serve


def make(*options):
    def run(password):
        made = subprocess.run(["htpasswd", "-ni", *options, "u"], input=password, capture_output=True)
        if made.returncode:
            raise ValueError(made.stderr.decode())
        return made.stdout.split()[0].removeprefix(b"u:")
    return run


def check(form, password, stored):
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"u:" + stored.encode() + b"\n")
        file.flush()
        said = subprocess.run(["htpasswd", "-vi", file.name, "u"], input=password, capture_output=True)
    if said.returncode not in (0, 3):  # 3: no match
        raise ValueError(said.stderr.decode())
    return said.returncode == 0


subprocess.run(["htpasswd"], capture_output=True)  # fails if there is none
version = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "apache2-utils"], capture_output=True).stdout.decode()
cheap = {"-B": make("-B", "-C", "4"), "-m": make("-m"), "-2": make("-2", "-r", "1000"), "-5": make("-5", "-r", "1000"),
         "-s": make("-s"), "-d": make("-d")}
default = {f"{option} default": make(option) for option in ("-B", "-2", "-5")}
serve("htpasswd of Apache " + (version or "of unknown version"), check, cheap, default)
