// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package clients

// The clients' adapters, and the servers that they ask.

import (
	"bufio"
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

	"fount/internal/test/freeport"
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
	log       string  // the file of what it says
	elsewhere *server // where nothing may lead
}

// logged returns what the adapter has said.
func (c *client) logged() string {
	said, _ := os.ReadFile(c.log)
	return string(said)
}

// run starts a program until the test ends, and returns the file of what it says.
func run(t *testing.T, cmd *exec.Cmd) (log string) {
	log = filepath.Join(t.TempDir(), "log")
	file, err := os.Create(log)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = file
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	file.Close()
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return log
}

// await waits until somebody listens.
func await(t *testing.T, host string) {
	for range 3000 {
		if c, err := net.Dial("tcp", host); err == nil {
			c.Close()
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("nobody listens at " + host)
}

func startClient(t *testing.T, path string) *client {
	folder := filepath.Dir(filepath.Dir(path))
	c := &client{process: exec.Command("testdata/adapter")}
	c.elsewhere = listen(t, func(e *exchange) {
		e.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + match)
	})
	c.process.Dir = folder
	c.process.Env = append(os.Environ(), "NODE_USE_ENV_PROXY=1")
	for _, scheme := range []string{"http", "https", "all"} {
		c.process.Env = append(c.process.Env, scheme+"_proxy="+c.elsewhere.url, strings.ToUpper(scheme)+"_PROXY="+c.elsewhere.url)
	}
	c.in, _ = c.process.StdinPipe()
	out, _ := c.process.StdoutPipe()
	c.out = bufio.NewReader(out)
	c.log = run(t, c.process)

	if err := c.read(&c.hello); err != nil {
		ended := c.process.Wait()
		if code := c.process.ProcessState.ExitCode(); code == 77 || code == 127 { // its own word, and env's
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
	return answer.Outcomes
}

// needs skips the row if the client has no such thing.
func (r *row) needs(has bool, what string) {
	if !has {
		r.Skip(r.hello.Client + " has no " + what)
	}
}

var program string // fountd

// A fountd serves a socket and a port of loopback.
type fountd struct {
	*exec.Cmd
	t      *testing.T
	args   []string
	socket string
	host   string
	url    string
}

func startFountd(t *testing.T, args ...string) *fountd {
	f := &fountd{t: t, host: freeport.New(t)}
	f.socket = filepath.Join(socketdir.New(t), "fountd", "s.sock")
	f.url = "http://" + f.host
	f.args = append([]string{"--socket", f.socket, "--listen", f.host, "--policy", "argon2id,m=64,t=1,p=1", "--max-wait", "1h"}, args...)
	f.start()
	return f
}

func (f *fountd) start() {
	f.Cmd = exec.Command(program, f.args...)
	run(f.t, f.Cmd)
	await(f.t, f.host)
}

func (f *fountd) restart() {
	f.Process.Signal(syscall.SIGTERM)
	f.Wait()
	f.start()
}

// flood asks for more hashes than fountd makes, until it ends.
func flood(f *fountd) {
	for range 8 {
		go func() {
			for {
				reply, err := http.Post(f.url+"/v1/hash", "application/json", strings.NewReader(`{"password":"x"}`))
				if err != nil {
					return
				}
				reply.Body.Close()
			}
		}()
	}
}

// blackHole returns an address at which no connection is made, as its queue is full.
func blackHole(t *testing.T) string {
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
	url, host string

	mu      sync.Mutex
	running sync.WaitGroup
	open    []net.Conn
}

func listen(t *testing.T, answer func(e *exchange)) *server { return listenTLS(t, nil, answer) }

func listenTLS(t *testing.T, pair *certificate, answer func(e *exchange)) *server {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{Listener: l, host: l.Addr().String(), url: "http://" + l.Addr().String()}
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
			e := &exchange{Conn: c, n: len(s.open), reader: bufio.NewReader(c)}
			s.mu.Unlock()
			s.running.Go(func() {
				defer c.Close()
				e.read()
				answer(e)
			})
		}
	})
	return s
}

func (s *server) close() {
	s.Close()
	s.mu.Lock()
	for _, c := range s.open {
		c.Close()
	}
	s.mu.Unlock()
	s.running.Wait()
}

// An exchange is a server's view of one connection.
type exchange struct {
	net.Conn
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
}

func (e *exchange) write(text string) bool {
	_, err := io.WriteString(e, text)
	return err == nil
}

func (e *exchange) hang() { io.Copy(io.Discard, e.reader) }

func (e *exchange) reset() { e.Conn.(*net.TCPConn).SetLinger(0) }

// balance starts a program with a configuration, and waits until it serves.
func balance(t *testing.T, name, host, configuration string, args ...string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		require.Skip(t, name, "there is no "+name+" (Debian: "+name+")")
	}
	file := filepath.Join(t.TempDir(), "configuration")
	write(t, file, configuration)
	cmd := exec.Command(path, append(args, file)...)
	run(t, cmd)
	await(t, host)
	return "http://" + host
}

func haproxy(t *testing.T, backend string) string {
	host := freeport.New(t)
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
	host := freeport.New(t)
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
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A certificate is two files, and what signs others.
type certificate struct {
	cert, key string
	parsed    *x509.Certificate
	signer    *ecdsa.PrivateKey
}

// issue makes a certificate whose last hour began an age ago. Without another to sign it, it is an
// authority's.
func issue(t *testing.T, by *certificate, name string, age time.Duration) *certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	made := &certificate{signer: key}
	made.parsed = &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: time.Now().Add(-72 * time.Hour), NotAfter: time.Now().Add(time.Hour - age),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		BasicConstraintsValid: true,
	}
	if by == nil {
		by = made
		made.parsed.IsCA = true
		made.parsed.KeyUsage = x509.KeyUsageCertSign
		made.parsed.ExtKeyUsage = nil
	}
	der, err2 := x509.CreateCertificate(rand.Reader, made.parsed, by.parsed, &key.PublicKey, by.signer)
	private, err3 := x509.MarshalPKCS8PrivateKey(key)
	if err := errors.Join(err, err2, err3); err != nil {
		t.Fatal(err)
	}

	dir := t.TempDir()
	made.cert = filepath.Join(dir, "cert.pem")
	made.key = filepath.Join(dir, "key.pem")
	write(t, made.cert, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	write(t, made.key, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
	return made
}
