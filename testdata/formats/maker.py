"""maker answers for a maker of password hashes that is written in Python: README.md has the questions."""
import sys


def text(password):
    """Returns a password as text, for makers that take no bytes."""
    try:
        return password.decode()
    except UnicodeDecodeError:
        raise ValueError("takes text, and this is no UTF-8") from None


def attempt(call, *args):
    """Returns what call does, or on one line why it does not."""
    try:
        answer = call(*args)
    except Exception as e:
        answer = "! " + (" ".join(str(e).split()) or type(e).__name__)[:120]
    if isinstance(answer, bytes):
        answer = answer.decode()
    return {True: "y", False: "n"}.get(answer, answer)


def serve(version, check, cheap, default={}, published=lambda: ()):
    """Answers the questions on standard input.

    cheap and default are the maker's forms: a name, and a function from a password to its hash. published returns
    those of the maker's own tests: forms, passwords and hashes.
    """
    print(version)
    for line in sys.stdin:
        match line.rstrip("\n").split(" | "):
            case ["check", form, given, stored]:
                print(attempt(check, form, bytes.fromhex(given), stored))
            case ["published"]:
                for form, password, stored in published():
                    print(form + " tests", password.hex(), stored, sep=" | ")
            case ["make" | "default" as verb, given]:
                for form, make in (default if verb == "default" else cheap).items():
                    print(form, given, attempt(make, bytes.fromhex(given)), sep=" | ")
