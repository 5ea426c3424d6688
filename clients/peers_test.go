// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package clients

// The clients' adapters, and the servers that they ask.

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"fount/internal/test/require"
	"fount/internal/test/socketdir"
)

// A client is a running adapter.
type client struct {
	hello struct {
		Client    string
		Unix, TLS bool
		Framework bool
		Batches   []string
	}
	process   *exec.Cmd
	in        io.Writer
	out       *bufio.Reader
	log       *output
	elsewhere *server // where nothing may lead
}

// An output gathers what a process writes.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(b)
}

func (c *client) logged() string {
	c.log.mu.Lock()
	defer c.log.mu.Unlock()
	return c.log.text.String()
}

func startClient(t *testing.T, path string) *client {
	t.Helper()
	folder := filepath.Dir(filepath.Dir(path))
	c := &client{process: exec.Command("testdata/adapter"), log: &output{}}
	c.elsewhere = listen(t, func(e *exchange) {
		e.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + match)
	})
	c.process.Dir = folder
	c.process.Env = append(os.Environ(), "http_proxy="+c.elsewhere.url, "https_proxy="+c.elsewhere.url, "all_proxy="+c.elsewhere.url,
		"HTTP_PROXY="+c.elsewhere.url, "HTTPS_PROXY="+c.elsewhere.url, "ALL_PROXY="+c.elsewhere.url, "NODE_USE_ENV_PROXY=1")
	c.process.Stderr = c.log
	c.in, _ = c.process.StdinPipe()
	out, _ := c.process.StdoutPipe()
	c.out = bufio.NewReader(out)
	if err := c.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.process.Process.Kill(); c.process.Wait() })

	if err := c.read(&c.hello); err != nil {
		ended := c.process.Wait()
		if c.process.ProcessState.ExitCode() == 77 {
			require.Skip(t, folder, c.logged())
		}
		t.Fatalf("%v, %v\n%s", err, ended, c.logged())
	}
	return c
}

// read reads a line, for which an adapter that compiles first may need a while.
func (c *client) read(answer any) error {
	defer time.AfterFunc(3*time.Minute, func() { c.process.Process.Kill() }).Stop()
	line, err := c.out.ReadBytes('\n')
	if err != nil {
		return err
	}
	return json.Unmarshal(line, answer)
}

func (c *client) exchange(t *testing.T, request, answer any) {
	t.Helper()
	line, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	c.in.Write(append(line, '\n'))
	if err := c.read(answer); err != nil {
		t.Fatalf("%v\n%s", err, c.logged())
	}
}

func (c *client) ask(t *testing.T, asked call) (o outcome) {
	t.Helper()
	c.exchange(t, asked, &o)
	return o
}

func (c *client) batch(t *testing.T, kind string, calls []call) []outcome {
	t.Helper()
	var answer struct{ Outcomes []outcome }
	c.exchange(t, map[string]any{"batch": kind, "calls": calls}, &answer)
	if len(answer.Outcomes) != len(calls) {
		t.Fatalf("%d outcomes of %d calls", len(answer.Outcomes), len(calls))
	}
	return answer.Outcomes
}

func (r *row) needsUnix() {
	if !r.hello.Unix {
		r.Skip(r.hello.Client + " asks over TCP alone")
	}
}

func (r *row) needsTLS() {
	if !r.hello.TLS {
		r.Skip(r.hello.Client + " has no TLS")
	}
}

var program string // fountd

// A fountd serves a socket and a port of loopback.
type fountd struct {
	*exec.Cmd
	t            *testing.T
	args         []string
	socket, url  string
	host, folder string
}

func startFountd(t *testing.T, args ...string) *fountd {
	t.Helper()
	f := &fountd{t: t, host: free(t), folder: socketdir.New(t)}
	f.socket = filepath.Join(f.folder, "fountd", "s.sock")
	f.url = "http://" + f.host
	f.args = append([]string{"--socket", f.socket, "--listen", f.host, "--policy", "argon2id,m=64,t=1,p=1", "--max-wait", "1h"}, args...)
	f.start()
	t.Cleanup(func() { f.Process.Kill(); f.Wait() })
	return f
}

func (f *fountd) start() {
	f.Cmd = exec.Command(program, f.args...)
	f.Stdout, f.Stderr = f.t.Output(), f.t.Output()
	if err := f.Start(); err != nil {
		f.t.Error(err)
		return
	}
	for range 500 {
		if c, err := net.Dial("tcp", f.host); err == nil {
			c.Close()
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	f.t.Error("fountd does not start")
}

func (f *fountd) restart() {
	f.Process.Signal(syscall.SIGTERM)
	f.Wait()
	f.start()
}

// flood asks for more hashes than fountd makes, until it is told to stop.
func flood(t *testing.T, f *fountd) (stop func()) {
	var running sync.WaitGroup
	done := make(chan struct{})
	for n := range 8 {
		running.Go(func() {
			for {
				body := fmt.Sprintf(`{"password":"x","principal":"192.0.2.%d"}`, n)
				if reply, err := http.Post(f.url+"/v1/hash", "application/json", strings.NewReader(body)); err == nil {
					reply.Body.Close()
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	return func() { close(done); running.Wait() }
}

// free returns an address at which nobody listens.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// blackHole returns an address at which no connection is made, as its queue is full.
func blackHole(t *testing.T) string {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(fd) })
	syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}})
	syscall.Listen(fd, 0)
	bound, _ := syscall.Getsockname(fd)
	host := fmt.Sprintf("127.0.0.1:%d", bound.(*syscall.SockaddrInet4).Port)
	for {
		c, err := net.DialTimeout("tcp", host, 200*time.Millisecond)
		if err != nil {
			return host
		}
		t.Cleanup(func() { c.Close() })
	}
}

// A server hands each connection to one function, which ends it.
type server struct {
	net.Listener
	url, host, port string

	mu      sync.Mutex
	running sync.WaitGroup
	open    []net.Conn
	done    chan struct{}
	got     bool // a request
}

func listen(t *testing.T, answer func(e *exchange)) *server { return listenTLS(t, nil, answer) }

// listenTLS answers everything with a match, unless it has another answer.
func listenTLS(t *testing.T, pair *certificate, answers ...func(e *exchange)) *server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{Listener: l, host: l.Addr().String(), url: "http://" + l.Addr().String(), done: make(chan struct{})}
	_, s.port, _ = net.SplitHostPort(s.host)
	if pair != nil {
		made, err := tls.LoadX509KeyPair(pair.cert, pair.key)
		if err != nil {
			t.Fatal(err)
		}
		s.Listener = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{made}})
	}
	t.Cleanup(s.close)
	s.running.Go(func() {
		for {
			c, err := s.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.open = append(s.open, c)
			e := &exchange{Conn: c, s: s, n: len(s.open), reader: bufio.NewReader(c)}
			s.mu.Unlock()
			s.running.Go(func() {
				defer c.Close()
				e.read()
				for _, answer := range answers {
					answer(e)
				}
			})
		}
	})
	return s
}

func (s *server) close() {
	s.Close()
	s.mu.Lock()
	select {
	case <-s.done:
	default:
		close(s.done)
	}
	for _, c := range s.open {
		c.Close()
	}
	s.mu.Unlock()
	s.running.Wait()
}

func (s *server) connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open)
}

func (s *server) asked() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.got
}

// An exchange is a server's view of one connection.
type exchange struct {
	net.Conn
	s      *server
	n      int // it is the server's n-th
	reader *bufio.Reader
	body   string
}

// read reads a request, but no handshake of TLS.
func (e *exchange) read() {
	if first, err := e.reader.Peek(1); err != nil || first[0] == 0x16 {
		return
	}
	request, err := http.ReadRequest(e.reader)
	if err != nil {
		return
	}
	body, _ := io.ReadAll(request.Body)
	e.body = string(body)
	e.s.mu.Lock()
	e.s.got = true
	e.s.mu.Unlock()
}

func (e *exchange) deadline() int {
	var asked struct {
		Deadline int `json:"deadline_ms"`
	}
	json.Unmarshal([]byte(e.body), &asked)
	return asked.Deadline
}

func (e *exchange) write(text string) bool {
	_, err := io.WriteString(e, text)
	return err == nil
}

func (e *exchange) hang() { io.Copy(io.Discard, e.reader) }

func (e *exchange) sleep(d time.Duration) {
	select {
	case <-time.After(d):
	case <-e.s.done:
	}
}

func (e *exchange) reset() { e.Conn.(*net.TCPConn).SetLinger(0) }

// balance starts a program with a configuration, and waits until it serves.
func balance(t *testing.T, name, host, configuration string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		require.Skip(t, name, "there is no "+name+" (Debian: "+name+")")
	}
	file := filepath.Join(t.TempDir(), "configuration")
	write(t, file, configuration)
	cmd := exec.Command(path, append(args, file)...)
	cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Signal(syscall.SIGTERM); cmd.Wait() })
	for range 500 {
		if c, err := net.Dial("tcp", host); err == nil {
			c.Close()
			return "http://" + host
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal(name + " does not start")
	return ""
}

func haproxy(t *testing.T, backend string) string {
	t.Helper()
	host := free(t)
	return balance(t, "haproxy", host, fmt.Sprintf(`defaults
	mode http
	timeout connect 1s
	timeout client 5s
	timeout server 5s
	retries 0
listen fountd
	bind %s
	server one %s
`, host, backend), "-db", "-f")
}

func nginx(t *testing.T, backend string) string {
	t.Helper()
	host := free(t)
	dir := t.TempDir()
	return balance(t, "nginx", host, fmt.Sprintf(`daemon off; master_process off; pid %[1]s/pid; error_log stderr;
events {}
http {
	access_log off;
	client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/fastcgi;
	uwsgi_temp_path %[1]s/uwsgi; scgi_temp_path %[1]s/scgi;
	server { listen %[2]s; location / { proxy_pass http://%[3]s; } }
}
`, dir, host, backend), "-p", dir, "-c")
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// An authority makes certificates.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string
}

// A certificate is two files.
type certificate struct{ cert, key string }

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{t: t}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"},
		NotBefore: time.Now().Add(-96 * time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	a.cert = template
	made := a.sign(template)
	a.file = made.cert
	return a
}

// issue makes a certificate for a name that ended an age ago, or ends in an hour.
func (a *authority) issue(name string, age time.Duration) *certificate {
	a.t.Helper()
	return a.sign(&x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: time.Now().Add(-72 * time.Hour), NotAfter: time.Now().Add(time.Hour - age),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	})
}

func (a *authority) sign(template *x509.Certificate) *certificate {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if a.key == nil {
		a.key = key // its own
	}
	der, err2 := x509.CreateCertificate(rand.Reader, template, a.cert, &key.PublicKey, a.key)
	private, err3 := x509.MarshalPKCS8PrivateKey(key)
	if err := errors.Join(err, err2, err3); err != nil {
		a.t.Fatal(err)
	}
	dir := a.t.TempDir()
	made := &certificate{filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")}
	write(a.t, made.cert, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	write(a.t, made.key, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
	return made
}
