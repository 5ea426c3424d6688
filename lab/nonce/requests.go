// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// What the methods gain in a server: requests, each of which costs the server a nonce.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"fount/internal/judge"
	"fount/lab/measure"
	"fount/lab/show"
)

// Server asks what each method makes of a server's throughput and of its p99. Each turn starts a server, which is program, a
// command that calls [Serve], and as many connections as there are workers.
//
// It is a closed loop: a connection sends its next request when it has the answer to the last. So throughput is what clients and
// server can do together on these cores, as between a proxy and its back end, and a stall delays the requests behind it on its
// connection without counting for them: p99 is of requests that were sent, not of arrivals.
func Server(program []string) *Question {
	h := &host{start: func() (*guest, error) { return spawn(program) }}
	return h.question()
}

// question is Server's.
func (h *host) question() *Question {
	return &Question{
		name: "NonceServer", unit: "ns per request", base: empty, timed: true, cpu: h.cpu,
		columns:  append([]measure.Column{{Head: "requests/s", Cell: rate}}, measure.Columns("95 %", "ratio", "core", "p50", "p99")...),
		methods:  func(p Parameters) []measure.Method { return h.serve(p, Seven(p)) },
		beside:   func(p Parameters) []measure.Method { return h.serve(p, []measure.Method{Fount(), Empty()}) },
		conclude: Trial.concludeServer,
	}
}

func rate(r measure.Row) string {
	if r.NS == nil {
		return "-"
	}
	return show.Rate(1e9 / r.NS.Median)
}

// InServer puts the study's draws into requests.
func (s Study) InServer(q *Question) Study {
	s.Question, s.Call = q, requestCall
	return s
}

// A host has a server at a time.
type host struct {
	start func() (*guest, error)
	now   *guest
}

// A guest is a server at work.
type guest struct {
	in   io.WriteCloser
	out  *bufio.Reader
	wait func() error // for its end, after in is closed
}

// spawn starts the server's process.
func spawn(program []string) (*guest, error) {
	cmd := exec.Command(program[0], program[1:]...)
	var said bytes.Buffer
	cmd.Stderr = &said
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &guest{in: in, out: bufio.NewReader(out), wait: func() error {
		if err := cmd.Wait(); err != nil {
			return errors.New(strings.TrimSpace(said.String()))
		}
		return nil
	}}, nil
}

// ask writes a line and reads the answer's.
func (g *guest) ask(question []byte) (string, error) {
	if _, err := g.in.Write(append(question, '\n')); err != nil {
		return "", err
	}
	text, err := g.out.ReadString('\n')
	return strings.TrimSpace(text), err
}

func (g *guest) close() error {
	g.in.Close()
	return g.wait()
}

// cpu is what the server at work has used.
func (h *host) cpu() time.Duration {
	text, err := h.now.ask(nil)
	if err != nil {
		return 0 // whoever draws from it will say why
	}
	ns, _ := strconv.ParseInt(text, 10, 64)
	return time.Duration(ns)
}

// serve are the methods as a server has them.
func (h *host) serve(p Parameters, methods []measure.Method) []measure.Method {
	for i, m := range methods {
		methods[i].Open = func() (measure.Source, error) {
			g, err := h.start()
			if err != nil {
				return nil, err
			}
			job, _ := json.Marshal(task{Method: m.Name, Via: p.Via.Name, Parameters: p, Procs: runtime.GOMAXPROCS(0)})
			address, err := g.ask(job)
			if err != nil {
				return nil, errors.Join(g.close(), fmt.Errorf("a server of %s: %w", m.Name, err))
			}
			h.now = g
			return &clients{guest: g, address: address, control: m.Control}, nil
		}
	}
	return methods
}

// clients are the Source of a method in a server.
type clients struct {
	guest   *guest
	address string
	control bool // its nonces are none
}

func (c *clients) Worker(int) measure.Worker {
	conn, err := net.Dial("tcp", c.address)
	if err != nil {
		panic(err)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		tcp.SetLinger(0) // many turns must not leave as many ports in TIME_WAIT
	}
	return &client{Conn: conn, r: bufio.NewReader(conn), control: c.control}
}

func (c *clients) Close() { c.guest.close() }

// A client is a connection with one request at a time. It panics if a request fails.
type client struct {
	net.Conn
	r       *bufio.Reader
	control bool
	last    [2 * len(Nonce{})]byte
}

var request = []byte("GET / HTTP/1.1\r\nHost: nonce\r\n\r\n")

func (c *client) Draw(n int) {
	for range n {
		if err := c.request(); err != nil {
			panic(err)
		}
	}
}

func (c *client) Close() { c.Conn.Close() }

// request fails if the answer is not a nonce, or the one before it.
func (c *client) request() error {
	if _, err := c.Conn.Write(request); err != nil {
		return err
	}
	r, err := http.ReadResponse(c.r, nil)
	if err != nil {
		return err
	}
	var digits [2 * len(Nonce{})]byte
	_, err = io.ReadFull(r.Body, digits[:])
	r.Body.Close()
	if again := digits == c.last; err != nil || r.StatusCode != http.StatusOK || r.ContentLength != int64(len(digits)) || again && !c.control {
		return fmt.Errorf("the server answered %s with %q: %w", r.Status, digits, err)
	}
	c.last = digits
	return nil
}

// concludeServer says which differences between the methods a server shows.
func (t Trial) concludeServer() measure.Conclusion {
	seven := measure.Filter(t.Steady, IsOfPost)
	none := measure.Filter(t.Steady, func(name string) bool { return name == empty })
	c := measure.Conclusion{Docket: new(measure.Docket)}
	if len(seven) < 2 {
		c.Sentences = []string{"Fewer than two of the seven methods were measured: there is nothing to conclude."}
		return c
	}
	figures := []struct {
		name, what, unit string
		of               func(measure.Row) *measure.Sample
	}{
		{mean, "the time of a request", "ns (the inverse of throughput)", measure.Cost},
		{"p99", "p99", "ns", func(r measure.Row) *measure.Sample { return r.P99NS }},
		{core, "the server's CPU time", "ns a request", func(r measure.Row) *measure.Sample { return r.CoreNS }},
	}
	for _, f := range figures {
		c.Docket.EnterPairs(f.name, f.of, seven, seven)
		c.Docket.EnterPairs(f.name, f.of, none, t.Steady)
	}
	c.Docket.Decide()
	for _, f := range figures {
		least, ok := measure.Least(seven, f.of)
		if !ok {
			continue
		}
		var worse []string
		low, high := f.of(least).Median, f.of(least).Median
		for _, r := range seven {
			high = max(high, f.of(r).Median)
			if c.Docket.Less(f.name, least.Name, r.Name) {
				worse = append(worse, fmt.Sprintf("%s (%s)", r.Name, f.of(r)))
			}
		}
		if worse == nil {
			c.Say(fmt.Sprintf("In %s no two of the seven differ for sure: %s to %s %s.", f.what, show.NS(low), show.NS(high), f.unit))
		} else {
			c.Say(fmt.Sprintf("In %s %s, %s %s, is better for sure than %s.", f.what, least.Name, f.of(least), f.unit, show.Series(worse)))
		}
	}
	for _, n := range none {
		var parts []string
		for _, f := range figures {
			if r, ok := measure.Find(seven, Baseline); ok && f.of(r) != nil && f.of(n) != nil {
				parts = append(parts, fmt.Sprintf("%s %s", f.what, quotient(f.of(r), f.of(n))))
			}
		}
		if parts != nil {
			c.Say(fmt.Sprintf("Baseline to a server that draws none: %s.", show.Series(parts)))
		}
	}
	return c
}

// quotient is one figure to another, with the 95 % interval of the rounds.
func quotient(a, b *measure.Sample) string {
	logs := make([]float64, min(len(a.Values), len(b.Values)))
	for i := range logs {
		logs[i] = math.Log(a.Values[i] / b.Values[i])
	}
	e := judge.Split(logs).Estimate()
	low, high, ok := e.Interval()
	if !ok {
		return show.Ratio(a.Median/b.Median) + "x"
	}
	return fmt.Sprintf("%sx (%s to %s)", show.Ratio(math.Exp(e.Center)), show.Ratio(math.Exp(low)), show.Ratio(math.Exp(high)))
}
