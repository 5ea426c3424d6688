"""make_bcrypt answers for PyPI's bcrypt: README.md has the questions."""
import bcrypt
from maker import serve

cheap = {p: lambda password, p=p: bcrypt.hashpw(password, bcrypt.gensalt(4, p.encode())) for p in ("2a", "2b")}
default = {"2b default": lambda password: bcrypt.hashpw(password, bcrypt.gensalt())}
serve("Python bcrypt " + bcrypt.__version__, lambda form, password, stored: bcrypt.checkpw(password, stored.encode()), cheap, default)
