// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package daemon

// fountd ends, stands still and comes back while its clients call.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"fount/internal/test/require"
	"fount/internal/test/socketdir"
	"fount/password"
	"fount/remote"
)

// A caller makes one call after the other, and counts how they end.
type caller struct{ answered, refused atomic.Int64 }

// call makes calls of right and wrong passwords until stop is set. Each must end by itself, with
// a true answer or with a refusal that lets the user come back.
func (c *caller) call(t *testing.T, v password.Verifier, encoded string, stop *atomic.Bool) {
	for right := true; !stop.Load(); right = !right {
		given := "secret"
		var want error
		if !right {
			given = "other"
			want = password.ErrMismatch
		}
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		_, err := v.Verify(ctx, password.Login{Principal: fmt.Sprintf("%p", c)}, []byte(given), encoded)
		cancel()
		switch {
		case errors.Is(err, want):
			c.answered.Add(1)
		case errors.As(err, new(password.OverloadedError)), errors.Is(err, password.ErrClosed):
			c.refused.Add(1)
		default:
			t.Errorf("password %q: %v", given, err)
			return
		}
		time.Sleep(30 * time.Millisecond) // eight callers leave the machine time for other tests
	}
}

type closer interface {
	password.Verifier
	Close(context.Context) error
}

// under has eight callers of a client call until stop or the end of the test.
func under(t *testing.T, client closer) (callers []*caller, stop func()) {
	t.Helper()
	encoded := stored(t, cheap)
	var over atomic.Bool
	var running sync.WaitGroup
	for range 8 {
		c := new(caller)
		callers = append(callers, c)
		running.Go(func() { c.call(t, client, encoded, &over) })
	}
	stop = sync.OnceFunc(func() {
		over.Store(true)
		running.Wait()
		client.Close(context.Background())
	})
	t.Cleanup(stop)
	return callers, stop
}

// each waits until a number of each caller has grown by five.
func each(t *testing.T, what string, callers []*caller, number func(*caller) int64) {
	t.Helper()
	for i, c := range callers {
		from := number(c)
		eventually(t, fmt.Sprintf("caller %d: five more calls are %s", i, what), func() bool { return t.Failed() || number(c) >= from+5 })
	}
}

func answered(c *caller) int64 { return c.answered.Load() }
func refused(c *caller) int64  { return c.refused.Load() }

// kill -9 under load: calls are refused, none hangs, and the next fountd answers the same client.
func TestKilledUnderLoad(t *testing.T) {
	t.Parallel() // it waits
	p := start(t, nil)
	callers, stop := under(t, p.remote())
	each(t, "answered", callers, answered)
	p.signal(syscall.SIGKILL)
	p.end()
	each(t, "refused", callers, refused)
	startIn(t, p.dir, nil, "--policy", "bcrypt,cost=4", "--max-wait", "1h")
	each(t, "answered", callers, answered)
	stop()
}

// Whoever does not take what fountd logs hinders no call, reload or end. What is not written is
// counted.
func TestNobodyTakesTheLog(t *testing.T) {
	t.Parallel() // it waits

	full := func() (pipe *os.File) {
		reader, writer, err := os.Pipe()
		require.NoError(t, err)
		t.Cleanup(func() { reader.Close() })

		fd := int(writer.Fd())
		syscall.SetNonblock(fd, true)
		for err == nil {
			_, err = syscall.Write(fd, make([]byte, 4096))
		}

		if err != syscall.EAGAIN {
			t.Fatal(err)
		}

		syscall.SetNonblock(fd, false)
		return writer
	}

	unread := func() *os.File {
		reader, writer, err := os.Pipe()
		require.NoError(t, err)
		reader.Close()
		return writer
	}

	for name, redirect := range map[string]string{"full pipe": "2>&3", "no reader": "2>&4", "full disk": "2>/dev/full", "closed": "2>&-"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := socketdir.New(t)
			file := filepath.Join(dir, "fountd.toml")
			write(t, file, `policy = "bcrypt,cost=4"`)

			p := &process{t: t, dir: dir, socket: filepath.Join(dir, "s"), ended: make(chan struct{})}
			fountd := program(t, nil, "--socket", p.socket, "--config", file, "--max-wait", "1h", "--drain", "1h", "--workers", "1")
			p.Cmd = exec.Command("sh", append([]string{"-c", `exec "$0" "$@" ` + redirect}, fountd.Args...)...)
			p.Env = fountd.Env
			p.ExtraFiles = []*os.File{full(), unread()}
			p.run()

			c := p.client()
			eventually(t, "it serves", func() bool {
				status, _, err := get(c, "http://fountd/healthz")
				return err == nil && status == http.StatusOK
			})
			for range 2 { // a line, and one more
				expect(t, c, "/v1/verify", verifyBody("none"), 422, "") // which is logged
			}

			write(t, file, `policy = "bcrypt,cost=5"`)
			eventually(t, "it has reloaded", func() bool {
				p.signal(syscall.SIGHUP)
				_, policy, err := get(c, "http://fountd/v1/policy")
				return err == nil && strings.Contains(policy, "cost=5")
			})

			if name != "closed" { // the runtime opens /dev/null then
				eventually(t, "lines are dropped", func() bool {
					p.signal(syscall.SIGHUP) // which is logged
					_, text, err := get(c, "http://fountd/metrics")
					return err == nil && strings.Contains(text, "fountd_log_lines_dropped_total ") && !strings.Contains(text, "fountd_log_lines_dropped_total 0")
				})
			}

			conn := p.hashing(100_000)
			p.signal(syscall.SIGTERM)
			if r, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil || r.StatusCode != http.StatusOK {
				t.Errorf("%v, %v; want the answer", r, err)
			}

			if err := p.end(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Whatever befalls one of three workers, or the broker, each call ends by a true answer or by a
// refusal, and calls are answered again when it is over.
func TestFleetFaults(t *testing.T) {
	t.Parallel() // it waits
	key := filepath.Join(t.TempDir(), "fleet.key")
	b := newBroker(t, "")
	workers := make([]*process, 3)
	public := fleetKey(t, "new", key)
	begin := func(i int) {
		workers[i] = startIn(t, socketdir.New(t), nil, "--policy", "bcrypt,cost=8", "--max-wait", "20s", "--memory", "256M", "--nats-key", key, "--nats", b.url())
		workers[i].said("nats connected")
	}
	end := func(i int, by syscall.Signal) {
		workers[i].signal(by)
		workers[i].end()
	}
	for i := range workers {
		begin(i)
	}
	client := fleetClient(t, b.url(), public, remote.NATSOptions{Timeout: time.Minute})
	answers(t, client, stored(t, cheap))

	callers, stop := under(t, client)
	more := func() {
		sum := func() (n int64) {
			for _, c := range callers {
				n += answered(c)
			}
			return n
		}
		from := sum()
		eventually(t, "50 more calls are answered", func() bool { return t.Failed() || sum() >= from+50 })
	}
	more()

	for _, by := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		end(1, by)
		more()
		begin(1)
		more()
	}

	workers[2].signal(syscall.SIGSTOP)
	more()
	workers[2].signal(syscall.SIGCONT)
	more()

	b.kill()
	b.start("")
	more()
	stop()
}
