// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount rand --from: a server's bytes in place of this process's own. Plan 9 mounts the server instead, and has no
// connections in the client package.

//go:build !plan9

package cli

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"time"
	"unicode"

	"fount/cmd/fount/internal/randfs/ninep"

	"9fans.net/go/plan9"
	"9fans.net/go/plan9/client"
)

// answerTime is how long a server may take for one message. A busy one takes microseconds; one that takes this long has
// stopped.
const answerTime = time.Minute

// The times for a connection: a full queue empties at once, and a server that is started again takes a while.
const (
	queueTime   = 10 * time.Second
	restartTime = time.Minute
	againEvery  = 20 * time.Millisecond
)

// remote is the file random of a server. It is used by one goroutine.
type remote struct {
	addr string
	wait bool // for a server that is started again
	conn net.Conn
	file io.ReadCloser
}

// dialRandom opens the file random of the server at addr. Where wait is set it waits for a minute for one that is not there,
// or goes away.
func dialRandom(addr string, wait bool) (io.ReadCloser, error) {
	r := &remote{addr: addr, wait: wait}
	if err := r.open(); err != nil {
		return nil, err
	}
	return r, nil
}

// open connects, as often as that may help.
func (r *remote) open() error {
	for begin := time.Now(); ; time.Sleep(againEvery) {
		err := r.once()
		took := time.Since(begin)
		full := errors.Is(err, syscall.EAGAIN) && took < queueTime // the queue of a unix socket, for which nothing waits
		_, usage := errors.AsType[*exitError](err)
		if err == nil || usage || !full && !(r.wait && took < restartTime) {
			return err
		}
	}
}

func (r *remote) once() error {
	c, err := ninep.Dial(r.addr)
	if err != nil {
		return addressError("--from", err)
	}
	r.conn = patient{c, answerTime}
	if r.file, err = openRandom(r.conn); err != nil {
		c.Close()
		return r.explain(err)
	}
	return nil
}

// openRandom makes the requests of 9P that lead to the file.
func openRandom(c net.Conn) (io.ReadCloser, error) {
	first := &overheard{Conn: c}
	conn, err := client.NewConn(first)
	if err != nil {
		return nil, first.refusal(err)
	}
	fs, err := conn.Attach(nil, "none", "")
	if err != nil {
		return nil, err
	}
	return fs.Open("random", plan9.OREAD)
}

// Read fills b or returns an error.
func (r *remote) Read(b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		var m int
		m, err = r.file.Read(b[n:])
		if m > len(b)-n {
			m, err = 0, errors.New("more bytes than were asked for")
		}
		n += m
		if err != nil && r.wait {
			r.conn.Close()
			err = r.open()
		}
	}
	if err != nil {
		err = r.explain(err)
	}
	return n, err
}

func (r *remote) Close() error { return r.conn.Close() }

// explain names the server. It does not wrap err: an EPIPE from here must not look like that of a reader that had
// enough, nor an EOF like an end. The text may be the server's.
func (r *remote) explain(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%s hung up", r.addr)
	}
	printable := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, err.Error())
	return fmt.Errorf("%s: %s", r.addr, printable)
}

// overheard keeps the first message of the other end: the client hides an error that answers its first request, which
// is what a server that is full sends.
type overheard struct {
	net.Conn
	message []byte
}

func (o *overheard) Read(b []byte) (int, error) {
	n, err := o.Conn.Read(b)
	if room := 512 - len(o.message); room > 0 {
		o.message = append(o.message, b[:min(n, room)]...)
	}
	return n, err
}

// refusal is the error in the message, size[4] Rerror tag[2] ename[s], or err if there is none. It may have come
// although our own request could not be sent.
func (o *overheard) refusal(err error) error {
	if len(o.message) == 0 {
		_, _ = o.Read(make([]byte, 512)) // err is the better one
	}
	const head = 4 + 1 + 2 + 2
	if len(o.message) > head && o.message[4] == plan9.Rerror {
		return errors.New(string(o.message[head:]))
	}
	return err
}

// patient is a connection whose every read and write has a time limit.
type patient struct {
	net.Conn
	limit time.Duration
}

func (p patient) Read(b []byte) (int, error) {
	if err := p.SetReadDeadline(time.Now().Add(p.limit)); err != nil {
		return 0, err
	}
	return p.Conn.Read(b)
}

func (p patient) Write(b []byte) (int, error) {
	if err := p.SetWriteDeadline(time.Now().Add(p.limit)); err != nil {
		return 0, err
	}
	return p.Conn.Write(b)
}
