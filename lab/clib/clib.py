# Copyright 2026 The fount Authors. All rights reserved.
# Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

# Argon2id by C libraries, timed here: around each call, so that neither Python's start nor the pipe counts.
# Arguments: files of further builds of libargon2. The first line of output has the libraries; then each line of
# input is a request, and has a line of output. The end of the input ends the process.

import sys

if sys.path[:1] == [""]:
    del sys.path[0]  # no module comes from the working directory

import ctypes
import ctypes.util
import json
import mmap
import os
import time

ARGON2ID = 2  # libargon2's Argon2_id and libsodium's crypto_pwhash_ALG_ARGON2ID13
PASSWORD, SALT = b"correct horse battery staple", bytes(range(16))
TAG = 32

u8p, u32 = ctypes.POINTER(ctypes.c_uint8), ctypes.c_uint32
ALLOCATE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_void_p), ctypes.c_size_t)
FREE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_size_t)


class Context(ctypes.Structure):
    """argon2_context of argon2.h"""
    _fields_ = [
        ("out", ctypes.c_char_p), ("outlen", u32), ("pwd", ctypes.c_char_p), ("pwdlen", u32),
        ("salt", ctypes.c_char_p), ("saltlen", u32), ("secret", ctypes.c_void_p), ("secretlen", u32),
        ("ad", ctypes.c_void_p), ("adlen", u32), ("t_cost", u32), ("m_cost", u32), ("lanes", u32), ("threads", u32),
        ("version", u32), ("allocate_cbk", ctypes.c_void_p), ("free_cbk", ctypes.c_void_p), ("flags", u32),
    ]


class Kept:
    """Memory that one hash leaves to the next, in huge pages where the system has them."""

    def __init__(self):
        self.memory, self.view = None, None
        self.allocate, self.free = ALLOCATE(self._allocate), FREE(lambda memory, size: None)

    def _allocate(self, memory, size):
        if self.memory is None or len(self.memory) != size:
            self.memory, self.view = None, None
            self.memory = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            if hasattr(mmap, "MADV_HUGEPAGE"):
                try:
                    self.memory.madvise(mmap.MADV_HUGEPAGE)
                except OSError:
                    pass  # a kernel without them
            self.view = (ctypes.c_uint8 * size).from_buffer(self.memory)
        memory[0] = ctypes.addressof(self.view)
        return 0


kept = Kept()


def argon2(function, message):
    """By libargon2's argon2_ctx."""
    def prepare(m, t, p, keep):
        out = ctypes.create_string_buffer(TAG)
        allocate = ctypes.cast(kept.allocate, ctypes.c_void_p) if keep else None
        free = ctypes.cast(kept.free, ctypes.c_void_p) if keep else None

        def run():
            c = Context(ctypes.cast(out, ctypes.c_char_p), TAG, PASSWORD, len(PASSWORD), SALT, len(SALT), None, 0, None, 0,
                        t, m, p, p, 0x13, allocate, free, 0)
            start = time.perf_counter_ns()
            status = function(ctypes.byref(c), ARGON2ID)
            return time.perf_counter_ns() - start, status and message(status).decode()
        return out, run
    return prepare


def pwhash(function):
    """By libsodium's crypto_pwhash, which has no parallelism and no memory of the caller's."""
    def prepare(m, t, p, keep):
        if p != 1:
            raise ValueError("computes p=1 only")
        if keep:
            raise ValueError("can't keep its memory")
        out = ctypes.create_string_buffer(TAG)

        def run():
            start = time.perf_counter_ns()
            status = function(out, TAG, PASSWORD, len(PASSWORD), SALT, t, m << 10, ARGON2ID)
            return time.perf_counter_ns() - start, status and "refused these parameters"
        return out, run
    return prepare


def of_argon2(ctx, message):
    ctx.restype, ctx.argtypes = ctypes.c_int, [ctypes.c_void_p, ctypes.c_int]
    message.restype, message.argtypes = ctypes.c_char_p, [ctypes.c_int]
    return argon2(ctx, message)


def of_sodium(init, function):
    init.restype, init.argtypes = ctypes.c_int, []
    ull = ctypes.c_ulonglong
    function.restype = ctypes.c_int
    function.argtypes = [ctypes.c_char_p, ull, ctypes.c_char_p, ull, ctypes.c_char_p, ull, ctypes.c_size_t, ctypes.c_int]
    if init() < 0:
        raise OSError("sodium_init failed")
    return pwhash(function)


def shared(names):
    for name in names:
        try:
            return ctypes.CDLL(name), name
        except (OSError, TypeError):
            pass
    raise OSError


def mapped(name):
    """The path of a library that is mapped, or its name."""
    try:
        with open("/proc/self/maps") as maps:
            for line in maps:
                path = line.split(maxsplit=5)[5:]
                if path and path[0].strip().split("/")[-1].startswith(name):
                    return path[0].strip()
    except OSError:
        pass
    return name


def file_argon2(name):
    file = os.path.abspath(name)  # a name without a slash would be looked for where the system has its libraries
    lib = ctypes.CDLL(file)
    return of_argon2(lib.argon2_ctx, lib.argon2_error_message), file


def system_argon2():
    lib, name = shared([ctypes.util.find_library("argon2"), "libargon2.so.1", "libargon2.dylib"])
    return of_argon2(lib.argon2_ctx, lib.argon2_error_message), mapped(name)


def system_sodium():
    lib, name = shared([ctypes.util.find_library("sodium"), "libsodium.so.23", "libsodium.so.26", "libsodium.dylib"])
    return of_sodium(lib.sodium_init, lib.crypto_pwhash), mapped(name)


def function(ffi, lib, name, result, *arguments):
    """A C function of a cffi module, as ctypes calls it: without the interpreter's lock, like those of shared."""
    return ctypes.CFUNCTYPE(result, *arguments)(int(ffi.cast("uintptr_t", ffi.addressof(lib, name))))


def wheel_argon2():
    import _argon2_cffi_bindings as module
    ffi, lib = module.ffi, module.lib
    ctx = function(ffi, lib, "argon2_ctx", ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
    message = function(ffi, lib, "argon2_error_message", ctypes.c_char_p, ctypes.c_int)
    return argon2(ctx, message), mapped(module._ffi.__file__.split("/")[-1])


def wheel_sodium():
    from nacl import _sodium
    ffi, lib = _sodium.ffi, _sodium.lib
    ull, text = ctypes.c_ulonglong, ctypes.c_char_p
    if lib.sodium_init() < 0:
        raise OSError("sodium_init failed")
    call = function(ffi, lib, "crypto_pwhash", ctypes.c_int, text, ull, text, ull, text, ull, ctypes.c_size_t, ctypes.c_int)
    return pwhash(call), _sodium.__file__


KNOWN = {"libargon2": system_argon2, "argon2-cffi": wheel_argon2, "libsodium": system_sodium, "PyNaCl": wheel_sodium}
libraries = {}


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def discover(files):
    found, failed = [], {}
    for name, load in list(KNOWN.items()) + [(f, lambda f=f: file_argon2(f)) for f in files]:
        try:
            libraries[name], file = load()
            found.append({"name": name, "file": file})
        except (ImportError, OSError, AttributeError) as error:
            failed[name] = str(error) if name in files else ""
    say({"libraries": found, "failed": failed})


def answer(request):
    out, run = libraries[request["library"]](request["m"], request["t"], request["p"], request["keep"])
    elapsed, hashes, cpu = 0, 0, time.process_time_ns()
    while hashes < request["hashes"] or elapsed < request["ns"]:
        ns, error = run()
        if error:
            raise ValueError(error)
        elapsed, hashes = elapsed + ns, hashes + 1
    return {"ns": elapsed, "cpu_ns": time.process_time_ns() - cpu, "hashes": hashes, "tag": out.raw.hex()}


discover(sys.argv[1:])
for line in sys.stdin:
    try:
        say(answer(json.loads(line)))
    except (ValueError, KeyError, OSError, MemoryError) as error:
        say({"error": str(error) or type(error).__name__})
