// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package natsnode

// Who may ask.

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"fount/cmd/fountd/internal/brokertest"
	"fount/internal/fleet"
	"fount/password"
	"fount/remote"
	"fount/remote/natsconn"
)

// A user is someone whom deploy/nats/fleet.conf names.
type user struct{ public, seed string } // seed is a path

func newUser(t *testing.T, dir, name string) user {
	t.Helper()
	k, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	seed, _ := k.Seed()
	public, _ := k.PublicKey()
	u := user{public, filepath.Join(dir, name+".seed")}
	if err := os.WriteFile(u.seed, seed, 0o600); err != nil {
		t.Fatal(err)
	}
	return u
}

// options let a user in, who has an inbox of that name.
func (u user) options(t *testing.T, inbox string) []nats.Option {
	t.Helper()
	nkey, err := nats.NkeyOptionFromSeed(u.seed)
	if err != nil {
		t.Fatal(err)
	}
	return []nats.Option{nkey, nats.CustomInboxPrefix("_INBOX." + inbox)}
}

// fleetFile is the documented file with nkeys in it, for subjects that begin with f, and more behind it.
func fleetFile(t *testing.T, dir string, users map[string]user, more string) string {
	t.Helper()
	text, err := os.ReadFile("../../../../deploy/nats/fleet.conf")
	if err != nil {
		t.Fatal(err)
	}
	conf := strings.ReplaceAll(string(text), `"fount.v1.`, `"f.`)
	for word, u := range users {
		if n := strings.Count(conf, "nkey: "+word+"\n"); n != 1 {
			t.Fatalf("fleet.conf has nkey: %s %d times", word, n)
		}
		conf = strings.Replace(conf, "nkey: "+word+"\n", "nkey: "+u.public+"\n", 1)
	}
	path := filepath.Join(dir, "fleet.conf")
	if err := os.WriteFile(path, []byte(conf+more), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func users(t *testing.T, dir string) map[string]user {
	return map[string]user{"WORKER": newUser(t, dir, "worker"), "WEB": newUser(t, dir, "web"), "WATCH": newUser(t, dir, "watch")}
}

// The documented file: a client asks and is answered, hears news, and can do nothing else; nor can the others.
func TestWhoMayAsk(t *testing.T) {
	dir, k := t.TempDir(), newKey(t)
	who := users(t, dir)
	address := brokertest.New(t, fleetFile(t, dir, who, "")).URL()
	w := join(t, address, k, plain, func(o *Options) { o.NKey = who["WORKER"].seed })
	var denied atomic.Uint64
	count := func(_ *nats.Conn, _ *nats.Subscription, err error) {
		if errors.Is(err, nats.ErrPermissionViolation) {
			denied.Add(1)
		}
	}
	faults := nats.ErrorHandler(count)
	w.nc.SetErrorHandler(count)
	web := dial(t, address, append(who["WEB"].options(t, "web"), faults)...)
	watch := dial(t, address, append(who["WATCH"].options(t, "watch"), faults)...)
	c := client(t, web, k, remote.NATSOptions{})
	asks := func() {
		t.Helper()
		if _, err := c.Verify(t.Context(), password.Login{}, []byte("a"), "a"); err != nil {
			t.Error(err)
		}
		if _, err := c.Verify(t.Context(), password.Login{}, []byte("b"), "a"); !errors.Is(err, password.ErrMismatch) {
			t.Error(err)
		}
	}
	asks()
	for name, nc := range map[string]*nats.Conn{"a client": web, "a watcher": watch} {
		heard := make(chan []byte, 100)
		stop, err := natsconn.New(nc).Subscribe("f.news", func(m []byte) { heard <- m })
		if err != nil {
			t.Fatal(err)
		}
		if n, err := fleet.ParseNews(within(t, name+" hears news", heard)); err != nil || n.Worker != w.node.id {
			t.Errorf("%s: %+v, %v", name, n, err)
		}
		stop()
	}
	if answers := all(t, watch, "$SRV.PING.fountd", 1); !strings.Contains(string(answers[0]), w.node.id.String()) {
		t.Errorf("PING: %s", answers[0])
	}
	if denied.Load() != 0 {
		t.Fatalf("%d denials of what is allowed", denied.Load())
	}

	own := fleet.Subject("f").Worker(w.node.id)
	for name, try := range map[string]func() error{
		"a client takes requests":             func() error { _, err := web.QueueSubscribeSync("f.any", fleet.Group); return err },
		"a client reads requests":             func() error { _, err := web.SubscribeSync("f.any"); return err },
		"a client reads everything":           func() error { _, err := web.SubscribeSync(">"); return err },
		"a client reads a worker's requests":  func() error { _, err := web.SubscribeSync(own); return err },
		"a client reads others' answers":      func() error { _, err := web.SubscribeSync("_INBOX.>"); return err },
		"a client reads another's answers":    func() error { _, err := web.SubscribeSync("_INBOX.watch.>"); return err },
		"a client publishes news":             func() error { return web.Publish("f.news", w.node.news()) },
		"a client answers":                    func() error { return web.Publish("_INBOX.watch.a", nil) },
		"a client plays a service":            func() error { _, err := web.SubscribeSync("$SRV.PING"); return err },
		"a client looks at workers":           func() error { return web.Publish("$SRV.PING", nil) },
		"a watcher asks":                      func() error { return watch.Publish("f.any", nil) },
		"a watcher asks a worker":             func() error { return watch.Publish(own, nil) },
		"a watcher reads requests":            func() error { _, err := watch.SubscribeSync("f.any"); return err },
		"a watcher takes requests":            func() error { _, err := watch.QueueSubscribeSync("f.any", fleet.Group); return err },
		"a watcher reads a worker's requests": func() error { _, err := watch.SubscribeSync(own); return err },
		"a watcher reads others' answers":     func() error { _, err := watch.SubscribeSync("_INBOX.web.>"); return err },
		"a worker asks":                       func() error { return w.nc.Publish("f.any", nil) },
		"a worker asks a worker":              func() error { return w.nc.Publish(own, nil) },
		"a worker reads others' requests":     func() error { _, err := w.nc.SubscribeSync("f.any"); return err },
		"a worker answers who has not asked":  func() error { return w.nc.Publish("_INBOX.web.a", nil) },
		"a worker reads what clients receive": func() error { _, err := w.nc.SubscribeSync("_INBOX.web.>"); return err },
	} {
		before, received := denied.Load(), w.node.counts().Received
		if err := try(); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		until(t, name+" is denied", func() bool { return denied.Load() > before })
		if got := w.node.counts().Received; got != received {
			t.Errorf("%s: the worker received it", name)
		}
	}
	asks()
}

// Without an nkey, or with one that the broker does not know, nobody is let in; and is, once the broker's file says so. What
// was refused tries again by itself.
func TestStrangers(t *testing.T) {
	dir, k := t.TempDir(), newKey(t)
	who := users(t, dir)
	file := fleetFile(t, dir, who, "")
	b := brokertest.New(t, file)
	address := b.URL()
	other := newUser(t, dir, "other")
	for name, options := range map[string][]nats.Option{"without an nkey": nil, "with another nkey": other.options(t, "web")} {
		if nc, err := nats.Connect(address, options...); !errors.Is(err, nats.ErrAuthorization) {
			t.Errorf("%s: %v, %v; want an authorization error", name, nc, err)
		}
	}
	log := &lines{}
	w, err := Join(Options{Answer: plain, Wait: noWait, Calls: 10, Keys: []fleet.Key{k}, Subject: "f", URL: address, NKey: other.seed, Log: slog.New(slog.NewTextHandler(log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer w.nc.Close()
	until(t, "the worker was refused", func() bool { return log.count("uthorization") > 0 })
	if w.Connected() {
		t.Error("a worker that the broker does not know is connected")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), who["WORKER"].public, other.public, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	b.Kill()
	b.Start(file)
	until(t, "the worker is let in", w.Connected)
}
