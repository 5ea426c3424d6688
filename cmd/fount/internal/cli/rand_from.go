// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount rand --from: a server's bytes in place of this process's own.

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
	"unicode"

	"fount/cmd/fount/internal/randfs/ninep"

	"9fans.net/go/plan9"
)

// answerTime is how long a server may take for one message, which takes a busy one microseconds.
const answerTime = time.Minute

// How long to try to connect: a full queue empties at once, a server takes longer to start again.
const (
	queueTime   = 10 * time.Second
	restartTime = time.Minute
	againEvery  = 20 * time.Millisecond
)

// remote is the file random of a server. It is used by one goroutine.
type remote struct {
	addr  string
	wait  bool // for a server that is not there
	conn  net.Conn
	limit time.Duration // for each answer
	most  int           // bytes of a read
}

// dialRandom opens the file random of the server at addr. With wait it waits up to a minute for a
// server that is not there, now or later.
func dialRandom(addr string, wait bool) (io.ReadCloser, error) {
	r := &remote{addr: addr, wait: wait, limit: answerTime}
	if err := r.open(); err != nil {
		return nil, err
	}
	return r, nil
}

// open connects, as often as that may help.
func (r *remote) open() error {
	begin := time.Now()
	for {
		absent, err := r.once()
		took := time.Since(begin)
		full := isFull(err) && took < queueTime
		if err == nil || !full && !(r.wait && absent && took < restartTime) {
			return err
		}
		time.Sleep(againEvery)
	}
}

// once connects and opens the file. absent says that it failed because no server is there.
func (r *remote) once() (absent bool, err error) {
	conn, err := ninep.Dial(r.addr)
	if err != nil {
		return lost(err) && !errors.Is(err, fs.ErrPermission), addressError("--from", err)
	}
	r.conn = conn // the old one stays otherwise, for Close
	if err := r.openFile(); err != nil {
		r.conn.Close()
		return lost(err), r.explain(err)
	}
	return false, nil
}

// openFile makes the requests that lead to the file, which is fid 1 then.
func (r *remote) openFile() error {
	version, err := r.call(&plan9.Fcall{Type: plan9.Tversion, Tag: plan9.NOTAG, Msize: mostRead + plan9.IOHDRSZ, Version: plan9.VERSION9P})
	if err == nil && (version.Version != plan9.VERSION9P || version.Msize <= plan9.IOHDRSZ) {
		err = fmt.Errorf("it speaks %q, not %s", version.Version, plan9.VERSION9P)
	}
	if err != nil {
		return err
	}
	r.most = int(min(version.Msize-plan9.IOHDRSZ, mostRead))
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

// call sends a request and returns its answer. A server that refuses a connection answers before it
// is asked, and may hang up before it hears the request: its reason comes first.
func (r *remote) call(f *plan9.Fcall) (*plan9.Fcall, error) {
	if err := r.conn.SetDeadline(time.Now().Add(r.limit)); err != nil {
		return nil, err
	}
	sent := plan9.WriteFcall(r.conn, f)
	answer, err := r.receive()
	switch {
	case err != nil && sent != nil:
		return nil, sent
	case err != nil:
		return nil, err
	case answer.Type == plan9.Rerror:
		return nil, errors.New(answer.Ename)
	case answer.Type != f.Type+1 || answer.Tag != f.Tag:
		return nil, errors.New("an answer to something else")
	}
	return answer, nil
}

// mostRead is how many bytes a read asks for.
const mostRead = 128 << 10

// receive reads an answer, of no size that was not asked for.
func (r *remote) receive() (*plan9.Fcall, error) {
	size := make([]byte, 4)
	if _, err := io.ReadFull(r.conn, size); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(size)
	if n < 7 || n > mostRead+plan9.IOHDRSZ {
		return nil, fmt.Errorf("an answer of %d bytes", n)
	}
	message := append(size, make([]byte, n-4)...)
	if _, err := io.ReadFull(r.conn, message[4:]); err != nil {
		return nil, err
	}
	return plan9.UnmarshalFcall(message)
}

// lost reports whether the connection is gone, and not only a request refused.
func lost(err error) bool {
	_, ended := errors.AsType[*net.OpError](err)
	return ended || err == io.EOF || err == io.ErrUnexpectedEOF
}

// Read fills b or returns an error.
func (r *remote) Read(b []byte) (n int, err error) {
	for n < len(b) {
		var answer *plan9.Fcall
		want := min(len(b)-n, r.most)
		answer, err = r.call(&plan9.Fcall{Type: plan9.Tread, Fid: 1, Count: uint32(want)})
		switch {
		case err == nil && len(answer.Data) > want:
			err = errors.New("more bytes than were asked for")
		case err == nil && len(answer.Data) == 0:
			err = errors.New("it gives no bytes")
		case err == nil:
			n += copy(b[n:], answer.Data)
			clear(answer.Data)
		}
		if r.wait && lost(err) {
			r.conn.Close()
			time.Sleep(againEvery)
			err = r.open()
		}
		if err != nil {
			return n, r.explain(err)
		}
	}
	return n, nil
}

func (r *remote) Close() error { return r.conn.Close() }

// explain names the server. It does not wrap err: an EPIPE or EOF of the server's is not that of
// fount's reader. The text may be the server's.
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
