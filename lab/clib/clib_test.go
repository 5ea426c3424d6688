// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clib

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/argon2"
)

// start starts the process, or skips where there is no Python.
func start(t *testing.T, files ...string) *Process {
	t.Helper()
	p, err := Start(files...)
	if errors.Is(err, ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// Each library that is there computes x/crypto's hash, with memory of its own and with memory kept, at one size after
// another; what it can't do is an error.
func TestArgon2id(t *testing.T) {
	p := start(t)
	for _, name := range Names {
		t.Run(name, func(t *testing.T) {
			if err := p.Missing(name); err != nil {
				t.Skip(err)
			}
			for _, params := range []Params{{64, 2, 1}, {96, 1, 3}, {64, 3, 1}} {
				for _, keep := range []bool{false, true, true} {
					run, err := p.Argon2id(name, params, keep, 3, 0)
					if !Keeps(name) && (keep || params.Parallelism > 1) {
						if err == nil {
							t.Errorf("%+v, keep %v: no error", params, keep)
						}
						continue
					}
					want := argon2.IDKey([]byte(Password), []byte(Salt), uint32(params.Iterations), uint32(params.Memory),
						uint8(params.Parallelism), TagSize)
					if err != nil || !bytes.Equal(run.Tag, want) {
						t.Errorf("%+v, keep %v: %x, %v; want %x", params, keep, run.Tag, err, want)
					}
					if run.Hashes != 3 || run.Elapsed <= 0 || run.CPU < 0 {
						t.Errorf("%+v, keep %v: %+v", params, keep, run)
					}
				}
			}
			// Less memory than argon2 allows, which is 8 KiB.
			if _, err := p.Argon2id(name, Params{1, 1, 1}, false, 1, 0); err == nil || strings.Contains(err.Error(), "\n") {
				t.Errorf("1 KiB: %v, want an error of one line", err)
			}
		})
	}
}

// A request goes on until the time it was given is over.
func TestLeast(t *testing.T) {
	p := start(t)
	if len(p.Libraries()) == 0 {
		t.Skip("none of the libraries is installed")
	}
	const least = 2e6
	if run, err := p.Argon2id(p.Libraries()[0].Name, Params{64, 1, 1}, false, 1, least); err != nil || run.Elapsed < least {
		t.Errorf("%+v, %v: ended early", run, err)
	}
}

// What is not there is named, with how to get it. The Python is a stand-in that finds nothing.
func TestMissing(t *testing.T) {
	t.Setenv("FOUNT_PYTHON", "no-such-python")
	if _, err := Start(); !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "needs no-such-python") {
		t.Errorf("without Python: %v", err)
	}
	p := &Process{failed: map[string]string{PyNaCl: "", "x.so": "x.so: no such file"}}
	if err := p.Missing(PyNaCl); !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "pip install pynacl") {
		t.Errorf("without PyNaCl: %v", err)
	}
	if err := p.Missing("x.so"); errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a file that can't be loaded: %v", err)
	}
	for _, name := range Names {
		if howToGet[name] == "" {
			t.Errorf("nothing says how to get %s", name)
		}
	}
}

// Modules come from where Python has them, not from the working directory.
func TestNothingFromTheWorkingDirectory(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"json.py", "ctypes.py", "_argon2_cffi_bindings.py"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("raise SystemExit('taken from here')\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	start(t)
}

// A file that was given is loaded as well, or said not to be.
func TestFiles(t *testing.T) {
	p := start(t)
	if p.Missing(Libargon2) != nil {
		t.Skip(p.Missing(Libargon2))
	}
	file := p.Libraries()[0].File
	none := filepath.Join(t.TempDir(), "none.so")
	p = start(t, file, none)
	if err := p.Missing(file); err != nil {
		t.Error(err)
	}
	if err := p.Missing(none); err == nil || !strings.Contains(err.Error(), none) {
		t.Errorf("a file that is not there: %v", err)
	}
	// A name without a slash is that of a file here, and never that of a library of the system.
	base := filepath.Base(file)
	t.Chdir(t.TempDir())
	if err := os.Symlink(file, "build.so"); err != nil {
		t.Fatal(err)
	}
	p = start(t, base, "build.so")
	if p.Missing(base) == nil {
		t.Errorf("%s is not here, and was loaded from elsewhere", base)
	}
	if err := p.Missing("build.so"); err != nil {
		t.Errorf("a file here: %v", err)
	}
}

// The bytes are what objdump shows of libargon2's opt.c as gcc 12 builds it with -mssse3, -march=x86-64-v3 and
// -march=x86-64-v4; half of the registers lie beyond the first eight.
func TestMultiplications(t *testing.T) {
	for width, all := range [][]string{
		{"\x66\x0f\xf4\xc1", "\x66\x44\x0f\xf4\xc1"},
		{"\xc5\xfd\xf4\xc1", "\xc4\xc1\x7d\xf4\xc1"},
		{"\x62\xf1\xfd\x48\xf4\xc1", "\x62\xb1\xfd\x40\xf4\xc1"},
	} {
		for _, one := range all {
			code := []byte("\x90\x90\x90\x90" + one)
			if found := multiplications(code); len(found) != 1 || found[0] != width {
				t.Errorf("%x: %v, want a multiplication of %s", one, found, widths[width])
			}
		}
	}
	for _, other := range []string{"\xf4", "\x0f\xf4\xc1", "\xc5\xf9\xf4\xc1", "\x62\xf1\xfd\x08\xf4\xc1", "\xc5\xfd\xd4\xc1"} {
		if found := multiplications([]byte("\x90\x90\x90\x90" + other)); len(found) != 0 {
			t.Errorf("%x: %v, and it is none of them", other, found)
		}
	}
}

// Builds of one program for three processors: the compiler does as it is told.
func TestSIMD(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip(err)
	}
	source := "#include <immintrin.h>\nvoid f(VECTOR *p) { " + strings.Repeat("p[0] = MULTIPLY(p[1], p[0]);", enough) + " }"
	dir := t.TempDir()
	for _, c := range []struct{ want, arch, vector, multiply string }{
		{"SSE2", "x86-64", "__m128i", "_mm_mul_epu32"},
		{"AVX2", "x86-64-v3", "__m256i", "_mm256_mul_epu32"},
		{"AVX-512", "x86-64-v4", "__m512i", "_mm512_mul_epu32"},
	} {
		file := filepath.Join(dir, c.want+".so")
		cmd := exec.Command("gcc", "-O2", "-march="+c.arch, "-DVECTOR="+c.vector,
			"-DMULTIPLY="+c.multiply, "-shared", "-fPIC", "-nostdlib", "-x", "c", "-", "-o", file)
		cmd.Stdin = strings.NewReader(source)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("gcc can't build for amd64: %v\n%s", err, out)
		}
		if got := SIMD(file); got != c.want {
			t.Errorf("built for %s: %q, want %q", c.arch, got, c.want)
		}
	}
	if got := SIMD(filepath.Join(dir, "none")); got != "" {
		t.Errorf("a file that is not there: %q", got)
	}
}
