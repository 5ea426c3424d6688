// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !race

// With the race detector a process has terabytes of its shadow to read through.

package remote

import (
	"bytes"
	"context"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"fount/internal/test/require"
	"fount/password"
)

const searchMask = 0xa5

// masked is b behind the mask: whoever looks for it does not find what it looks with.
func masked(b []byte) []byte {
	b = bytes.Clone(b)
	for i := range b {
		b[i] ^= searchMask
	}
	return b
}

// After a call, the process that made it holds the password nowhere: neither as it was given nor as it was sent.
func TestNothingIsLeftInMemory(t *testing.T) {
	if path := os.Getenv("FOUNT_TEST_SOCKET"); path != "" {
		callAndSearch(t, path)
		return
	}
	path := serveUnix(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, aMatch)
	}))
	for _, control := range []string{"", "not wiped"} {
		self, err := os.Executable()
		if err != nil {
			t.Skip(err)
		}
		cmd := exec.Command(self, "-test.run=^TestNothingIsLeftInMemory$", "-test.v")
		secret := masked([]byte("a secret that nobody sees, really"))
		cmd.Env = append(os.Environ(), "FOUNT_TEST_SOCKET="+path, "FOUNT_TEST_CONTROL="+control, "FOUNT_TEST_SECRET="+hex.EncodeToString(secret))
		out, err := cmd.CombinedOutput()
		require.Started(t, err)
		if err != nil || !strings.Contains(string(out), "searched") {
			t.Fatalf("%v\n%s", err, out)
		}
		if found := strings.Contains(string(out), "found"); found != (control != "") {
			t.Errorf("control %q:\n%s", control, out)
		}
	}
}

func callAndSearch(t *testing.T, path string) {
	hidden, err := hex.DecodeString(os.Getenv("FOUNT_TEST_SECRET"))
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(t, path, HTTPOptions{})
	if os.Getenv("FOUNT_TEST_CONTROL") != "" {
		c.transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", path)
		}
	}
	sent := make([]byte, base64.StdEncoding.EncodedLen(len(hidden)))
	done := make(chan struct{})
	go func() { // its stack goes back before the search
		defer close(done)
		secret := masked(hidden)
		if _, err := c.Verify(t.Context(), password.Login{}, secret, "h"); err != nil {
			t.Error(err)
		}
		base64.StdEncoding.Encode(sent, secret)
		clear(secret)
	}()
	<-done
	trace := masked(sent)
	clear(sent)
	search(t, map[string][]byte{"the password": hidden[:16], "the password in base64": trace[:16]})
	fmt.Println("searched")
}

// search looks in all writable memory for what the traces are behind the mask.
func search(t *testing.T, traces map[string][]byte) {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Skip(err)
	}
	memory, err := os.Open("/proc/self/mem")
	if err != nil {
		t.Skip(err)
	}
	defer memory.Close()
	const overlap = 16
	buf := make([]byte, 1<<20)
	mask := bytes.Repeat([]byte{searchMask}, len(buf))
	for line := range strings.Lines(string(maps)) {
		var from, to uint64
		var mode string
		if _, err := fmt.Sscanf(line, "%x-%x %4s", &from, &to, &mode); err != nil || mode[:2] != "rw" {
			continue
		}
		for at := from; at < to; at += uint64(len(buf)) - overlap { // one on a border is whole in the next
			n, _ := memory.ReadAt(buf[:min(uint64(len(buf)), to-at)], int64(at))
			subtle.XORBytes(buf[:n], buf[:n], mask[:n])
			for name, trace := range traces {
				if i := bytes.Index(buf[:n], trace); i >= 0 {
					fmt.Printf("found: %s at %x of %s\n", name, at+uint64(i), strings.TrimSpace(line))
				}
			}
			if to-at <= uint64(len(buf)) {
				break
			}
		}
	}
}
