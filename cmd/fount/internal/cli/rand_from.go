// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount rand --from: random bytes of a server, instead of this process's own.

package cli

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"strings"
	"time"

	"fount/cmd/fount/internal/randfs/ninep"
	"fount/cmd/internal/lab/show"

	"9fans.net/go/plan9"
)

// answerTime is how long a server may take to answer. A busy server takes microseconds.
const answerTime = time.Minute

// How long and how often to try to connect.
const (
	queueTime     = 10 * time.Second // while the server's queue is full
	restartTime   = time.Minute      // while the server is not there
	retryInterval = 20 * time.Millisecond
)

// A serverFile is the file random of a server, to be read. It must not be used by several
// goroutines.
type serverFile struct {
	addr string
	wait bool // for a server that is absent
	conn net.Conn
	max  int // bytes that one read asks for
}

// dialRandom opens the file random of the server at addr. If wait is true, it and later reads wait
// up to a minute for a server that is absent.
func dialRandom(addr string, wait bool) (io.ReadCloser, error) {
	r := &serverFile{addr: addr, wait: wait}
	if err := r.open(); err != nil {
		return nil, err
	}
	return r, nil
}

// open connects, and tries again while that may help.
func (r *serverFile) open() error {
	begin := time.Now()
	for {
		absent, err := r.connect()
		took := time.Since(begin)
		isQueued := isFull(err) && took < queueTime
		isAwaited := r.wait && absent && took < restartTime
		if !isQueued && !isAwaited {
			return err
		}
		time.Sleep(retryInterval)
	}
}

// connect connects and opens the file, once. absent reports that there is no server at the address.
func (r *serverFile) connect() (absent bool, err error) {
	conn, err := ninep.Dial(r.addr)
	if err != nil {
		return lost(err) && !errors.Is(err, fs.ErrPermission), addressError("--from", err)
	}

	r.conn = conn // after an error the old one stays, for Close
	if err := r.openFile(); err != nil {
		r.conn.Close()
		return lost(err), r.explain(err)
	}
	return false, nil
}

// openFile opens the file random of the connected server as fid 1.
func (r *serverFile) openFile() error {
	version, err := r.call(&plan9.Fcall{Type: plan9.Tversion, Tag: plan9.NOTAG, Msize: maxRead + plan9.IOHDRSZ, Version: plan9.VERSION9P})
	if err == nil && (version.Version != plan9.VERSION9P || version.Msize <= plan9.IOHDRSZ) {
		err = fmt.Errorf("it speaks %q, not %s", version.Version, plan9.VERSION9P)
	}
	if err != nil {
		return err
	}

	r.max = int(min(version.Msize-plan9.IOHDRSZ, maxRead))

	for _, f := range []*plan9.Fcall{
		{Type: plan9.Tattach, Afid: plan9.NOFID, Uname: "none"},
		{Type: plan9.Twalk, Newfid: 1, Wname: []string{"random"}},
		{Type: plan9.Topen, Fid: 1, Mode: plan9.OREAD},
	} {
		if _, err := r.call(f); err != nil {
			return err
		}
	}
	return nil
}

// call sends a request and returns its answer. A server that refuses a connection may answer and
// hang up before it reads a request. So call reads an answer even if sending failed.
func (r *serverFile) call(f *plan9.Fcall) (*plan9.Fcall, error) {
	if err := r.conn.SetDeadline(time.Now().Add(answerTime)); err != nil {
		return nil, err
	}

	sendErr := plan9.WriteFcall(r.conn, f)
	answer, err := r.receive()
	switch {
	case err != nil && sendErr != nil:
		return nil, sendErr
	case err != nil:
		return nil, err
	case answer.Type == plan9.Rerror:
		return nil, errors.New(answer.Ename)
	case answer.Type != f.Type+1 || answer.Tag != f.Tag:
		return nil, errors.New("it answers another request than was sent")
	}
	return answer, nil
}

// maxRead is the greatest number of bytes that one read asks for.
const maxRead = 128 << 10

// receive reads an answer. It refuses one that is longer than any request asks for.
func (r *serverFile) receive() (*plan9.Fcall, error) {
	size := make([]byte, 4)
	if _, err := io.ReadFull(r.conn, size); err != nil {
		return nil, err
	}

	n := binary.LittleEndian.Uint32(size)
	if n < 7 || n > maxRead+plan9.IOHDRSZ {
		return nil, fmt.Errorf("it sends an answer of %d bytes, want at most %d", n, maxRead+plan9.IOHDRSZ)
	}

	message := append(size, make([]byte, n-4)...)
	if _, err := io.ReadFull(r.conn, message[4:]); err != nil {
		return nil, err
	}
	return plan9.UnmarshalFcall(message)
}

// lost reports whether err says that the connection is gone, not only that a request failed.
func lost(err error) bool {
	_, ended := errors.AsType[*net.OpError](err)
	return ended || err == io.EOF || err == io.ErrUnexpectedEOF
}

// Read fills b or returns an error.
func (r *serverFile) Read(b []byte) (n int, err error) {
	for n < len(b) {
		got, err := r.readOnce(b[n:])
		n += got
		if r.wait && lost(err) {
			r.conn.Close()
			time.Sleep(retryInterval)
			err = r.open()
		}
		if err != nil {
			return n, r.explain(err)
		}
	}
	return n, nil
}

// readOnce reads into b what the server gives at one request.
func (r *serverFile) readOnce(b []byte) (int, error) {
	want := min(len(b), r.max)
	answer, err := r.call(&plan9.Fcall{Type: plan9.Tread, Fid: 1, Count: uint32(want)})
	switch {
	case err != nil:
		return 0, err
	case len(answer.Data) > want:
		return 0, fmt.Errorf("it sends %d bytes, want at most %d", len(answer.Data), want)
	case len(answer.Data) == 0:
		return 0, errors.New("it gives no bytes")
	}

	n := copy(b, answer.Data)
	clear(answer.Data)
	return n, nil
}

func (r *serverFile) Close() error { return r.conn.Close() }

// explain returns err with the server's address before it. It does not wrap err, as an EPIPE or EOF
// of the server is not one of fount's own reader. It replaces control characters, as the text may
// be the server's.
func (r *serverFile) explain(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%s hung up", r.addr)
	}

	line := strings.ReplaceAll(err.Error(), "\n", "?")
	return fmt.Errorf("%s: %s", r.addr, show.Printable(line))
}
