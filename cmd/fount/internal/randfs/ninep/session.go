// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

// The effect of each message.

import (
	"math"
	"strings"

	"9fans.net/go/plan9"
)

// An ename is the text of a 9P error. Common ones are worded as in Plan 9's and plan9port's
// servers, because Linux turns these strings into error numbers (net/9p/error.c). Errors that only
// a broken client meets have other words.
type ename string

func (e ename) Error() string { return string(e) }

const (
	errUnknownFid = ename("fid unknown or out of range")
	errFidInUse   = ename("fid already in use")
	errManyFids   = ename("Too many open files")
	errOpenFid    = ename("file already open for I/O")
	errBadUse     = ename("bad use of fid")
	errPermission = ename("permission denied")
	errNotExist   = ename("file does not exist")
	errNotDir     = ename("not a directory")
	errDirOffset  = ename("bad offset in directory read")
	errDirCount   = ename("Invalid argument")
	errWstat      = ename("wstat prohibited")
	errWstatForm  = ename("bogus wstat buffer")

	errNoAuth     = ename("no authentication required: attach with afid NOFID")
	errNoVersion  = ename("Tversion must come first")
	errSmallMsize = ename("msize is too small: at least 256")
	errMalformed  = ename("malformed message")
)

const protocol = plan9.VERSION9P

// answer carries a message out and returns the answer, which is valid until the next message.
func (c *conn) answer(message []byte) []byte {
	if !wellFormed(message) {
		return encodeError(tagOf(message), errMalformed.Error())
	}

	if r, ok := decodeRead(message); ok && c.version {
		answer, err := c.read(r)
		if err != nil {
			return encodeError(r.tag, err.Error())
		}
		return answer
	}
	return c.answerAny(message)
}

// answerAny is answer by the codec.
func (c *conn) answerAny(message []byte) []byte {
	t, err := plan9.UnmarshalFcall(message)
	if err != nil {
		return encodeError(tagOf(message), errMalformed.Error())
	}

	r := &plan9.Fcall{Type: t.Type + 1, Tag: t.Tag}
	if err := c.carryOut(t, r); err != nil {
		return encodeError(t.Tag, err.Error())
	}

	answer, err := r.Bytes()
	if err != nil {
		return encodeError(t.Tag, err.Error())
	}
	return answer
}

// carryOut carries out the request t and fills in the answer r.
func (c *conn) carryOut(t, r *plan9.Fcall) error {
	if t.Type == plan9.Tversion {
		return c.negotiate(t, r)
	}
	if !c.version {
		return errNoVersion
	}

	switch t.Type {
	case plan9.Tauth:
		return errNoAuth
	case plan9.Tattach:
		return c.attach(t, r)
	case plan9.Tflush:
		return nil // what came before is answered
	}

	f := c.fids[t.Fid]
	if f == nil {
		return errUnknownFid
	}
	switch t.Type {
	case plan9.Twalk:
		return c.walk(f, t, r)
	case plan9.Topen:
		return c.open(f, t, r)
	case plan9.Twrite:
		return f.write(t, r)
	case plan9.Tclunk:
		delete(c.fids, t.Fid)
		return nil
	case plan9.Tremove:
		delete(c.fids, t.Fid) // remove(5) clunks either way
		return errPermission
	case plan9.Tstat:
		return c.stat(f, r)
	case plan9.Twstat:
		return f.wstat(t)
	}
	return errPermission // Tcreate
}

// negotiate agrees on a version and a message size. It ends an earlier session: all fids are clunked.
func (c *conn) negotiate(t, r *plan9.Fcall) error {
	clear(c.fids)
	c.version = false
	c.msize = aheadSize

	if t.Msize < minMsize {
		return errSmallMsize
	}
	r.Msize = min(t.Msize, maxMsize)

	base, _, _ := strings.Cut(t.Version, ".")
	if base != protocol {
		r.Version = "unknown"
		return nil
	}

	r.Version = protocol
	c.version = true
	c.msize = r.Msize
	return nil
}

func (c *conn) attach(t, r *plan9.Fcall) error {
	if t.Afid != noFid {
		return errNoAuth
	}

	files, err := c.server.Tree.Files(t.Aname)
	if err != nil {
		return err
	}

	root := &fid{files: files}
	r.Qid = root.qid()
	return c.define(t.Fid, root)
}

// define adds a fid, which must not be in use.
func (c *conn) define(number uint32, f *fid) error {
	switch {
	case number == noFid:
		return errUnknownFid
	case c.fids[number] != nil:
		return errFidInUse
	case len(c.fids) >= maxFids:
		if !c.hasLogged { // a client may ask for more than a log can hold
			c.hasLogged = true
			c.server.log("%s: more than %d fids", c.name, maxFids)
		}
		return errManyFids
	}

	c.fids[number] = f
	return nil
}

// walk goes from a fid along names. It defines the new fid only if all of them exist.
func (c *conn) walk(from *fid, t, r *plan9.Fcall) error {
	if from.open {
		return errOpenFid
	}
	if t.Newfid != t.Fid && c.fids[t.Newfid] != nil {
		return errFidInUse
	}

	to := &fid{files: from.files, file: from.file}
	for _, name := range t.Wname {
		err := to.step(name)
		if err != nil && len(r.Wqid) == 0 {
			return err
		}
		if err != nil {
			return nil // the qids say how far it went
		}
		r.Wqid = append(r.Wqid, to.qid())
	}

	if t.Newfid == t.Fid {
		c.fids[t.Fid] = to
		return nil
	}
	return c.define(t.Newfid, to)
}

func (c *conn) open(f *fid, t, r *plan9.Fcall) error {
	if f.open {
		return errOpenFid
	}
	if err := f.openAs(c.server.Tree, t.Mode); err != nil {
		return err
	}

	r.Qid = f.qid()
	r.Iounit = c.msize - ioHeader
	return nil
}

// read answers a Tread in c.buf. From random and urandom it reads all bytes asked for, up to msize
// - 24.
func (c *conn) read(t readRequest) ([]byte, error) {
	f := c.fids[t.fid]
	if f == nil {
		return nil, errUnknownFid
	}
	if !f.open || !f.reads {
		return nil, errBadUse
	}

	count := int(min(t.count, c.msize-ioHeader))
	c.grow(dataStart + count)
	data := c.buf[dataStart : dataStart+count]

	var n int
	var err error
	if f.file == nil {
		n, err = f.readDir(data, t.offset, c.server.Tree.Started())
	} else {
		n, err = f.handle.ReadAt(data, int64(min(t.offset, math.MaxInt64)))
	}
	if err != nil {
		return nil, err
	}

	answer := c.buf[:dataStart+n]
	encodeRead(answer, t.tag)
	return answer, nil
}

func (f *fid) write(t, r *plan9.Fcall) error {
	if !f.open || !f.writes {
		return errBadUse
	}

	n, err := f.handle.Write(t.Data)
	clear(t.Data) // a seed is a secret
	r.Count = uint32(n)
	return err
}

func (c *conn) stat(f *fid, r *plan9.Fcall) (err error) {
	r.Stat, err = record(f.file, c.server.Tree.Started()).Bytes()
	return err
}

// wstat accepts only a request that changes nothing, as Linux sends before a shell writes.
func (f *fid) wstat(t *plan9.Fcall) error {
	d, err := plan9.UnmarshalDir(t.Stat)
	if err != nil {
		return errWstatForm
	}

	isTruncation := f.file != nil && f.file.Writable() && d.Length == 0
	if isTruncation {
		d.Length = math.MaxUint64
		d.Atime = math.MaxUint32
		d.Mtime = math.MaxUint32
	}
	if !d.IsNull() {
		return errWstat
	}
	return nil
}
