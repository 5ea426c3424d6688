# Copyright 2026 The fount Authors. All rights reserved.
# Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

"""A service in Flask, with fountd.py beside it. Another framework needs the same four functions."""

import flask
import fountd

app = flask.Flask(__name__)
users = {}  # a stored hash by name


@app.post("/signup")
def sign_up():
    form, address = flask.request.form, flask.request.remote_addr
    new = fountd.hash(form["password"], address)
    if users.setdefault(form["name"], new) is not new:  # INSERT, where the name is a unique key
        return "That name is taken.\n", 409
    return "Welcome.\n"


@app.post("/login")
def log_in():
    form, address = flask.request.form, flask.request.remote_addr
    stored = users.get(form["name"], "")
    match, new = fountd.verify(form["password"], stored, address)
    if new:
        users[form["name"]] = new  # UPDATE users SET hash = new WHERE name = ... AND hash = stored
    return "Welcome.\n" if match else ("The name or the password is wrong.\n", 403)


@app.errorhandler(fountd.Unavailable)
def unavailable(e):
    app.logger.error("%s", e)
    return "Please try again soon.\n", 503, {"Retry-After": e.retry_after}


@app.errorhandler(fountd.InvalidPassword)
def invalid(e):
    return f"{e}\n", 422
