// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fount/internal/problem"
	"fount/internal/test/require"
	"fount/internal/test/socketdir"
	"fount/internal/test/verifiertest"
	"fount/password"
	"fount/remote/api"
)

// quietLog swallows what servers say of clients that were to fail.
var quietLog = log.New(io.Discard, "", 0)

var someone = password.Login{Principal: "192.0.2.1"}

// verify asks for an unknown user.
func verify(t *testing.T, c *HTTPClient) error {
	_, err := c.Verify(t.Context(), someone, []byte("a"), "")
	return err
}

// overloaded reports whether a service that gets err would send its client away for a while.
func overloaded(err error) bool {
	o, ok := errors.AsType[password.OverloadedError](err)
	return ok && o.After > 0
}

// broken reports whether err is what no retry mends: it is none of package password's.
func broken(err error) bool {
	_, ok := errors.AsType[*Error](err)
	if !ok || overloaded(err) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return false
	}
	return password.ReasonOf(err) == password.ReasonOther
}

// serveBytes answers each request with what reply writes to its connection, which is then closed. It
// returns the socket.
func serveBytes(t *testing.T, reply func(c net.Conn)) string {
	t.Helper()
	path := socketPath(t)
	l := listen(t, path)
	var wg sync.WaitGroup
	t.Cleanup(func() { l.Close(); wg.Wait() })
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer c.Close()
				if readRequest(c) == nil {
					reply(c)
				}
			})
		}
	})
	return path
}

// readRequest reads one request with its body.
func readRequest(c net.Conn) error {
	var text []byte
	buf := make([]byte, 4096)
	for {
		n, err := c.Read(buf)
		text = append(text, buf[:n]...)
		if bytes.HasSuffix(bytes.TrimRight(text, " "), []byte("}")) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func answer(w http.ResponseWriter, p api.Problem) {
	w.WriteHeader(p.Status)
	w.Write(p.JSON())
}

// socketPath returns a path for a socket.
func socketPath(t *testing.T) string {
	t.Helper()
	return filepath.Join(socketdir.New(t), "s")
}

func listen(t *testing.T, path string) net.Listener {
	t.Helper()
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Skipf("no Unix sockets here: %v", err)
	}
	return l
}

// connect returns a client that lasts as long as the test.
func connect(t *testing.T, address string, o HTTPOptions) *HTTPClient {
	t.Helper()
	if o.Timeout == 0 {
		o.Timeout = verifiertest.Patience
	}
	c, err := HTTP(address, o)
	require.NoError(t, err)
	t.Cleanup(func() {
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return c
}

const aMatch = `{"match":true,"needs_rehash":false,"truncated":false}`

// ok is a reply by Content-Length.
func ok(body string) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// No password goes in plaintext beyond loopback, and no address holds a secret.
func TestAddresses(t *testing.T) {
	for _, address := range []string{"https://hashes.internal/fountd/", "http://127.0.0.1:8080", "http://[::1]:8080", "http://localhost:8080"} {
		a, err := parseAddress(address)
		require.NoError(t, err)
		u := a.request(t.Context(), api.PathHash).URL
		if want := strings.TrimSuffix(address, "/") + api.PathHash; u.String() != want || u.Path[0] != '/' {
			t.Errorf("%s: %s; want %s", address, u, want)
		}
	}
	for _, address := range []string{
		"", "fountd.sock", "nats://127.0.0.1", "https://", "https://h/?x=1", "http://hashes.internal", "http://127.0.0.1.evil.test", "https://u:s3cret@h",
	} {
		if a, err := parseAddress(address); err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%q: %+v, %v", address, a, err)
		}
	}
}

// A name of this machine that leads elsewhere gets no password in plaintext: nothing is sent there,
// not even the connection.
func TestLocalhostElsewhere(t *testing.T) {
	c := connect(t, "http://localhost:8080", HTTPOptions{})
	_, err := c.transports[0].DialContext(t.Context(), "tcp", "192.0.2.1:8080")
	if !errors.Is(err, errPlaintext) || !broken(c.sendError(t.Context(), t.Context(), "localhost", err)) {
		t.Errorf("%v; want an error that no retry mends", err)
	}
}

// What needs no server is found in the order of password.Pool.Verify.
func TestTooLongBeforeUnreadable(t *testing.T) {
	c := connect(t, "/s", HTTPOptions{})
	_, err := c.Verify(t.Context(), someone, make([]byte, api.MaxPassword+1), "\xff")
	if !errors.Is(err, password.ErrTooLong) {
		t.Errorf("%v; want ErrTooLong", err)
	}
}

// What the server finds wrong is mended by no retry, and its words are one short line.
func TestErrorOf(t *testing.T) {
	for _, reason := range []api.Reason{api.ReasonInvalid, api.ReasonTooLarge, api.ReasonInternal, "new"} {
		if err := errorOf(api.NewProblem(reason, "why", 0)); !broken(err) {
			t.Errorf("%s: %v; want an error that no retry mends", reason, err)
		}
	}
	if err := errorOf(api.Problem{Details: problem.New(503, 1500*time.Millisecond), Reason: "new"}); !errors.Is(err, password.OverloadedError{After: 1500 * time.Millisecond}) {
		t.Errorf("a reason that is new, with 503: %v; want OverloadedError", err)
	}
	got := errorOf(api.Problem{Details: problem.New(500, 0), Detail: "line\nbreak\x1b[2J" + strings.Repeat("é", 1000)}).Error()
	if strings.ContainsAny(got, "\n\x1b") || len(got) > maxLine+50 {
		t.Errorf("a detail of control characters is printed as %q", got)
	}
}

// Where package password's Observation has a reason, the API has the same word, with the status of
// its outcome.
func TestReasonsAreThePoolsOwn(t *testing.T) {
	statuses := map[password.Outcome]int{password.OutcomeRefused: 503, password.OutcomeDropped: 503, password.OutcomeInvalid: 422}
	for _, e := range password.Endings() {
		status, ok := statuses[e.Outcome]
		if !ok || e.Reason == password.ReasonOther { // a server's own fault
			continue
		}
		if got := api.Reason(e.Reason.String()).Status(); got != status {
			t.Errorf("%v, %v: status %d; want %d", e.Outcome, e.Reason, got, status)
		}
	}
}

// A server that ends at any byte of its reply has not answered.
func TestReplyCutAtEachByte(t *testing.T) {
	refusal := api.NewProblem(api.ReasonMalformed, "why", 0).JSON()
	for name, c := range map[string]struct {
		whole string
		want  error
	}{
		"by length": {whole: ok(aMatch)},
		"in chunks": {
			whole: fmt.Sprintf("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(aMatch), aMatch),
		},
		"a problem": {
			whole: fmt.Sprintf("HTTP/1.1 422 Unprocessable Entity\r\nContent-Length: %d\r\n\r\n%s", len(refusal), refusal),
			want:  password.ErrMalformed,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var n atomic.Int64
			client := connect(t, serveBytes(t, func(conn net.Conn) { io.WriteString(conn, c.whole[:n.Load()]) }), HTTPOptions{})
			for i := range len(c.whole) {
				n.Store(int64(i))
				if err := verify(t, client); !overloaded(err) {
					t.Fatalf("cut at byte %d of %d: %v; want OverloadedError", i, len(c.whole), err)
				}
			}
			n.Store(int64(len(c.whole)))
			if err := verify(t, client); !errors.Is(err, c.want) {
				t.Errorf("the whole: %v; want %v", err, c.want)
			}
		})
	}
}

// What is not fountd's answer is an error, and never a match, a mismatch or a hash. No redirect is
// followed.
func TestWrongReplies(t *testing.T) {
	status := func(status, body string) string {
		return "HTTP/1.1 " + status + "\r\nContent-Length: " + fmt.Sprint(len(body)) + "\r\n\r\n" + body
	}
	wants := func(is func(error) bool, replies map[string]string) {
		for name, reply := range replies {
			t.Run(name, func(t *testing.T) {
				c := connect(t, serveBytes(t, func(conn net.Conn) { io.WriteString(conn, reply) }), HTTPOptions{})
				err := verify(t, c)
				if err == nil || !is(err) {
					t.Fatal(err)
				}
				if len(err.Error()) > 500 || strings.Contains(err.Error(), "\n") {
					t.Errorf("no short line: %.1000q", err)
				}
				if _, err := c.Hash(t.Context(), someone, []byte("a")); err == nil {
					t.Error("it is taken for a hash")
				}
			})
		}
	}

	wants(overloaded, map[string]string{
		"nothing":          "",
		"no HTTP":          "SSH-2.0-OpenSSH_10.0\r\n",
		"429 of a proxy":   status("429 Too Many Requests", ""),
		"502 of a proxy":   status("502 Bad Gateway", "<html>"),
		"a header of 1 MB": "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 1<<20) + "\r\n\r\n" + aMatch,
		"two lengths":      "HTTP/1.1 200 OK\r\nContent-Length: 53\r\nContent-Length: 54\r\n\r\n" + aMatch,
	})
	wants(broken, map[string]string{
		"200 and HTML":                     ok("<html>welcome</html>"),
		"200 and more behind it":           ok(aMatch + aMatch),
		"200 and bytes that are not UTF-8": ok("{\"match\":true,\"x\":\"\xff\"}"),
		"200 and a refusal":                ok(string(api.NewProblem(api.ReasonQueue, "", 0).JSON())),
		"204":                              "HTTP/1.1 204 No Content\r\n\r\n",
		"101":                              "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n" + aMatch,
		"307 to where nobody listens":      "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
		"404 of another server":            status("404 Not Found", "404 page not found"),
		"500 of a proxy":                   status("500 Internal Server Error", "{}"),
		"a problem of another status":      status("500 Internal Server Error", string(api.NewProblem(api.ReasonMalformed, "", 0).JSON())),
		"compressed":                       "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n\x1f\x8b",
	})
}

// The client reads 16 KiB of an endless answer, and hangs up.
func TestEndlessReply(t *testing.T) {
	sent := make(chan int, 1)
	c := connect(t, serveBytes(t, func(conn net.Conn) {
		total, err := io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n")
		for chunk := bytes.Repeat([]byte(" "), 1<<16); err == nil && total < 1<<30; {
			var n int
			n, err = conn.Write(chunk)
			total += n
		}
		sent <- total
	}), HTTPOptions{})
	if err := verify(t, c); !broken(err) || !errors.Is(err, errLong) {
		t.Errorf("%v; want an error that says how long it may be", err)
	}
	if n := <-sent; n > 8<<20 {
		t.Errorf("the server could send %d bytes", n)
	}
}

// A server that hangs, wherever in its answer, ends its calls with the context or with Timeout;
// others don't wait behind them.
func TestServerHangs(t *testing.T) {
	for name, sent := range map[string]string{
		"before the answer": "",
		"in the header":     "HTTP/1.1 200 O",
		"in the body":       ok(aMatch)[:60],
	} {
		t.Run(name, func(t *testing.T) {
			var answers atomic.Bool
			arrived := make(chan struct{}, 10)
			release := make(chan struct{})
			defer close(release)
			path := serveBytes(t, func(conn net.Conn) {
				whole := answers.Load()
				arrived <- struct{}{}
				if whole {
					io.WriteString(conn, ok(aMatch))
					return
				}
				io.WriteString(conn, sent)
				<-release
			})
			c := connect(t, path, HTTPOptions{})

			ctx, cancel := context.WithCancel(t.Context())
			canceled := make(chan error, 1)
			go func() {
				_, err := c.Verify(ctx, someone, []byte("a"), "")
				canceled <- err
			}()
			<-arrived
			answers.Store(true)
			if err := verify(t, c); err != nil {
				t.Errorf("a call beside one that hangs: %v", err)
			}
			cancel()
			if err := <-canceled; !errors.Is(err, context.Canceled) || errors.Is(err, password.ErrNotBegun) {
				t.Errorf("canceled: %v; want context.Canceled, of a call that may have begun", err)
			}

			answers.Store(false)
			short := connect(t, path, HTTPOptions{Timeout: 20 * time.Millisecond})
			if err := verify(t, short); !overloaded(err) || errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("Timeout passed: %v; want OverloadedError", err)
			}
			ctx, cancel = context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			if _, err := c.Verify(ctx, someone, []byte("a"), ""); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("the deadline passed: %v; want context.DeadlineExceeded", err)
			}
		})
	}
}

// The time left travels, of the context's deadline or of Timeout, whichever is earlier.
func TestDeadlineTravels(t *testing.T) {
	left := make(chan time.Duration, 1)
	s := script(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		m, err := api.DecodeRequest(api.PathVerify, body)
		if err != nil {
			t.Error(err)
		}
		left <- m.Deadline
		io.WriteString(w, aMatch)
	})
	for timeout, given := range map[time.Duration]time.Duration{time.Hour / 2: 3 * time.Hour, 3 * time.Hour: time.Hour / 2} {
		ctx, cancel := context.WithTimeout(t.Context(), given)
		if _, err := several(t, HTTPOptions{Timeout: timeout}, s).Verify(ctx, someone, []byte("a"), ""); err != nil {
			t.Error(err)
		}
		cancel()
		if got, want := <-left, time.Hour/2; got > want || got < want-time.Minute {
			t.Errorf("%v and %v given, %v arrived", timeout, given, got)
		}
	}
}

// The caller's deadline has passed at the server only if it is before that of Timeout.
func TestExpired(t *testing.T) {
	c := several(t, HTTPOptions{}, script(t, fails(api.ReasonExpired)))
	ends := func(deadline time.Duration) error {
		ctx, cancel := context.WithTimeout(t.Context(), deadline)
		defer cancel()
		_, err := c.Verify(ctx, someone, []byte("a"), "")
		return err
	}

	for name, err := range map[string]error{"no deadline": verify(t, c), "a later one": ends(2 * c.timeout)} {
		if !overloaded(err) || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v; want OverloadedError", name, err)
		}
	}
	if err := ends(c.timeout / 2); !errors.Is(err, context.DeadlineExceeded) || overloaded(err) {
		t.Errorf("%v; want context.DeadlineExceeded", err)
	}
}

// gated returns a server whose requests arrive, and are answered once release is closed.
func gated(t *testing.T) (s *scripted, arrived, release chan struct{}) {
	arrived = make(chan struct{}, 10)
	release = make(chan struct{})
	return script(t, func(w http.ResponseWriter, _ *http.Request) {
		arrived <- struct{}{}
		<-release
		io.WriteString(w, aMatch)
	}), arrived, release
}

// Above Calls a call is refused at once, and does not wait for the others.
func TestCalls(t *testing.T) {
	s, arrived, release := gated(t)
	c := several(t, HTTPOptions{Calls: 2}, s)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if err := verify(t, c); err != nil {
				t.Error(err)
			}
		})
		<-arrived
	}

	if err := verify(t, c); !overloaded(err) {
		t.Errorf("the third call of two: %v; want OverloadedError", err)
	}
	if err := c.Ready(t.Context(), someone); !overloaded(err) || !errors.Is(err, password.ErrNotBegun) {
		t.Errorf("Ready beside two calls of two: %v; want OverloadedError and ErrNotBegun", err)
	}

	close(release)
	wg.Wait()
	if err := verify(t, c); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// Close waits for the calls, and ends them when its context is done.
func TestClose(t *testing.T) {
	s, arrived, release := gated(t)
	patient := several(t, HTTPOptions{}, s)
	hasty := several(t, HTTPOptions{}, s)
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := verify(t, patient); err != nil {
			t.Errorf("Close waits: %v", err)
		}
	})
	<-arrived

	left := make(chan error, 1)
	go func() { left <- verify(t, hasty) }()
	<-arrived

	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := hasty.Close(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("Close, which may not wait: %v; want context.Canceled", err)
	}
	// The server answers nobody yet.
	if err := <-left; !errors.Is(err, password.ErrClosed) || errors.Is(err, password.ErrNotBegun) {
		t.Errorf("Close does not wait: %v; want ErrClosed", err)
	}

	wg.Go(func() {
		if err := patient.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	close(release)
	wg.Wait()
}

// A client heals with its server: it fails while there is none, and its connections to the former
// one cost no call.
func TestServerRestarts(t *testing.T) {
	path := socketPath(t)
	c := connect(t, path, HTTPOptions{})
	for range 3 {
		if err := verify(t, c); !overloaded(err) || !errors.Is(err, os.ErrNotExist) {
			t.Errorf("no server: %v; want OverloadedError", err)
		}

		s := &httptest.Server{Listener: listen(t, path), Config: &http.Server{Handler: matches("0")}}
		s.Start()
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if err := verify(t, c); err != nil {
					t.Errorf("the server is back: %v", err)
				}
			})
		}
		wg.Wait()
		s.Close()
	}
}

// An ending connection ends before the write that left counts down to.
type ending struct {
	net.Conn
	left int
}

func (e *ending) Write(p []byte) (int, error) {
	e.left--
	if e.left == 0 {
		e.Close()
	}
	return e.Conn.Write(p)
}

// Nor does one that ends after a request's header and before its body.
func TestEndsBeforeBody(t *testing.T) {
	c := connect(t, script(t, matches("0")).URL, HTTPOptions{})
	dial := c.transports[0].DialContext
	c.transports[0].DialContext = func(ctx context.Context, network, host string) (net.Conn, error) {
		conn, err := dial(ctx, network, host)
		return wipingConn{&ending{conn.(wipingConn).Conn, 4}}, err
	}
	for range 3 {
		require.NoError(t, verify(t, c))
	}
}

// What the client built of a password is gone after the call, even where the transport still holds
// it.
func TestBodyIsWiped(t *testing.T) {
	b := &body{text: encode(t.Context(), api.PathHash, api.Request{Password: []byte("s3cret")})}
	r := (address{}).request(t.Context(), api.PathHash)
	b.attach(r)
	text := b.text
	b.wipe()

	if !bytes.Equal(text, make([]byte, len(text))) {
		t.Errorf("left: %q", text)
	}

	again, err := r.GetBody()
	require.NoError(t, err)
	for _, body := range []io.Reader{r.Body, again} {
		if n, err := body.Read(make([]byte, 10)); n != 0 || err == nil || err == io.EOF {
			t.Errorf("a wiped body gives %d bytes, %v", n, err)
		}
	}
}

// What a connection has sent is gone from the buffer that it was given.
func TestBuffersAreWiped(t *testing.T) {
	s := httptest.NewTLSServer(http.NotFoundHandler())
	defer s.Close()
	plain := connect(t, serveBytes(t, func(net.Conn) {}), HTTPOptions{})
	secure := connect(t, s.URL, HTTPOptions{TLS: s.Client().Transport.(*http.Transport).TLSClientConfig})
	for name, dial := range map[string]func(ctx context.Context, network, host string) (net.Conn, error){
		"a socket": plain.transports[0].DialContext,
		"TLS":      secure.transports[0].DialTLSContext,
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := dial(t.Context(), "tcp", s.Listener.Addr().String())
			require.NoError(t, err)
			defer conn.Close()

			buf := []byte("s3cret")
			if _, err := conn.Write(buf); err != nil || !bytes.Equal(buf, make([]byte, len(buf))) {
				t.Errorf("left: %q, %v", buf, err)
			}
		})
	}
}

// Who is not who TLS says gets no password, and no retry mends that.
func TestTLS(t *testing.T) {
	// In TLS 1.3 the server refuses a certificate after the client has begun to write, which may
	// fail before it reads why. One that was sent plaintext closes with some of that unread, which
	// resets the connection and may take the answer away.
	refused := func(err error) bool { return broken(err) || overloaded(err) }
	s := httptest.NewUnstartedServer(matches("0"))
	s.Config.ErrorLog = quietLog
	s.StartTLS()
	defer s.Close()

	trusted := s.Client().Transport.(*http.Transport).TLSClientConfig

	mutual := httptest.NewUnstartedServer(s.Config.Handler)
	mutual.Config.ErrorLog = quietLog
	mutual.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	mutual.StartTLS()
	defer mutual.Close()

	plain := httptest.NewServer(s.Config.Handler)
	defer plain.Close()

	for name, c := range map[string]struct {
		address string
		config  *tls.Config
		want    func(error) bool // nil: an answer
	}{
		"trusted":           {address: s.URL, config: trusted},
		"unknown authority": {address: s.URL, want: broken},
		"another name": {
			address: s.URL, config: &tls.Config{RootCAs: trusted.RootCAs, ServerName: "hashes.internal"}, want: broken,
		},
		"without the client's certificate": {address: mutual.URL, config: trusted, want: refused},
		"with the client's certificate": {
			address: mutual.URL, config: &tls.Config{RootCAs: trusted.RootCAs, Certificates: s.TLS.Certificates},
		},
		"to a server of plaintext": {
			address: strings.Replace(plain.URL, "http:", "https:", 1), config: trusted, want: broken,
		},
		"plaintext to a server of TLS": {address: strings.Replace(s.URL, "https:", "http:", 1), want: refused},
	} {
		t.Run(name, func(t *testing.T) {
			client := connect(t, c.address, HTTPOptions{TLS: c.config})
			for range 2 {
				err := verify(t, client)
				if c.want == nil && err != nil || c.want != nil && !c.want(err) {
					t.Error(err)
				}
			}
		})
	}
}
