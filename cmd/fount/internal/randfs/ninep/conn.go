// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

// One connection: messages in, answers out.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// aheadSize is what one system call reads: a Tread of 23 bytes, and what follows it.
const aheadSize = 512

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
	told bool // a line of it was logged while it was served

	ahead      [aheadSize]byte
	start, end int     // ahead[start:end] was read and not yet used
	buf        []byte  // a message longer than ahead, then an answer with data: small or of loan
	small      []byte  // for answers that are no longer than ahead
	loan       *buffer // while longer ones are under way
	got, long  int     // buf[:got] is of a message of long bytes, 0: of none

	version bool   // agreed on
	msize   uint32 // until then that of ahead
	fids    map[uint32]*fid
	limited bool // there is a deadline for what is read
}

func newConn(s *Server, rw stream, p peer) *conn {
	return &conn{server: s, rw: rw, peer: p, msize: aheadSize, fids: map[uint32]*fid{}}
}

// serve answers messages until the client closes, breaks the protocol, or is broken off.
func (c *conn) serve() error {
	defer c.rw.Close()
	defer c.giveBack()
	c.wait(false)
	return c.reason(c.serveAll())
}

// serveAll answers all messages that come.
func (c *conn) serveAll() error {
	for {
		n, err := c.rw.Read(c.room())
		if took := c.took(n); took != nil {
			return took
		}
		if err != nil {
			return c.cut(err)
		}
	}
}

var errStalled = errors.New("the client took too long for a message or an answer")

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

// tell logs the first thing refused to a client: a client may ask for more than a log can hold.
func (c *conn) tell(format string, args ...any) {
	if !c.told {
		c.told = true
		c.server.log("%s: "+format, append([]any{c.name}, args...)...)
	}
}

// room is where the next bytes go that are read. It is never empty.
func (c *conn) room() []byte {
	if c.long > 0 {
		return c.buf[c.got:c.long]
	}
	return c.ahead[c.end:]
}

// took answers what is whole with the n bytes that were read into the room, and waits for more.
func (c *conn) took(n int) error {
	if c.long > 0 {
		c.got += n
	} else {
		c.end += n
	}

	for answered := false; ; answered = true {
		message, err := c.message()
		if err != nil {
			return err
		}

		if message == nil {
			c.wait(answered)
			return nil
		}

		answer := c.answer(message)
		err = c.send(answer)
		clear(answer) // random bytes are the client's now
		if len(message) > aheadSize {
			clear(message) // it was in a buffer that another gets
		}
		if err != nil {
			return err
		}
	}
}

// send writes an answer, which the client must take in time.
func (c *conn) send(answer []byte) error {
	_ = c.rw.SetWriteDeadline(time.Now().Add(c.server.limits.Stall)) // 0.17 µs of 14
	_, err := c.rw.Write(answer)
	return err
}

// wait bounds the time of the first message, and of one that has begun: from now, if a message was
// answered before it, else as before. It keeps a buffer only for a message that has begun.
func (c *conn) wait(answered bool) {
	if c.long == 0 {
		c.giveBack()
	}

	limit := c.begun() || !c.version
	if limit && (answered || !c.limited) {
		_ = c.rw.SetReadDeadline(time.Now().Add(c.server.limits.Stall))
	} else if !limit && c.limited {
		_ = c.rw.SetReadDeadline(time.Time{})
	}
	c.limited = limit
}

// begun reports whether a part of a message is there.
func (c *conn) begun() bool { return c.long > 0 || c.end > c.start }

// message returns the next whole message, or nil. It is valid until an answer is put in c.buf.
func (c *conn) message() ([]byte, error) {
	if c.long > 0 {
		return c.longMessage(), nil
	}

	have := c.ahead[c.start:c.end]
	if len(have) < headSize {
		c.start, c.end = 0, copy(c.ahead[:], have)
		return nil, nil
	}

	size := binary.LittleEndian.Uint32(have)
	switch {
	case size < headSize:
		return nil, fmt.Errorf("a message of %d bytes: the least is %d", size, headSize)
	case size > c.msize:
		return nil, c.tooLong(size, tagOf(have))
	case int(size) <= len(have):
		c.start += int(size)
		return have[:size], nil
	case size <= aheadSize:
		c.start, c.end = 0, copy(c.ahead[:], have)
		return nil, nil
	}

	c.grow(int(size))
	c.long = int(size)
	c.got = copy(c.buf, have)
	c.start, c.end = 0, 0
	return nil, nil
}

// longMessage is message of one that is longer than what is read ahead.
func (c *conn) longMessage() []byte {
	if c.got < c.long {
		return nil
	}
	message := c.buf[:c.long]
	c.long = 0
	return message
}

// tooLong tells the client before it is cut off: where the next message begins is not known.
func (c *conn) tooLong(size uint32, tag uint16) error {
	err := fmt.Errorf("a message of %d bytes: msize is %d", size, c.msize)
	_ = c.send(encodeError(tag, err.Error()))
	return err
}

var errCut = errors.New("the connection ended within a message")

// cut is the error of a connection that ends, within a message or not.
func (c *conn) cut(err error) error {
	if err == io.EOF && c.begun() {
		return errCut
	}
	return err
}

// grow makes room for n bytes in c.buf, whose contents it may drop.
func (c *conn) grow(n int) {
	if n <= len(c.buf) {
		return
	}
	c.giveBack()
	if n > aheadSize {
		c.loan = borrow(n)
		c.buf = c.loan.bytes
		return
	}
	if c.small == nil {
		c.small = make([]byte, aheadSize)
	}
	c.buf = c.small
}

// giveBack ends the use of a long buffer.
func (c *conn) giveBack() {
	if c.loan != nil {
		if c.long > 0 {
			clear(c.buf[:c.got]) // the connection ends within a message
		}
		c.loan.giveBack()
		c.loan = nil
		c.buf = c.small
	}
}
