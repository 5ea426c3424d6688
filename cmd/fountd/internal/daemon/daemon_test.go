// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package daemon

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"fount/internal/test/require"
	"fount/internal/test/socketdir"
	"fount/password"
	"fount/password/legacy"
)

var cheap = password.Policy{Algorithm: password.Bcrypt, Cost: 4}

// With no flags: the socket, its mode and its directory's, the default policy; at SIGTERM it is
// gone and the status is 0.
func TestNoFlags(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o077))
	p := startIn(t, socketdir.New(t), nil)

	info, err := os.Stat(filepath.Dir(p.socket))
	if err != nil || info.Mode() != os.ModeDir|0o755 {
		t.Errorf("the directory: %v, %v", info, err)
	}
	info, err = os.Stat(p.socket)
	if err != nil || info.Mode() != os.ModeSocket|0o660 {
		t.Fatalf("%v, %v", info, err)
	}
	expect(t, p.client(), "/v1/policy", "", 200, `{"policy":"argon2id,m=19456,t=2,p=1","key_ids":[],"legacy":true}`)
	if _, err := os.Stat(p.socket + ".lock"); err != nil {
		t.Error(err)
	}

	second := program(t, []string{"FOUNTD_SOCKET=" + p.socket}, "--listen", "127.0.0.1:0")
	if out, err := second.CombinedOutput(); err == nil || !regexp.MustCompile("is served by another process.* --socket").Match(out) {
		t.Errorf("a second one: %v, %s", err, out)
	}

	p.signal(syscall.SIGTERM)
	if err := p.end(); err != nil {
		t.Errorf("%v: %s", err, p.logged())
	}
	if _, err := os.Lstat(p.socket); err == nil {
		t.Error("the socket is left")
	}
}

// Loopback is served in clear; the address is logged. Where it is for those who look alone, nothing
// can be asked.
func TestLoopback(t *testing.T) {
	p := start(t, []string{"FOUNTD_LISTEN=127.0.0.1:0", "FOUNTD_ADMIN=127.0.0.1:0"})
	admin := p.address("admin")
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/v1/top": 200, "/v1/policy": 404, "/v1/hash": 405} {
		expect(t, client(t, "tcp", admin), path, "", want, "")
	}
	expect(t, client(t, "tcp", admin), "/metrics", "", 200, "\ngo_goroutines ")

	c := client(t, "tcp", p.address("tcp"))
	expect(t, c, "/v1/top", "", 404, "") // clients aren't told who asks most
	expect(t, c, "/v1/hash", `{"password":"secret"}`, 200, "")
}

// Plaintext over TCP is for this machine's programs: a page in a browser, which can have a name of
// its own lead here, is answered nothing. A Unix socket asks for no name.
func TestOtherHosts(t *testing.T) {
	p := start(t, []string{"FOUNTD_LISTEN=127.0.0.1:0", "FOUNTD_ADMIN=127.0.0.1:0"})
	ask := func(network, address, host, path string) int {
		t.Helper()
		r, err := http.NewRequest(http.MethodGet, "http://fountd"+path, nil)
		require.NoError(t, err)
		r.Host = host
		answer, err := client(t, network, address).Do(r)
		require.NoError(t, err)
		answer.Body.Close()
		return answer.StatusCode
	}

	for host, status := range map[string]int{
		"localhost": 200, "localhost:8080": 200, "LOCALHOST": 200,
		"127.0.0.1": 200, "127.0.0.1:1": 200,
		"[::1]": 200, "[::1]:8080": 200,
		"fountd": 200, "fountd:80": 200,

		"evil.example": 421, "evil.example:8080": 421,
		"localhost.evil.example": 421, "127.0.0.1.evil.example:8080": 421, "fountd@evil.example": 421,
		"192.0.2.1": 421, "[::]": 421,
	} {
		for _, l := range []string{"admin", "tcp"} {
			if got := ask("tcp", p.address(l), host, "/metrics"); got != status {
				t.Errorf("%s, Host %s: %d; want %d", l, host, got, status)
			}
		}
		if got := ask("unix", p.socket, host, "/v1/policy"); got != 200 {
			t.Errorf("the socket, Host %s: %d", host, got)
		}
	}
}

// fountd health finds the server by the server's own settings, and says no once it is gone.
func TestHealth(t *testing.T) {
	p := start(t, []string{"FOUNTD_ADMIN=127.0.0.1:0"})
	admin := p.address("admin")
	for _, settings := range []string{"FOUNTD_SOCKET=" + p.socket, "FOUNTD_ADMIN=" + admin} {
		if out, err := program(t, []string{settings}, "health").CombinedOutput(); err != nil || string(out) != "ok\n" {
			t.Errorf("%s: %v, %s", settings, err, out)
		}
	}
	p.signal(syscall.SIGTERM)
	p.end()
	out, err := program(t, []string{"FOUNTD_SOCKET=" + p.socket}, "health").CombinedOutput()
	if err == nil || strings.Count(string(out), "\n") != 1 || !strings.Contains(string(out), p.socket) {
		t.Errorf("without a server: %v, %s", err, out)
	}
}

// A command that fails says why in one line. The status is 2 for a wrong command line or setting.
func TestCommands(t *testing.T) {
	for status, commands := range map[int]map[string][]string{
		0: {
			"-max-wait DURATION": {"help"},
			"workers = 3":        {"config", "--workers", "3"},
		},
		1: {
			"pepper a: stat /nowhere/pepper": {"--pepper", "a=/nowhere/pepper"},
			"nowhere to serve":               {"--socket", ""},
			"give --socket PATH":             {"--socket", "/nowhere/here/s"},
			"bytes; want a socket's path":    {"--socket", filepath.Join(t.TempDir(), strings.Repeat("s", 108))},
		},
		2: {
			`invalid value "x" for flag -workers`: {"config", "--workers", "x"},
			`unknown command "serve"`:             {"serve"},
			"beyond loopback":                     {"--listen", "0.0.0.0:0"},
		},
	} {
		for want, args := range commands {
			t.Run(want, func(t *testing.T) {
				cmd := program(t, nil, args...)
				out, _ := cmd.CombinedOutput()
				if got := cmd.ProcessState.ExitCode(); got != status || !strings.Contains(string(out), want) {
					t.Errorf("fountd %q: status %d, %s; want %d and %q", args, got, out, status, want)
				}
				if status != 0 && strings.Count(string(out), "\n") != 1 {
					t.Errorf("fountd %q: more than a line: %s", args, out)
				}
			})
		}
	}
}

// The help fits a terminal of 40 columns, and one of 80.
func TestHelpFits(t *testing.T) {
	for _, width := range []int{40, 80} {
		out, err := program(t, []string{fmt.Sprint("COLUMNS=", width)}, "--help").Output()
		require.NoError(t, err)
		for line := range strings.Lines(string(out)) {
			if len(strings.TrimRight(line, "\n")) > width {
				t.Errorf("%d columns: %s", width, line)
			}
		}
	}
}

// Forms of other makers verify and are replaced, below the limits, and are not read without the
// setting; what several programs write is read where its form is named, and wrapped everywhere.
func TestLegacy(t *testing.T) {
	django := "md5$$5ebe2294ecd0e0f08eab7690d2a6ee69"        // hashlib's, of "secret"
	salted := "md5$seasalt$51bd9678978c1b8d854cd8d771c933e8" // the same
	bomb := "$6$rounds=999999999$saltsalt$" + strings.Repeat("a", 86)

	form, err := legacy.Form("django")
	formats, errToo := password.NewFormats(form)
	require.NoError(t, errors.Join(err, errToo))
	wrapped, err := password.Wrap(password.Policy{Algorithm: password.Argon2id, Memory: 64, Iterations: 1, Formats: formats}, salted)
	require.NoError(t, err)

	renewed := strings.Replace(verifyBody(django), "{", `{"renew":true,`, 1)
	for _, server := range []struct {
		flags    []string
		answers  map[string]string // by body
		refusals map[string]string
	}{
		{answers: map[string]string{
			renewed:             `"hash":"$2b$04$`,
			verifyBody(wrapped): `"match":true`,
		}, refusals: map[string]string{
			verifyBody(salted): `"reason":"malformed"`,
			verifyBody(bomb):   `"reason":"cost"`,
		}},
		{flags: []string{"--form", "joomla django"}, answers: map[string]string{
			verifyBody(salted): `"match":true`,
			verifyBody(django): `"match":true`,
		}},
		{flags: []string{"--legacy=false"}, refusals: map[string]string{
			verifyBody(django): `"reason":"malformed"`,
		}},
	} {
		t.Run(fmt.Sprint(server.flags), func(t *testing.T) {
			c := start(t, nil, server.flags...).client()
			for body, want := range server.answers {
				expect(t, c, "/v1/verify", body, 200, want)
			}
			for body, want := range server.refusals {
				expect(t, c, "/v1/verify", body, 422, want)
			}
		})
	}

	path := filepath.Join(t.TempDir(), "stored")
	write(t, path, bomb+"\n")
	if out, err := program(t, nil, "--socket", "", "--listen", "127.0.0.1:0", "--stored", path).CombinedOutput(); err == nil || !strings.Contains(string(out), "cost above the limits") {
		t.Errorf("%v, %s; want a sample that is refused", err, out)
	}
}

// SIGHUP after SIGHUP, with another policy, pepper or number of workers each time: no call is lost,
// and hashes made before still verify.
func TestReload(t *testing.T) {
	dir := socketdir.New(t)
	file := filepath.Join(dir, "fountd.toml")
	pepper := filepath.Join(dir, "pepper")
	hashes := filepath.Join(dir, "stored")
	write(t, hashes, stored(t, password.Policy{Algorithm: password.Bcrypt, Cost: 5}))
	write(t, pepper, "MDEyMzQ1Njc4OWFiY2RlZg==\n")
	common := "max-wait = \"1h\"\nmemory = \"256M\"\n"
	write(t, file, common+"policy = \"bcrypt,cost=4\"\n")
	p := startIn(t, dir, nil, "--config", file)

	old := stored(t, cheap)
	var stop atomic.Bool
	var callers sync.WaitGroup
	for range 4 {
		callers.Go(func() {
			c := p.client()
			for !stop.Load() {
				status, answer, err := post(c, "/v1/verify", verifyBody(old))
				if err != nil || status != 200 || !strings.Contains(answer, `"match":true`) {
					t.Errorf("%d %s, %v", status, answer, err)
					return
				}
			}
		})
	}
	for i, settings := range []string{
		"policy = \"bcrypt,cost=5\"\n",
		"policy = \"bcrypt,cost=5\"\nworkers = 1\n",
		fmt.Sprintf("policy = \"bcrypt,cost=4\"\npepper = [\"k=%s\"]\n", pepper),
		fmt.Sprintf("policy = \"bcrypt,cost=4\"\nstored = %q\n", hashes),
		fmt.Sprintf("policy = \"argon2id,m=64,t=1,p=1\"\npepper = [\"k=%s\"]\n", pepper),
	} {
		write(t, file, common+settings)
		p.signal(syscall.SIGHUP)
		eventually(t, "it has reloaded", func() bool { return strings.Count(p.logged(), "msg=reloaded") == i+1 })
	}

	c := p.client()
	expect(t, c, "/v1/policy", "", 200, `"argon2id,m=64,t=1,p=1","key_ids":["k:47dbf11b"]`)
	expect(t, c, "/metrics", "", 200, `fountd_key_info{id="k:47dbf11b",kind="pepper"} 1`)
	expect(t, c, "/v1/hash", `{"password":"secret"}`, 200, ",keyid=aw$") // the ID alone
	p.said("peppers=k:47dbf11b")

	// What is wrong changes nothing.
	write(t, file, "polcy = \"bcrypt\"\n")
	p.signal(syscall.SIGHUP)
	p.said("not reloaded")
	expect(t, c, "/v1/policy", "", 200, `"argon2id,m=64,`)

	// Listeners stay as they are: a client of plaintext would lose its server.
	cert, key := newAuthority(t, "ca").issue("server")
	write(t, file, fmt.Sprintf("%spolicy = \"bcrypt,cost=4\"\ntls-cert = %q\ntls-key = %q\n", common, cert, key))
	p.signal(syscall.SIGHUP)
	p.said("TLS can't be switched on or off")

	// What only a restart changes is said.
	write(t, file, common+"policy = \"bcrypt,cost=4\"\nmax-conns = 7\n")
	p.signal(syscall.SIGHUP)
	p.said("settings=max-conns")
	stop.Store(true)
	callers.Wait()
}

// busy reports whether a worker hashes.
func busy(t testing.TB, c *http.Client) bool {
	t.Helper()
	_, text, err := get(c, "http://fountd/metrics")
	require.NoError(t, err)
	return !strings.Contains(text, `fount_password_workers_busy{pool="fountd"} 0`)
}

// hashing has a process hash for a new client: PBKDF2, which takes some time in each machine.
func (p *process) hashing(iterations int) net.Conn {
	p.t.Helper()
	conn, err := net.Dial("unix", p.socket)
	require.NoError(p.t, err)
	p.t.Cleanup(func() { conn.Close() })

	few := stored(p.t, password.Policy{Algorithm: password.PBKDF2SHA512, Iterations: 1000})
	body := verifyBody(strings.Replace(few, "$1000$", fmt.Sprintf("$%d$", iterations), 1))
	fmt.Fprintf(conn, "POST /v1/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)

	probe := p.client()
	eventually(p.t, "the hash runs", func() bool { return busy(p.t, probe) })
	probe.CloseIdleConnections()
	return conn
}

// A hash that takes longer than --drain is given up, and the status says so. So it is at a later
// Ctrl-C.
func TestDrainEnds(t *testing.T) {
	t.Parallel() // it waits
	begin := func(t *testing.T, drain string) *process {
		p := start(t, nil, "--drain", drain, "--workers", "1")
		p.hashing(10_000_000) // the default limit: several seconds, and longer under the race detector
		p.signal(os.Interrupt)
		return p
	}

	t.Run("time", func(t *testing.T) {
		p := begin(t, "10ms")
		if err := p.end(); err == nil || !strings.Contains(p.logged(), "fountd: calls left unanswered after --drain 10ms\n") {
			t.Errorf("%v: %s", err, p.logged())
		}
	})

	t.Run("a later interrupt", func(t *testing.T) {
		p := begin(t, "1h")
		p.said("msg=draining")

		eventually(t, "it ends", func() bool {
			p.Process.Signal(os.Interrupt)
			select {
			case <-p.ended:
				return true
			default:
				return false
			}
		})
		if p.err == nil {
			t.Error("status 0 with a call unanswered")
		}
	})
}

// Any other signals, one soon after the other, are one.
func TestSignalsTogether(t *testing.T) {
	const term, interrupt = syscall.SIGTERM, syscall.SIGINT
	for _, signals := range [][]syscall.Signal{{term, term, term}, {interrupt, interrupt}, {term, interrupt}, {interrupt, term}} {
		t.Run(fmt.Sprint(signals), func(t *testing.T) {
			t.Parallel() // it waits
			p := start(t, nil, "--drain", "1h", "--workers", "1")
			conn := p.hashing(500_000)
			for _, s := range signals {
				p.signal(s)
				p.said("msg=draining")
			}

			r, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil || r.StatusCode != http.StatusOK {
				t.Errorf("%v, %v; want the answer", r, err)
			}
			if err := p.end(); err != nil {
				t.Errorf("%v: %s", err, p.logged())
			}
		})
	}
}

// KiB where MiB was meant is said at the start and at a reload. The hash that tells is the pool's,
// in whose memory it is.
func TestWeakPolicyIsSaid(t *testing.T) {
	file := filepath.Join(t.TempDir(), "fountd.toml")
	write(t, file, `policy = "argon2id,m=64,t=3,p=1"`)
	p := startIn(t, socketdir.New(t), nil, "--max-wait", "1h", "--memory", "256M", "--config", file)
	p.said("below OWASP's minimum")
	expect(t, p.client(), "/metrics", "", 200, `fount_password_calls_submitted_total{class="upgrade",pool="fountd"} 1`)

	write(t, file, `policy = "bcrypt,cost=10"`)
	p.signal(syscall.SIGHUP)
	p.said("msg=reloaded")

	write(t, file, `policy = "bcrypt,cost=5"`)
	p.signal(syscall.SIGHUP)
	p.said("minimum for bcrypt")
	if n := strings.Count(p.logged(), "below OWASP's minimum"); n != 2 {
		t.Errorf("said %d times, want 2: %s", n, p.logged())
	}
}
