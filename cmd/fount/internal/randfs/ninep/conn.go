// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

// One connection: messages in, answers out.

import (
	"errors"
	"io"
	"os"
	"time"
)

// A stream is a net.Conn, or the pipe that Plan 9's kernel has the other end of. The pipe's
// deadlines fail, and it needs none.
type stream interface {
	io.ReadWriteCloser
	SetReadDeadline(time.Time) error
	SetWriteDeadline(time.Time) error
}

// A conn is one connection. Only its goroutine uses it.
type conn struct {
	server *Server
	rw     stream
	peer
	inbox
	hasDeadline bool // for what is read
	hasLogged   bool // that it has too many fids

	version bool   // agreed on
	msize   uint32 // until then aheadSize
	fids    map[uint32]*fid
}

func newConn(s *Server, rw stream, p peer) *conn {
	return &conn{server: s, rw: rw, peer: p, msize: aheadSize, fids: map[uint32]*fid{}}
}

// serve answers messages until the client closes, breaks the protocol, or is broken off.
func (c *conn) serve() error {
	defer c.rw.Close()
	defer c.giveBack()
	c.setReadDeadline(false)
	return c.reason(c.serveAll())
}

// serveAll answers all messages that come.
func (c *conn) serveAll() error {
	for {
		n, err := c.rw.Read(c.room())
		c.add(n)
		if answerErr := c.answerAll(); answerErr != nil {
			return answerErr
		}

		switch {
		case err == io.EOF && c.isWithinMessage():
			return errCut
		case err != nil:
			return err
		}
	}
}

var (
	errCut     = errors.New("the connection ended within a message")
	errStalled = errors.New("the client took too long for a message or an answer")
)

// reason is why the connection ends: nil if the client closed it between two messages.
func (c *conn) reason(err error) error {
	switch {
	case err == io.EOF || c.server.isClosed():
		return nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		return errStalled
	}
	return err
}

func (c *conn) report(err error) {
	if err != nil {
		c.server.log("%s: broken off: %v", c.name, err)
	}
}

// answerAll answers the messages that are whole, and bounds the time of the next.
func (c *conn) answerAll() error {
	hasAnswered := false
	for {
		message, err := c.next(c.msize)
		if err != nil {
			if long, ok := errors.AsType[tooLongError](err); ok {
				_ = c.send(encodeError(long.tag, err.Error())) // before it is cut off
			}
			return err
		}

		if message == nil {
			if !c.isLong() {
				c.giveBack()
			}
			c.setReadDeadline(hasAnswered)
			return nil
		}

		if err := c.reply(message); err != nil {
			return err
		}
		hasAnswered = true
	}
}

// reply answers a message, and keeps nothing of either.
func (c *conn) reply(message []byte) error {
	answer := c.answer(message)
	err := c.send(answer)
	clear(answer) // random bytes are the client's now
	if len(message) > aheadSize {
		clear(message) // it was in a buffer that another gets
	}
	return err
}

// send writes an answer, which the client must take in time.
func (c *conn) send(answer []byte) error {
	_ = c.rw.SetWriteDeadline(time.Now().Add(c.server.limits.Stall)) // 0.17 µs of 14
	_, err := c.rw.Write(answer)
	return err
}

// setReadDeadline bounds the time of the first message, and of one that has begun: from now if
// another was answered before it, else as before.
func (c *conn) setReadDeadline(hasAnswered bool) {
	isBounded := c.isWithinMessage() || !c.version
	switch {
	case isBounded && (hasAnswered || !c.hasDeadline):
		_ = c.rw.SetReadDeadline(time.Now().Add(c.server.limits.Stall))
	case !isBounded && c.hasDeadline:
		_ = c.rw.SetReadDeadline(time.Time{})
	}
	c.hasDeadline = isBounded
}
