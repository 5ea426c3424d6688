// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package randfs

// Open files.

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"
)

// A Handle is a file that a client has open. Its methods may be called from any goroutine.
type Handle struct {
	client *Client
	file   *File
	write  bool
	cell   *cell

	mu   sync.Mutex
	text string // of stats and ctl, as it was at the last read at offset 0
}

var errOffset = errors.New("negative offset")

// Open opens f, for reading or, if write is set, for writing. A file that can be written and read can be read through a
// handle for writing too. An error wraps fs.ErrPermission, or says that the client holds 8 handles of stats and ctl.
func (c *Client) Open(f *File, write bool) (*Handle, error) {
	if write && !f.Writable() || !write && !f.Readable() {
		return nil, fs.ErrPermission
	}
	if f.text != nil && c.texts.Add(1) > mostTexts {
		c.texts.Add(-1)
		return nil, fmt.Errorf("stats and ctl are open %d times: close one", mostTexts)
	}
	return &Handle{client: c, file: f, write: write, cell: c.cell(f)}, nil
}

// ReadAt reads from the file. From random and urandom it fills all of b, whatever the offset, with bytes that no other
// call gets. From stats and ctl it copies the text made by the last read at offset 0, and returns 0 and no error at its
// end.
func (h *Handle) ReadAt(b []byte, off int64) (int, error) {
	if !h.file.Readable() {
		return 0, fs.ErrPermission
	}
	if off < 0 {
		return 0, errOffset
	}
	t := h.client.tree
	begin := t.clock()
	n := len(b)
	if h.file.text == nil {
		t.source.Read(b)
	} else {
		n = copy(b, h.textFrom(off))
	}
	h.cell.count(t.clock()-begin, n)
	return n, nil
}

// textFrom is the text from an offset on. Offset 0 makes it anew.
func (h *Handle) textFrom(off int64) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if off == 0 {
		h.text = h.file.text(h.client.names)
	}
	return h.text[min(off, int64(len(h.text))):]
}

// Write writes all of b, or returns an error and has done nothing. Of seed it takes anything, of ctl "reseed", with or
// without a newline. Nothing of b is kept.
func (h *Handle) Write(b []byte) (int, error) {
	if !h.write {
		return 0, fs.ErrPermission
	}
	t := h.client.tree
	begin := t.clock()
	if h.file.kind == seed {
		t.source.Seed(b)
	} else if err := t.control(b); err != nil {
		return 0, err
	}
	h.cell.count(t.clock()-begin, len(b))
	return len(b), nil
}

// Close ends the use of the handle. It is called once, when no other call is under way.
func (h *Handle) Close() {
	if h.file.text != nil {
		h.client.texts.Add(-1)
	}
}
