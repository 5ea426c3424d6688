// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// The server that draws a nonce for each request, a process of its own.

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"slices"

	"fount/lab/measure"
)

// A task tells the server what it is: the first line of its standard input, as JSON.
type task struct {
	Method     string     `json:"method"`
	Via        string     `json:"via"`
	Parameters Parameters `json:"parameters"`
	Procs      int        `json:"procs"` // GOMAXPROCS
}

// Serve is the server's process. It takes a task from in, writes the address that it listens on to out, and answers each further
// line with the CPU time that it has used, in ns. It ends with in.
func Serve(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Scan()
	var t task
	if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
		return fmt.Errorf("a task: %w", err)
	}
	methods, err := t.methods()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(methods, func(m measure.Method) bool { return m.Name == t.Method })
	if i < 0 {
		return fmt.Errorf("a task: no method %q", t.Method)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(t.Procs))
	src, err := methods[i].Open()
	if err != nil {
		return err
	}
	defer src.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler:     http.HandlerFunc(answer),
		ConnContext: func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, lineKey{}, c) },
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(&exchange{Listener: l, src: src}) }()
	defer func() { server.Close(); <-served }()
	if _, err := fmt.Fprintln(out, l.Addr()); err != nil {
		return err
	}
	for lines.Scan() {
		used := int64(0)
		if measure.ProcessCPU != nil {
			used = int64(measure.ProcessCPU())
		}
		if _, err := fmt.Fprintln(out, used); err != nil {
			return err
		}
	}
	return lines.Err()
}

// methods are those that a server may have.
func (t task) methods() ([]measure.Method, error) {
	for _, via := range Vias {
		if via.Name == t.Via {
			t.Parameters.Via = via
			return append(Seven(t.Parameters), Fount(), Empty()), nil
		}
	}
	return nil, errors.New("a task: no way to the kernel " + t.Via)
}

// An exchange is a listener whose connections draw.
type exchange struct {
	net.Listener
	src measure.Source
	n   int
}

func (e *exchange) Accept() (net.Conn, error) {
	c, err := e.Listener.Accept()
	if err != nil {
		return nil, err
	}
	e.n++
	return &line{Conn: c, src: e.src, k: e.n - 1}, nil
}

// A line is a connection with what draws for it. net/http has a goroutine for each connection, and one request at a time on it,
// so that a buffer of a goroutine is one of a connection.
type line struct {
	net.Conn
	src   measure.Source
	k     int
	draw  *worker
	nonce [1]Nonce
}

type lineKey struct{}

// answer draws a nonce and sends it as hexadecimal digits.
func answer(w http.ResponseWriter, r *http.Request) {
	c := r.Context().Value(lineKey{}).(*line)
	c.fill()
	var digits [2 * len(Nonce{})]byte
	hex.Encode(digits[:], c.nonce[0][:])
	w.Header().Set("Content-Type", "text/plain")
	w.Write(digits[:])
}

// fill draws the next nonce of the connection.
func (c *line) fill() {
	if c.draw == nil {
		c.draw = c.src.Worker(c.k).(*worker)
	}
	c.draw.Fill(c.nonce[:])
}
