// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package daemon

// fountd as a process: this test's binary, started again.

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fount/internal/test/require"
	"fount/internal/test/socketdir"
	"fount/password"
	"fount/remote"
	"fount/remote/api"
)

const asProgram = "FOUNT_TEST_FOUNTD"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Unsetenv(asProgram)
		os.Exit(Main(os.Args[1:], os.Stdout, os.Stderr))
	}
	flag.Parse()
	flag.Set("test.parallel", "4") // these tests wait
	os.Exit(m.Run())
}

// program is the command fountd, in an environment with nothing of ours but what is given. It has no
// deadline: one that serves hangs a test that waits for its end.
func program(t testing.TB, env []string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, args...)
	for _, pair := range os.Environ() {
		if name, _, _ := strings.Cut(pair, "="); !strings.HasPrefix(name, "FOUNTD_") && name != "NOTIFY_SOCKET" {
			cmd.Env = append(cmd.Env, pair)
		}
	}
	cmd.Env = append(append(cmd.Env, asProgram+"=1"), env...)
	return cmd
}

// A process is a fountd that runs.
type process struct {
	*exec.Cmd
	t      testing.TB
	dir    string
	socket string
	ended  chan struct{}
	err    error

	mu  sync.Mutex
	log strings.Builder
}

// start runs fountd with bcrypt of cost 4, until the test ends, and waits until it is ready.
func start(t testing.TB, env []string, args ...string) *process {
	t.Helper()
	dir := socketdir.New(t)
	return startIn(t, dir, env, append([]string{"--policy", "bcrypt,cost=4", "--max-wait", "1h", "--memory", "256M"}, args...)...)
}

func startIn(t testing.TB, dir string, env []string, args ...string) *process {
	t.Helper()
	p := &process{t: t, dir: dir, socket: filepath.Join(dir, "fountd", "fountd.sock"), ended: make(chan struct{})}
	p.Cmd = program(t, append(env, "FOUNTD_SOCKET="+p.socket), args...)
	p.run()
	p.said("msg=ready")
	return p
}

// run starts the process and gathers what it logs.
func (p *process) run() {
	p.t.Helper()
	log, err := p.StderrPipe()
	if err == nil {
		err = p.Start()
		require.Started(p.t, err)
	}
	require.NoError(p.t, err)

	go func() {
		lines := bufio.NewScanner(log)
		for lines.Scan() {
			p.mu.Lock()
			fmt.Fprintln(&p.log, lines.Text())
			p.mu.Unlock()
		}
		p.err = p.Wait()
		close(p.ended)
	}()

	p.t.Cleanup(func() {
		p.Process.Kill()
		<-p.ended
		for _, private := range []string{"correct horse", "$2b$", "$argon2id$", "192.0.2.1"} {
			if strings.Contains(p.logged(), private) {
				p.t.Errorf("the log has %q: %s", private, p.logged())
			}
		}
	})
}

func (p *process) logged() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

// address is where it serves in a way: "tcp", "tls", "admin".
func (p *process) address(way string) string {
	_, after, _ := strings.Cut(p.logged(), "address="+way+":")
	address, _, _ := strings.Cut(after, "\n")
	return address
}

// said waits until the log has the words.
func (p *process) said(words string) {
	p.t.Helper()
	eventually(p.t, "the log has "+words, func() bool {
		if strings.Contains(p.logged(), words) {
			return true
		}
		select {
		case <-p.ended:
			p.t.Fatalf("it ended, %v: %s", p.err, p.logged())
		default:
		}
		return false
	})
}

func (p *process) signal(s os.Signal) {
	p.t.Helper()
	require.NoError(p.t, p.Process.Signal(s))
}

// end waits until the process has ended.
func (p *process) end() error {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(time.Minute):
		p.t.Fatal("it does not end")
	}
	return p.err
}

// background runs another program until the test ends.
func background(t testing.TB, command ...string) {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdout = t.Output()
	cmd.Stderr = t.Output()
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
}

// eventually waits for what has no event.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for limit := time.Now().Add(time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

// remote is a client of package remote that waits as long as this machine needs.
func (p *process) remote() *remote.HTTPClient {
	p.t.Helper()
	c, err := remote.HTTP(p.socket, remote.HTTPOptions{Timeout: time.Hour})
	require.NoError(p.t, err)
	p.t.Cleanup(func() { c.Close(context.Background()) })
	return c
}

func (p *process) client() *http.Client { return client(p.t, "unix", p.socket) }

func client(t testing.TB, network, address string) *http.Client {
	transport := &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, address)
		},
		MaxIdleConnsPerHost: 100,
		IdleConnTimeout:     20 * time.Millisecond, // for one that is kept, the end of fountd waits
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: time.Minute}
}

func get(c *http.Client, url string) (int, string, error) {
	r, err := c.Get(url)
	if err != nil {
		return 0, "", err
	}
	return text(r)
}

func post(c *http.Client, path, body string) (int, string, error) {
	r, err := c.Post("http://fountd"+path, api.MediaType, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	return text(r)
}

// expect fails the test unless a server answers with a status and words. Without a body it gets.
func expect(t testing.TB, c *http.Client, path, body string, status int, words string) {
	t.Helper()
	request := func() (int, string, error) { return get(c, "http://fountd"+path) }
	if body != "" {
		request = func() (int, string, error) { return post(c, path, body) }
	}
	if got, answer, err := request(); err != nil || got != status || !strings.Contains(answer, words) {
		t.Errorf("%s %s: %d %s, %v; want %d and %s", path, body, got, answer, err, status, words)
	}
}

func text(r *http.Response) (int, string, error) {
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	return r.StatusCode, string(body), err
}

// stored is a hash, for a body.
func stored(t testing.TB, p password.Policy) string {
	t.Helper()
	encoded, err := password.Hash(p, []byte("secret"))
	require.NoError(t, err)
	return encoded
}

func write[T string | []byte](t testing.TB, path string, content T) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
}

func verifyBody(encoded string) string {
	return fmt.Sprintf(`{"password":"secret","hash":%q}`, encoded)
}
