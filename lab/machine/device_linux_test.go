// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestLookAtOneThatHangs looks at files behind which nobody answers: one never opens, as a FIFO without a writer, or one never tells
// where it comes from. Each must end with a finding that says so, and random bytes must not be asked for.
func TestLookAtOneThatHangs(t *testing.T) {
	t.Parallel()
	fifo := filepath.Join(t.TempDir(), "random")
	if err := unix.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	never := make(chan struct{})
	defer close(never)
	served := func(*os.File) (bool, error) { return true, nil }
	for _, test := range []struct {
		name, path string
		served     func(*os.File) (bool, error)
		says       []string
	}{
		{"opens never", fifo, served, []string{"not opened within 1s", "hangs", "kill it first"}},
		{"tells nothing", "/dev/zero", func(*os.File) (bool, error) { <-never; return true, nil }, []string{"not opened within 1s"}},
		{"fails to tell", "/dev/zero", func(*os.File) (bool, error) { return false, errors.New("mount rpc error") }, []string{"mount rpc error"}},
	} {
		d := lookAt(test.path, test.served)
		f := Facts{Random: KernelRandom{Device: d}}
		x := f.device()
		checkForm(t, x)
		if x.Level != Problem || f.Random.Usable() {
			t.Errorf("%s: %+v, usable %v, want a problem", test.name, x, f.Random.Usable())
		}
		for _, want := range test.says {
			if got := x.Value + ". " + x.Means; !strings.Contains(got, want) {
				t.Errorf("%s: %q, want %q", test.name, got, want)
			}
		}
	}
	if d := lookAt("/dev/zero", served); !d.Served || d.Bytes != sip || d.Error != "" {
		t.Errorf("%+v of /dev/zero, want %d bytes of a file server", d, sip)
	}

	// Whoever was left behind at the FIFO ends.
	w, err := os.OpenFile(fifo, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
}
