// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

// One connection: messages in, answers out.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"time"

	"fount/cmd/fount/internal/randfs"
)

// aheadSize is what a connection reads ahead: one system call fetches a Tread, which is 23 bytes, and what follows it.
const aheadSize = 512

// A conn is one connection. Its goroutine alone uses it, but for what the watch reads.
type conn struct {
	server *Server
	rw     io.ReadWriteCloser
	name   string
	client *randfs.Client

	ahead      [aheadSize]byte
	start, end int    // ahead[start:end] was read and not yet used
	buf        []byte // a message longer than ahead, then an answer with data; grows to what is asked for, msize at most
	got, long  int    // buf[:got] is of a message of long bytes; long is 0 if no such message has begun

	version bool   // agreed on
	msize   uint32 // until then that of ahead
	fids    map[uint32]*fid

	messages uint64
	word     atomic.Uint64         // messages and phase, see watch.go
	broken   atomic.Pointer[error] // why the watch closed rw
	seen     uint64                // by the watch, guarded by server.mu
	still    time.Duration         // since the watch saw that word first, guarded by server.mu
}

func newConn(s *Server, rw io.ReadWriteCloser, name string) *conn {
	return &conn{server: s, rw: rw, name: name, msize: aheadSize, fids: map[uint32]*fid{}}
}

// serve answers messages until the client closes the connection, or breaks the protocol, or is broken off.
func (c *conn) serve() error {
	defer c.rw.Close()
	c.client = c.server.Tree.Client(c.name)
	defer c.client.Close()
	defer c.clunkAll()
	c.wait()
	return c.reason(c.serveAll())
}

// serveReads is serveAll by Read.
func (c *conn) serveReads() error {
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

// reason is why the connection ends: nil if the client closed it between two messages.
func (c *conn) reason(err error) error {
	if why := c.broken.Load(); why != nil {
		return *why
	}
	if err == io.EOF || c.server.isClosed() {
		return nil
	}
	return err
}

func (c *conn) report(err error) {
	if err != nil {
		c.server.log("%s: broken off: %v", c.name, err)
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
	for {
		message, err := c.message()
		if err != nil {
			return err
		}
		if message == nil {
			c.wait()
			return nil
		}
		c.enter(busy)
		answer := c.answer(message)
		if _, err := c.rw.Write(answer); err != nil {
			return err
		}
		clear(answer) // random bytes are the client's now
	}
}

// wait says that the connection waits, and for what.
func (c *conn) wait() {
	switch {
	case c.begun():
		c.enter(partial)
	case c.version:
		c.enter(idle)
	default:
		c.enter(fresh)
	}
}

// begun reports whether a part of a message is there.
func (c *conn) begun() bool { return c.long > 0 || c.end > c.start }

// message returns the next message if it is whole, else nil. It is valid until data of an answer is put in c.buf.
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
	c.long, c.got = int(size), copy(c.buf, have)
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

// tooLong tells the client before it loses the connection: what follows can't be told from a message.
func (c *conn) tooLong(size uint32, tag uint16) error {
	c.enter(busy)
	err := fmt.Errorf("a message of %d bytes: msize is %d", size, c.msize)
	c.rw.Write(encodeError(tag, err.Error()))
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

// grow makes room for n bytes in c.buf, whose contents it may drop. It counts in 4 KiB from 4 KiB on.
func (c *conn) grow(n int) {
	const page = 4 << 10
	if n <= len(c.buf) {
		return
	}
	if n > aheadSize {
		n = (n + page - 1) &^ (page - 1)
	} else {
		n = aheadSize
	}
	c.buf = make([]byte, n)
}

// peer names a connection for stats and the log: the address, or on a unix socket what the system knows.
func peer(c net.Conn, number uint64) string {
	if name := credentials(c); name != "" {
		return name
	}
	if name := c.RemoteAddr().String(); name != "" && name != "@" {
		return name
	}
	return fmt.Sprintf("%s#%d", c.LocalAddr().Network(), number)
}
