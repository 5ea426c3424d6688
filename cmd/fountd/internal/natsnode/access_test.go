// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package natsnode

// Who may ask, and where a broker may listen.

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"fount"
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

// The documented file on both brokers: a client asks and is answered, hears news, and can do nothing else; nor can the others.
func TestWhoMayAsk(t *testing.T) {
	eachBroker(t, func(t *testing.T, b running) {
		dir, k := t.TempDir(), newKey(t)
		who := users(t, dir)
		address := b.start(t, fleetFile(t, dir, who, ""))
		w, node := join(t, address, k, plain{}, func(o *Options) { o.NKey = who["WORKER"].seed })
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
			if n, err := fleet.ParseNews(within(t, name+" hears news", heard)); err != nil || n.Worker != node.ID() {
				t.Errorf("%s: %+v, %v", name, n, err)
			}
			stop()
		}
		if answers := all(t, watch, "$SRV.PING.fountd", 1); !strings.Contains(string(answers[0]), node.ID().String()) {
			t.Errorf("PING: %s", answers[0])
		}
		if denied.Load() != 0 {
			t.Fatalf("%d denials of what is allowed", denied.Load())
		}

		own := fleet.Subject("f").Worker(node.ID())
		for name, try := range map[string]func() error{
			"a client takes requests":             func() error { _, err := web.QueueSubscribeSync("f.any", fleet.Group); return err },
			"a client reads requests":             func() error { _, err := web.SubscribeSync("f.any"); return err },
			"a client reads everything":           func() error { _, err := web.SubscribeSync(">"); return err },
			"a client reads a worker's requests":  func() error { _, err := web.SubscribeSync(own); return err },
			"a client reads others' answers":      func() error { _, err := web.SubscribeSync("_INBOX.>"); return err },
			"a client reads another's answers":    func() error { _, err := web.SubscribeSync("_INBOX.watch.>"); return err },
			"a client publishes news":             func() error { return web.Publish("f.news", w.node.News(time.Now())) },
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
			before, received := denied.Load(), node.Stats().Received
			if err := try(); err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			until(t, name+" is denied", func() bool { return denied.Load() > before })
			if got := node.Stats().Received; got != received {
				t.Errorf("%s: the worker received it", name)
			}
		}
		asks()
	})
}

// Without an nkey, or with one that the broker does not know, nobody is let in; and is, once the broker's file says so. What
// was refused tries again by itself.
func TestStrangers(t *testing.T) {
	eachBroker(t, func(t *testing.T, b running) {
		dir, k := t.TempDir(), newKey(t)
		who := users(t, dir)
		file := fleetFile(t, dir, who, "")
		address := b.start(t, file)
		other := newUser(t, dir, "other")
		for name, options := range map[string][]nats.Option{"without an nkey": nil, "with another nkey": other.options(t, "web")} {
			if nc, err := nats.Connect("nats://"+address, options...); !errors.Is(err, nats.ErrAuthorization) {
				t.Errorf("%s: %v, %v; want an authorization error", name, nc, err)
			}
		}
		log := &lines{}
		w, err := Join(Options{Node: joinable(t, k, plain{}), Subject: "f", URL: "nats://" + address, NKey: other.seed, Log: slog.New(slog.NewTextHandler(log, nil))})
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
		if e, ok := b.(*embedded); ok {
			if err := e.broker.Reload(BrokerOptions{Listen: e.listen, File: file}); err != nil {
				t.Fatal(err)
			}
		} else {
			b.kill()
			b.start(t, file)
		}
		until(t, "the worker is let in", w.Connected)
	})
}

// A broker that strangers beyond loopback could use is refused with a line that says how.
func TestExposed(t *testing.T) {
	dir := t.TempDir()
	who := users(t, dir)
	cert, key, ca := certificate(t, dir)
	tls := fmt.Sprintf("\ntls { cert_file: %q, key_file: %q }\n", cert, key)
	cluster := fmt.Sprintf("\ncluster { tls { cert_file: %q, key_file: %q, ca_file: %q } }\n", cert, key, ca)
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	secure := write("secure", readFile(t, fleetFile(t, dir, who, tls+cluster)))
	const beyond = "beyond loopback, where anyone could "
	for name, c := range map[string]struct {
		o    BrokerOptions
		want string // "": it starts
	}{
		"loopback":               {BrokerOptions{Listen: "127.0.0.1:0"}, ""},
		"loopback, cluster":      {BrokerOptions{Listen: "127.0.0.1:0", Cluster: "127.0.0.1:0"}, ""},
		"all":                    {BrokerOptions{Listen: "0.0.0.0:0"}, beyond + "ask: give --nats-config with tls and with users"},
		"no host":                {BrokerOptions{Listen: ":0"}, beyond},
		"users without TLS":      {BrokerOptions{Listen: "0.0.0.0:0", File: fleetFile(t, dir, who, "")}, beyond},
		"TLS without users":      {BrokerOptions{Listen: "0.0.0.0:0", File: write("tls", tls)}, beyond},
		"both":                   {BrokerOptions{Listen: "0.0.0.0:0", File: secure}, ""},
		"anonymous user":         {BrokerOptions{Listen: "0.0.0.0:0", File: write("anyone", tls+"authorization { users: [{user: a, password: b}] }\nno_auth_user: a\n")}, beyond},
		"TLS or not":             {BrokerOptions{Listen: "0.0.0.0:0", File: write("mixed", readFile(t, secure)+"\nallow_non_tls: true\n")}, beyond},
		"the file's own address": {BrokerOptions{Listen: "127.0.0.1:0", File: write("listen", "listen: \"0.0.0.0:4222\"\n")}, ""},
		"cluster":                {BrokerOptions{Listen: "127.0.0.1:0", Cluster: "0.0.0.0:0"}, beyond + "join: give --nats-config with a tls block in its cluster block"},
		"cluster, TLS":           {BrokerOptions{Listen: "127.0.0.1:0", Cluster: "0.0.0.0:0", File: secure}, ""},
		"the file's cluster":     {BrokerOptions{Listen: "127.0.0.1:0", File: write("cluster", "cluster { listen: \"0.0.0.0:6222\" }\n")}, beyond},
		"cluster without authority": {BrokerOptions{Listen: "127.0.0.1:0", Cluster: "0.0.0.0:0", File: write("public", fmt.Sprintf("cluster { tls { cert_file: %q, key_file: %q } }\n", cert, key))},
			"with ca_file"},
		"any certificate":           {BrokerOptions{Listen: "0.0.0.0:0", File: write("verify", fmt.Sprintf("tls { cert_file: %q, key_file: %q, verify: true }\n", cert, key))}, beyond},
		"certificates":              {BrokerOptions{Listen: "0.0.0.0:0", File: write("verifyca", fmt.Sprintf("tls { cert_file: %q, key_file: %q, ca_file: %q, verify: true }\n", cert, key, ca))}, ""},
		"any certificate, mapped":   {BrokerOptions{Listen: "0.0.0.0:0", File: write("map", fmt.Sprintf("tls { cert_file: %q, key_file: %q, verify_and_map: true }\nauthorization { users: [{user: a}] }\n", cert, key))}, beyond},
		"certificates, mapped":      {BrokerOptions{Listen: "0.0.0.0:0", File: write("mapca", fmt.Sprintf("tls { cert_file: %q, key_file: %q, ca_file: %q, verify_and_map: true }\nauthorization { users: [{user: a}] }\n", cert, key, ca))}, ""},
		"a user without password":   {BrokerOptions{Listen: "0.0.0.0:0", File: write("empty", tls+"authorization { users: [{user: a}] }\n")}, beyond},
		"the user without password": {BrokerOptions{Listen: "0.0.0.0:0", File: write("empty1", tls+"authorization { user: a }\n")}, beyond},
		"a password":                {BrokerOptions{Listen: "0.0.0.0:0", File: write("password", tls+"authorization { user: a, password: b }\n")}, ""},
		"monitoring":                {BrokerOptions{Listen: "127.0.0.1:0", File: write("http", "http: \"0.0.0.0:-1\"\n")}, beyond + "see who asks"},
		"monitoring, TLS":           {BrokerOptions{Listen: "127.0.0.1:0", File: write("https", tls+"https: \"0.0.0.0:-1\"\n")}, beyond + "see who asks"},
		"monitoring by the port":    {BrokerOptions{Listen: "0.0.0.0:0", File: write("httpport", readFile(t, secure)+"\nhttp_port: -1\n")}, beyond + "see who asks"},
		"monitoring of loopback":    {BrokerOptions{Listen: "0.0.0.0:0", File: write("httplo", readFile(t, secure)+"\nhttp: \"127.0.0.1:-1\"\n")}, ""},
		"profiling":                 {BrokerOptions{Listen: "127.0.0.1:0", File: write("prof", "prof_port: -1\n")}, "run a nats-server of its own"},
		"a leaf":                    {BrokerOptions{Listen: "127.0.0.1:0", File: write("leaf", "leafnodes { remotes: [{url: \"nats://127.0.0.1:1\"}] }\n")}, "run a nats-server of its own"},
		"JetStream":                 {BrokerOptions{Listen: "127.0.0.1:0", File: write("js", "jetstream: true\n")}, "run a nats-server of its own"},
		"no file":                   {BrokerOptions{Listen: "127.0.0.1:0", File: "/nowhere/f"}, "no such file"},
		"a word in the file":        {BrokerOptions{Listen: "127.0.0.1:0", File: write("word", "lisen: 1\n")}, "unknown field"},
		"the file as it is in git":  {BrokerOptions{Listen: "127.0.0.1:0", File: "../../../../deploy/nats/fleet.conf"}, "nkey"},
	} {
		c.o.Log = slog.New(slog.DiscardHandler)
		b, err := Start(c.o)
		if err == nil {
			if got, _, _ := net.SplitHostPort(b.Address()); c.o.Listen == "127.0.0.1:0" && got != "127.0.0.1" {
				t.Errorf("%s: it listens at %s", name, got)
			}
			b.Stop()
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	if _, err := Start(BrokerOptions{Listen: taken.Addr().String(), Log: slog.New(slog.DiscardHandler)}); err == nil || !strings.Contains(err.Error(), "address already in use") {
		t.Errorf("a port that is taken: %v", err)
	}
}

// What the broker logs stays in fountd's log after a reload, whatever its file says of logs, and holds no message.
func TestReloadKeepsLog(t *testing.T) {
	dir := t.TempDir()
	file, theirs := filepath.Join(dir, "f"), filepath.Join(dir, "log")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("max_payload: 65536\n")
	var ours strings.Builder
	o := BrokerOptions{Listen: "127.0.0.1:0", File: file, Log: slog.New(slog.NewTextHandler(&ours, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	b, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	o.Listen = b.Address()
	write(fmt.Sprintf("max_payload: 65536\ntrace: true\nlogtime: false\nlog_file: %q\n", theirs))
	if err := b.Reload(o); err != nil {
		t.Fatal(err)
	}
	nc := dial(t, b.Address())
	if err := nc.Publish("a", []byte("the message")); err != nil {
		t.Fatal(err)
	}
	flush(t, nc)
	nc.Close()
	b.Stop()
	if text, err := os.ReadFile(theirs); err == nil {
		t.Errorf("nats-server has a log of its own: %s", text)
	}
	if log := ours.String(); !strings.Contains(log, "Server Exiting") || strings.Contains(log, "the message") {
		t.Errorf("fountd's log: %s", log)
	}
}

// Three brokers in three processes of fountd, here in one, with TLS and nkeys: each worker stands at its own, a client at one of
// them, and all workers answer it. It goes to another broker when its own is gone.
func TestThreeBrokers(t *testing.T) {
	dir, k := t.TempDir(), newKey(t)
	who := users(t, dir)
	cert, key, ca := certificate(t, dir)
	file := fleetFile(t, dir, who, fmt.Sprintf("\ntls { cert_file: %q, key_file: %q }\ncluster { tls { cert_file: %q, key_file: %q, ca_file: %q } }\n", cert, key, cert, key, ca))
	var brokers []*Broker
	var workers []*Worker
	var urls, routes []string
	for range 3 {
		b, err := Start(BrokerOptions{Listen: "127.0.0.1:0", Cluster: "127.0.0.1:0", Routes: routes, File: file, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Stop()
		w, _ := join(t, "", k, plain{}, func(o *Options) { o.URL, o.Broker, o.NKey = "", b, who["WORKER"].seed })
		brokers, workers = append(brokers, b), append(workers, w)
		urls, routes = append(urls, "tls://"+b.Address()), append(routes, "nats://"+b.ClusterAddress())
	}
	nc, err := nats.Connect(strings.Join(urls, ","), append(append(natsconn.Options(), nats.RootCAs(ca), nats.DontRandomize()), who["WEB"].options(t, "web")...)...)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	c := client(t, nc, k, remote.NATSOptions{})
	answered := func(among []*Worker) bool {
		sum := func() (n uint64) {
			for _, w := range among {
				n += w.node.Stats().Answered
			}
			return n
		}
		before := sum()
		if _, err := c.Verify(t.Context(), password.Login{}, []byte("a"), "a"); err != nil {
			return false // interest has not spread
		}
		return sum() > before
	}
	for i := range workers {
		if i > 0 { // of workers alike the client takes the one that it has known longest
			if err := workers[i-1].Leave(t.Context()); err != nil {
				t.Error(err)
			}
		}
		until(t, fmt.Sprintf("one of the workers from %d answers", i), func() bool { return answered(workers[i:]) })
	}
	brokers[0].Stop()
	until(t, "the client finds another broker", func() bool { return answered(workers[2:]) })
}

// certificate makes an authority, and of it a certificate for 127.0.0.1 for both sides of a connection.
func certificate(t *testing.T, dir string) (cert, key, ca string) {
	t.Helper()
	cert, key, ca = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"), filepath.Join(dir, "ca.pem")
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign,
	}
	server := &x509.Certificate{
		SerialNumber: big.NewInt(2), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	write := func(path, kind string, b []byte, err error) {
		if err == nil {
			err = os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: b}), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	signer, err := ecdsa.GenerateKey(elliptic.P256(), fount.Reader)
	if err != nil {
		t.Fatal(err)
	}
	own, err := ecdsa.GenerateKey(elliptic.P256(), fount.Reader)
	if err != nil {
		t.Fatal(err)
	}
	b, err := x509.CreateCertificate(fount.Reader, authority, authority, signer.Public(), signer)
	write(ca, "CERTIFICATE", b, err)
	b, err = x509.CreateCertificate(fount.Reader, server, authority, own.Public(), signer)
	write(cert, "CERTIFICATE", b, err)
	b, err = x509.MarshalPKCS8PrivateKey(own)
	write(key, "PRIVATE KEY", b, err)
	return cert, key, ca
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
