// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package daemon

// Workers in the test's process, at a real broker, with answers that the test gives.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"fount/cmd/fountd/internal/config"
	"fount/internal/fleet"
	"fount/internal/test/require"
	"fount/password"
	"fount/remote"
	"fount/remote/api"
	"fount/remote/natsconn"
)

// plain takes a password for a match if the stored hash is the same.
func plain(_ context.Context, path string, body []byte) (int, []byte) {
	q, err := api.DecodeRequest(api.PathVerify, body)
	if err != nil || path != api.PathVerify {
		p := api.NewProblem(api.ReasonInvalid, fmt.Sprintf("%s: %v", path, err), 0)
		return p.Status, p.JSON()
	}
	reply, _ := json.Marshal(api.VerifyReply{Match: string(q.Password) == q.Hash})
	return http.StatusOK, reply
}

func newKey(t *testing.T) fleet.Key {
	t.Helper()
	k, err := fleet.NewKey()
	require.NoError(t, err)
	return k
}

// joined is a worker at an address.
func joined(t *testing.T, address string, k fleet.Key, answer answerer, more ...string) *worker {
	t.Helper()
	w := newWorker(remote.DefaultSubject, 1000, []fleet.Key{k}, slog.New(slog.DiscardHandler))
	c, err := config.Load(append([]string{"--nats", address, "--nats-key", "k"}, more...))
	if err == nil {
		err = w.join(c, answer, func() time.Duration { return 0 })
	}
	require.NoError(t, err)
	t.Cleanup(w.nc.Close)
	return w
}

// ready waits until the broker has the worker's subscriptions.
func (w *worker) ready(t *testing.T) *worker {
	t.Helper()
	eventually(t, "the worker is connected", w.connected.Load)
	require.NoError(t, w.nc.Flush())
	return w
}

func (w *worker) count(outcome string) float64 {
	return testutil.ToFloat64(w.requests.WithLabelValues(outcome))
}

func dial(t testing.TB, address string, more ...nats.Option) *nats.Conn {
	t.Helper()
	nc, err := nats.Connect(address, append(natsconn.Options(), more...)...)
	require.NoError(t, err)
	t.Cleanup(nc.Close)
	eventually(t, "a connection", nc.IsConnected)
	return nc
}

func clientOf(t testing.TB, nc *nats.Conn, key string, o remote.NATSOptions) *remote.NATSClient {
	t.Helper()
	c, err := remote.NATS(natsconn.New(nc), key, o)
	require.NoError(t, err)
	t.Cleanup(func() { c.Close(context.Background()) })
	return c
}

func verify(c password.Verifier, given string) error {
	_, err := c.Verify(context.Background(), password.Login{}, []byte(given), "secret")
	return err
}

// A fleet answers, by workers that leave and come under load: no call is lost, and none refused
// because its worker was closing.
func TestLeave(t *testing.T) {
	t.Parallel() // it waits
	b := newBroker(t, "")
	k := newKey(t)
	slowly := func(ctx context.Context, path string, body []byte) (int, []byte) {
		time.Sleep(5 * time.Millisecond)
		return plain(ctx, path, body)
	}
	w := joined(t, b.url(), k, slowly).ready(t)
	c := clientOf(t, dial(t, b.url()), k.Public().String(), remote.NATSOptions{})

	ctx, stop := context.WithCancel(t.Context())
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			for ctx.Err() == nil {
				if err := verify(c, "secret"); err != nil {
					t.Errorf("a call was refused: %v", err)
					return
				}
			}
		})
	}

	for range 3 {
		next := joined(t, b.url(), k, slowly).ready(t)
		eventually(t, "it is asked", func() bool { return t.Failed() || next.count("answered") > 3 })
		if err := w.leave(t.Context()); err != nil {
			t.Error(err)
		}
		w = next
	}
	stop()
	callers.Wait()

	if err := verify(c, "other"); !errors.Is(err, password.ErrMismatch) {
		t.Errorf("another password: %v", err)
	}
}

// A worker whose call does not end leaves with its context, and one whose broker is away at once.
func TestLeaveEnds(t *testing.T) {
	b := newBroker(t, "")
	k := newKey(t)
	hung := make(chan struct{})
	begun := make(chan struct{}, 1)
	hangs := joined(t, b.url(), k, func(context.Context, string, []byte) (int, []byte) {
		begun <- struct{}{}
		<-hung
		return http.StatusOK, nil
	}).ready(t)
	c := clientOf(t, dial(t, b.url()), k.Public().String(), remote.NATSOptions{Timeout: 5 * time.Second})
	ended := make(chan error, 1)
	go func() { ended <- verify(c, "secret") }()
	<-begun

	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := hangs.leave(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want the context's error", err)
	}
	close(hung)

	other := joined(t, b.url(), newKey(t), plain).ready(t)
	b.kill()
	eventually(t, "the broker is away", func() bool { return !other.connected.Load() })
	if err := other.leave(t.Context()); err != nil {
		t.Errorf("without a broker: %v", err)
	}
	if err := <-ended; err == nil {
		t.Error("the call was answered")
	}
}

// A client with a key that the workers don't have is told so, and not that they are overloaded;
// keys that come are taken.
func TestOldKey(t *testing.T) {
	b := newBroker(t, "")
	old := newKey(t)
	k := newKey(t)
	w := joined(t, b.url(), k, plain).ready(t)
	c := clientOf(t, dial(t, b.url()), old.Public().String(), remote.NATSOptions{})
	if err := verify(c, "secret"); err == nil || errors.As(err, new(password.OverloadedError)) || !strings.Contains(err.Error(), "does not have this key") {
		t.Errorf("an old key: %v", err)
	}

	w.setKeys([]fleet.Key{k, old})
	if err := verify(c, "secret"); err != nil {
		t.Errorf("once the worker has it: %v", err)
	}
}

// A worker without room refuses unopened, and another is asked. A reload can make room.
func TestNoRoom(t *testing.T) {
	b := newBroker(t, "")
	k := newKey(t)
	gate := make(chan struct{})
	defer close(gate)
	full := joined(t, b.url(), k, func(context.Context, string, []byte) (int, []byte) {
		<-gate
		return http.StatusOK, nil
	}).ready(t)
	full.setMaxCalls(1)
	c := clientOf(t, dial(t, b.url()), k.Public().String(), remote.NATSOptions{})

	go verify(c, "secret")
	eventually(t, "it is full", func() bool { return full.calls.Load() == 1 })
	if err := verify(c, "secret"); !errors.As(err, new(password.OverloadedError)) {
		t.Errorf("no room: %v", err)
	}

	full.setMaxCalls(2)
	eventually(t, "the new room is used", func() bool {
		go verify(c, "secret")
		return full.calls.Load() == 2
	})

	other := joined(t, b.url(), k, plain).ready(t)
	for range 20 {
		eventually(t, "the other is heard", func() bool { return verify(c, "secret") == nil })
	}
	if full.count("busy") == 0 || other.count("answered") < 20 {
		t.Errorf("%v refused, %v answered", full.count("busy"), other.count("answered"))
	}
}

// A user is someone whom deploy/nats/fleet.conf names.
type user struct{ public, seed string } // seed is a path

func newUser(t *testing.T, dir, name string) user {
	t.Helper()
	pair, err := nkeys.CreateUser()
	require.NoError(t, err)
	text, _ := pair.Seed()
	public, _ := pair.PublicKey()
	seed := filepath.Join(dir, name+".seed")
	write(t, seed, text)
	return user{public, seed}
}

// dial connects as the user, who has an inbox of that name.
func (u user) dial(t *testing.T, address, inbox string, more ...nats.Option) *nats.Conn {
	t.Helper()
	nkey, err := nats.NkeyOptionFromSeed(u.seed)
	require.NoError(t, err)
	return dial(t, address, append(more, nkey, nats.CustomInboxPrefix("_INBOX."+inbox))...)
}

// fleetFile writes the documented file with nkeys in it.
func fleetFile(t *testing.T, path string, worker, web user) {
	t.Helper()
	conf, err := os.ReadFile("../../../../deploy/nats/fleet.conf")
	require.NoError(t, err)
	conf = bytes.Replace(conf, []byte("nkey: WORKER\n"), []byte("nkey: "+worker.public+"\n"), 1)
	conf = bytes.Replace(conf, []byte("nkey: WEB\n"), []byte("nkey: "+web.public+"\n"), 1)
	write(t, path, conf)
}

// The documented file: a client asks and is answered, hears news, and can do nothing else; nor can
// a worker.
func TestWhoMayAsk(t *testing.T) {
	dir := t.TempDir()
	k := newKey(t)
	worker := newUser(t, dir, "worker")
	webUser := newUser(t, dir, "web")
	fleetFile(t, filepath.Join(dir, "fleet.conf"), worker, webUser)
	address := newBroker(t, filepath.Join(dir, "fleet.conf")).url()

	var received atomic.Int64
	w := joined(t, address, k, func(ctx context.Context, path string, body []byte) (int, []byte) {
		received.Add(1)
		return plain(ctx, path, body)
	}, "--nats-nkey", worker.seed).ready(t)

	var denied atomic.Uint64
	count := func(_ *nats.Conn, _ *nats.Subscription, err error) {
		if errors.Is(err, nats.ErrPermissionViolation) {
			denied.Add(1)
		}
	}
	w.nc.SetErrorHandler(count)

	web := webUser.dial(t, address, "web")
	c := clientOf(t, web, k.Public().String(), remote.NATSOptions{})
	web.SetErrorHandler(count)

	heard := make(chan []byte, 100)
	stop, err := natsconn.New(web).Subscribe("fount.v1.news", func(m []byte) { heard <- m })
	require.NoError(t, err)
	web.SetErrorHandler(count)

	if n, err := fleet.ParseNews(<-heard); err != nil || n.Worker != w.id {
		t.Errorf("news: %+v, %v", n, err)
	}
	stop()

	asks := func() {
		t.Helper()
		if err := verify(c, "secret"); err != nil {
			t.Error(err)
		}
		if err := verify(c, "other"); !errors.Is(err, password.ErrMismatch) {
			t.Error(err)
		}
	}
	asks()
	if denied.Load() != 0 {
		t.Fatalf("%d denials of what is allowed", denied.Load())
	}

	own := w.subject.Worker(w.id)
	for name, c := range map[string]struct {
		by                        *nats.Conn
		subscribe, queue, publish string
	}{
		"a client takes requests":             {by: web, subscribe: "fount.v1.any", queue: fleet.Group},
		"a client reads everything":           {by: web, subscribe: ">"},
		"a client reads a worker's requests":  {by: web, subscribe: own},
		"a client reads others' answers":      {by: web, subscribe: "_INBOX.>"},
		"a client publishes news":             {by: web, publish: "fount.v1.news"},
		"a client answers":                    {by: web, publish: "_INBOX.other.a"},
		"a worker asks":                       {by: w.nc, publish: "fount.v1.any"},
		"a worker asks a worker":              {by: w.nc, publish: own},
		"a worker reads others' requests":     {by: w.nc, subscribe: "fount.v1.any"},
		"a worker answers who has not asked":  {by: w.nc, publish: "_INBOX.web.a"},
		"a worker reads what clients receive": {by: w.nc, subscribe: "_INBOX.web.>"},
	} {
		t.Run(name, func(t *testing.T) {
			before := denied.Load()
			calls := received.Load()

			var err error
			if c.publish != "" {
				err = c.by.Publish(c.publish, nil)
			} else {
				_, err = c.by.QueueSubscribeSync(c.subscribe, c.queue)
			}
			require.NoError(t, err)

			eventually(t, "it is denied", func() bool { return denied.Load() > before })
			if received.Load() != calls {
				t.Error("the worker received it")
			}
		})
	}

	asks()
}

// Who the broker does not let in, or not ask, is told so before the time is over, and not that the
// fleet is overloaded. A worker that was not let in is, by itself, once the broker's file says so.
func TestDenied(t *testing.T) {
	dir := t.TempDir()
	k := newKey(t)
	file := filepath.Join(dir, "fleet.conf")
	worker := newUser(t, dir, "worker")
	web := newUser(t, dir, "web")
	other := newUser(t, dir, "other")
	fleetFile(t, file, worker, web)
	b := newBroker(t, file)
	if nc, err := nats.Connect(b.url()); !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("without an nkey: %v, %v; want an authorization error", nc, err)
	}

	w := joined(t, b.url(), k, plain, "--nats-nkey", worker.seed).ready(t)
	denied := func(c password.Verifier) bool {
		err := verify(c, "secret")
		return errors.Is(err, remote.ErrDenied) && !errors.As(err, new(password.OverloadedError)) && !errors.Is(err, context.DeadlineExceeded)
	}
	if !denied(clientOf(t, worker.dial(t, b.url(), "worker"), k.Public().String(), remote.NATSOptions{Timeout: time.Minute})) {
		t.Error("one who may not ask is not told")
	}

	// Nor is one who may not hear answers: also after the broker was away, and without a hash for each.
	unheard := clientOf(t, web.dial(t, b.url(), "another"), k.Public().String(), remote.NATSOptions{Timeout: time.Minute})
	for range 3 {
		if !denied(unheard) {
			t.Error("one who may not hear answers is not told")
		}
	}
	if n := w.count("answered"); n > 1 {
		t.Errorf("%v hashes for nobody", n)
	}

	nkey, err := nats.NkeyOptionFromSeed(other.seed)
	require.NoError(t, err)
	nc, err := nats.Connect(b.url(), append(natsconn.Options(), nkey)...)
	require.NoError(t, err)
	defer nc.Close()
	stranger := clientOf(t, nc, k.Public().String(), remote.NATSOptions{})
	eventually(t, "one who may not in is told", func() bool { return denied(stranger) })

	w = joined(t, b.url(), k, plain, "--nats-nkey", other.seed)
	eventually(t, "the worker was refused", func() bool { return errors.Is(w.nc.LastError(), nats.ErrAuthorization) })
	if w.connected.Load() {
		t.Error("a worker that the broker does not know is connected")
	}
	fleetFile(t, file, other, web)
	b.kill()
	b.start(file)
	eventually(t, "the worker is let in", w.connected.Load)
	eventually(t, "one who may not hear answers is told again", func() bool { return denied(unheard) })
}

// Without a worker a call is refused at once. A broker that hangs, and takes connections to come
// without a word, makes no call late: nats.go holds its locks while it dials.
func TestHungBroker(t *testing.T) {
	t.Parallel() // it waits
	b := newBroker(t, "")
	k := newKey(t)
	c := clientOf(t, dial(t, b.url()), k.Public().String(), remote.NATSOptions{})
	late := func(left, most time.Duration) (latest time.Duration) {
		for end := time.Now().Add(most); time.Now().Before(end); time.Sleep(time.Millisecond) {
			ctx, cancel := context.WithTimeout(t.Context(), left)
			start := time.Now()
			_, err := c.Verify(ctx, password.Login{}, []byte("a"), "a")
			latest = max(latest, time.Since(start))
			cancel()
			if err == nil {
				t.Fatal("an answer from nobody")
			}
		}
		return latest
	}

	// On a machine of its own at most 5 ms, and 20 ms after the deadline.
	took := late(time.Minute, 300*time.Millisecond)
	if t.Logf("without a worker calls took at most %v", took); took > 500*time.Millisecond {
		t.Error("they waited")
	}

	joined(t, b.url(), k, plain).ready(t)
	eventually(t, "an answer", func() bool { return verify(c, "secret") == nil })
	b.server.Process.Signal(syscall.SIGSTOP)
	syscall.Wait4(b.server.Process.Pid, nil, syscall.WUNTRACED, nil) // until all its threads stand still
	const left = 50 * time.Millisecond
	took = late(left, 3*time.Second)
	if t.Logf("calls ended at most %v after their deadline", took-left); took > left+500*time.Millisecond {
		t.Error("they were late")
	}
}

// A worker that has answered all ends with status 0 beside a broker that hangs.
func TestEndBesideAHungBroker(t *testing.T) {
	t.Parallel() // it waits
	b := newBroker(t, "")
	key := filepath.Join(t.TempDir(), "fleet.key")
	public := fleetKey(t, "new", key)
	p := start(t, nil, "--nats", b.url(), "--nats-key", key)
	p.said("nats connected")
	answers(t, fleetClient(t, b.url(), public, remote.NATSOptions{}), stored(t, cheap))

	b.server.Process.Signal(syscall.SIGSTOP)
	p.signal(syscall.SIGTERM)
	if err := p.end(); err != nil {
		t.Errorf("%v: %s", err, p.logged())
	}
}
