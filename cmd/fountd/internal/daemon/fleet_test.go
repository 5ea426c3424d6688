// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package daemon

// fountd as a worker of a fleet.

import (
	"bytes"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/nats-io/nats.go"

	"fount/cmd/fountd/internal/config"
	"fount/internal/test/freeport"
	"fount/internal/test/require"
	"fount/password"
	"fount/remote"
	"fount/remote/natsconn"
)

// fleetKey makes a key and returns its file and the line for clients.
func fleetKey(t testing.TB, verb ...string) string {
	t.Helper()
	out, err := program(t, nil, append([]string{"key"}, verb...)...).Output()
	require.NoError(t, err)
	return string(out)
}

// fleetClient is a client of the fleet behind a broker, which may be away.
func fleetClient(t testing.TB, url, key string, o remote.NATSOptions) *remote.NATSClient {
	t.Helper()
	nc, err := nats.Connect(url, natsconn.Options()...)
	require.NoError(t, err)
	t.Cleanup(nc.Close)
	return clientOf(t, nc, key, o)
}

// answers calls until the fleet answers, and reports what it says of a password.
func answers(t testing.TB, c *remote.NATSClient, encoded string) {
	t.Helper()
	eventually(t, "the fleet answers", func() bool {
		_, err := c.Verify(t.Context(), password.Login{Principal: "192.0.2.1"}, []byte("secret"), encoded)
		return err == nil
	})
	if _, err := c.Verify(t.Context(), password.Login{}, []byte("other"), encoded); !errors.Is(err, password.ErrMismatch) {
		t.Errorf("another password: %v", err)
	}
}

// A worker verifies and hashes, says so in its metrics, takes rotated keys at SIGHUP, and
// leaves at SIGTERM.
func TestWorker(t *testing.T) {
	file := filepath.Join(t.TempDir(), "fleet.key")
	public := fleetKey(t, "new", file)
	b := newBroker(t, "")
	p := start(t, nil, "--nats", b.url(), "--nats-key", file)

	c := fleetClient(t, b.url(), public, remote.NATSOptions{})
	old := stored(t, cheap)
	answers(t, c, old)
	if encoded, err := c.Hash(t.Context(), password.Login{}, []byte("secret")); err != nil || !strings.HasPrefix(encoded, "$2b$04$") {
		t.Errorf("%s, %v", encoded, err)
	}
	_, metrics, err := get(p.client(), "http://fountd/metrics")
	for _, line := range []string{"fountd_nats_connected 1\n", `fountd_fleet_requests_total{outcome="answered"} `} {
		if err != nil || !strings.Contains(metrics, line) {
			t.Errorf("no %q in the metrics, %v", line, err)
		}
	}

	next := fleetKey(t, "rotate", file)
	p.signal(syscall.SIGHUP)
	p.said("msg=reloaded")
	answers(t, c, old)
	answers(t, fleetClient(t, b.url(), next, remote.NATSOptions{}), old)

	require.NoError(t, os.Chmod(file, 0o640))
	p.signal(syscall.SIGHUP)
	p.said("others can read it: chmod 600 it")

	p.signal(syscall.SIGTERM)
	if err := p.end(); err != nil || !strings.Contains(p.logged(), "msg=drained") {
		t.Errorf("%v: %s", err, p.logged())
	}
}

// A broker that is away at first and goes away later: HTTP goes on, readiness and log say so, and
// the worker finds the broker when it comes back.
func TestBrokerAway(t *testing.T) {
	file := filepath.Join(t.TempDir(), "fleet.key")
	public := fleetKey(t, "new", file)
	b := newBroker(t, "")
	b.kill()
	p := start(t, nil, "--nats-key", file, "--nats", b.url())
	c := fleetClient(t, b.url(), public, remote.NATSOptions{})
	old := stored(t, cheap)

	isReady := func(nats string) {
		t.Helper()
		eventually(t, "readyz says "+nats, func() bool {
			status, text, err := get(p.client(), "http://fountd/readyz")
			return err == nil && status == 200 && text == "ok\nnats: "+nats+"\n"
		})
	}
	isAway := func() {
		t.Helper()
		isReady("away")
		if status, answer, err := post(p.client(), "/v1/verify", verifyBody(old)); err != nil || status != 200 || !strings.Contains(answer, `"match":true`) {
			t.Errorf("HTTP: %d %s, %v", status, answer, err)
		}
		if _, err := c.Verify(t.Context(), password.Login{}, []byte("secret"), old); err == nil {
			t.Error("an answer from nobody")
		}
	}

	isAway()
	p.said("nats away: trying again")
	for range 2 {
		b.start("")
		p.said("nats connected")
		isReady("connected")
		answers(t, c, old)
		b.kill()
		isAway()
	}
	if n := strings.Count(p.logged(), "nats away"); n > 6 {
		t.Errorf("%d lines of a broker that is away, one for each attempt: %s", n, p.logged())
	}
}

// A broker is a nats-server, at an address that it keeps when it is started again.
type broker struct {
	t       testing.TB
	address string
	server  *exec.Cmd
}

// newBroker starts a broker, by a file in nats-server's language; "": none.
func newBroker(t testing.TB, file string) *broker {
	t.Helper()
	b := &broker{t: t, address: freeport.New(t)}
	b.start(file)
	return b
}

// start starts it again.
func (b *broker) start(file string) {
	b.t.Helper()
	program, err := exec.LookPath("nats-server")
	if err != nil {
		require.Skip(b.t, "nats", "there is no nats-server (Debian: nats-server)")
	}

	host, port, _ := net.SplitHostPort(b.address)
	b.server = exec.Command(program, "--addr", host, "--port", port)
	if file != "" {
		b.server.Args = append(b.server.Args, "--config", file)
	}
	b.server.Stderr = b.t.Output()
	require.NoError(b.t, b.server.Start())
	b.t.Cleanup(b.kill)

	eventually(b.t, "the broker listens", func() bool {
		conn, err := net.Dial("tcp", b.address)
		return err == nil && conn.Close() == nil
	})
}

// url is where it serves.
func (b *broker) url() string { return "nats://" + b.address }

// kill ends it.
func (b *broker) kill() {
	b.server.Process.Kill()
	b.server.Wait()
}

// exits runs fountd key, and returns what it prints. If it fails, that is one line of an error.
func exits(t *testing.T, want int, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	got := Main(append([]string{"key"}, args...), &out, &errs)
	if got != want || strings.Count(errs.String(), "\n") != min(want, 1) {
		t.Errorf("fountd key %q: status %d, want %d; %s", args, got, want, &errs)
	}
	return out.String()
}

// A file's keys are the last two, the newer first. Nothing else in its place is written over.
func TestKeyCommand(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fleet.key")
	holds := func(want ...string) {
		t.Helper()
		keys, err := config.ReadFleetKeys(path)
		var got []string
		for _, k := range keys {
			got = append(got, k.Public().String()+"\n")
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%.50q, %v; want %.50q", got, err, want)
		}
	}

	first := exits(t, 0, "new", path)
	holds(first)
	exits(t, 1, "new", path)
	second := exits(t, 0, "rotate", path)
	holds(second, first)

	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(path, link))
	third := exits(t, 0, "rotate", link)
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is no more: %v", err)
	}

	write(t, path+".new", "") // another rotation goes on
	exits(t, 1, "rotate", path)
	exits(t, 1, "rotate", filepath.Join(path, "none"))
	for _, args := range [][]string{{}, {"new"}, {"new", path, path}, {"remove", path}, {"public", ""}} {
		exits(t, 2, args...)
	}
	holds(third, second)
	if public := exits(t, 0, "public", path); public != third {
		t.Errorf("the public key is %q; want the first", public)
	}
}

// A root who rotates leaves the file to its owner.
func TestKeyKeepsItsOwner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fleet.key")
	exits(t, 0, "new", path)
	if os.Geteuid() != 0 || runtime.GOOS != "linux" || os.Chown(path, 1000, 1001) != nil {
		t.Skip("not root on Linux")
	}
	exits(t, 0, "rotate", path)
	if out, err := exec.Command("stat", "-c", "%u %g %a", path).Output(); err != nil || string(out) != "1000 1001 600\n" {
		t.Errorf("the owner: %s, %v", out, err)
	}
}
