// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

// Messages. The codec is 9fans.net/go/plan9's, with two exceptions. A Tread is decoded and an Rread
// encoded here, in place: the codec would allocate 430 bytes for a read of 16 and copy one of 64
// KiB once more. And messages are checked here first, because the codec writes a line to standard
// error for each that it can't decode.

import (
	"encoding/binary"

	"9fans.net/go/plan9"
)

const (
	readSize  = headSize + 4 + 8 + 4 // of a Tread: fid[4] offset[8] count[4]
	dataStart = headSize + 4         // of an Rread: count[4]
	noTag     = plan9.NOTAG
	noFid     = plan9.NOFID
	maxNames  = plan9.MAXWELEM // in a Twalk
	maxEname  = 240            // bytes of an error, so that it fits into any msize
)

func tagOf(message []byte) uint16 { return binary.LittleEndian.Uint16(message[5:]) }

// A readRequest is a Tread.
type readRequest struct {
	tag    uint16
	fid    uint32
	offset uint64
	count  uint32
}

// decodeRead decodes a message if it is a Tread.
func decodeRead(m []byte) (r readRequest, ok bool) {
	if len(m) != readSize || m[4] != plan9.Tread {
		return r, false
	}
	r.tag = tagOf(m)
	r.fid = binary.LittleEndian.Uint32(m[7:])
	r.offset = binary.LittleEndian.Uint64(m[11:])
	r.count = binary.LittleEndian.Uint32(m[19:])
	return r, true
}

// encodeRead makes an Rread of b, whose data begins at dataStart.
func encodeRead(b []byte, tag uint16) {
	encodeHead(b, plan9.Rread, tag)
	binary.LittleEndian.PutUint32(b[headSize:], uint32(len(b)-dataStart))
}

// encodeError makes an Rerror.
func encodeError(tag uint16, why string) []byte {
	why = why[:min(len(why), maxEname)]
	b := make([]byte, headSize+2+len(why))
	encodeHead(b, plan9.Rerror, tag)
	binary.LittleEndian.PutUint16(b[headSize:], uint16(len(why)))
	copy(b[headSize+2:], why)
	return b
}

func encodeHead(b []byte, kind uint8, tag uint16) {
	binary.LittleEndian.PutUint32(b, uint32(len(b)))
	b[4] = kind
	binary.LittleEndian.PutUint16(b[5:], tag)
}

// layouts are what follows the head in each message of a client: numbers of 1, 2, 4 and 8 bytes, s
// a string with its length in 2 bytes, w up to 16 strings with their number in 2 bytes, d and t the
// rest, with its length in 4 and 2 bytes. An empty one is of no message of a client.
var layouts = [plan9.Tmax]string{
	plan9.Tversion: "4s",
	plan9.Tauth:    "4ss",
	plan9.Tattach:  "44ss",
	plan9.Tflush:   "2",
	plan9.Twalk:    "44w",
	plan9.Topen:    "41",
	plan9.Tcreate:  "4s41",
	plan9.Tread:    "484",
	plan9.Twrite:   "48d",
	plan9.Tclunk:   "4",
	plan9.Tremove:  "4",
	plan9.Tstat:    "4",
	plan9.Twstat:   "4t",
}

// wellFormed reports whether a message is one of a client and has the right layout.
func wellFormed(m []byte) bool {
	if int(m[4]) >= len(layouts) || layouts[m[4]] == "" {
		return false
	}

	b, ok := m[headSize:], true
	for _, field := range layouts[m[4]] {
		switch field {
		case 's':
			b, ok = skipString(b)
		case 'w':
			b, ok = skipNames(b)
		case 't':
			return len(b) >= 2 && int(binary.LittleEndian.Uint16(b)) == len(b)-2
		case 'd':
			return len(b) >= 4 && uint64(binary.LittleEndian.Uint32(b)) == uint64(len(b)-4)
		default:
			b, ok = skip(b, int(field-'0'))
		}

		if !ok {
			return false
		}
	}
	return len(b) == 0
}

func skip(b []byte, n int) ([]byte, bool) {
	if len(b) < n {
		return nil, false
	}
	return b[n:], true
}

func skipString(b []byte) ([]byte, bool) {
	if len(b) < 2 {
		return nil, false
	}
	return skip(b[2:], int(binary.LittleEndian.Uint16(b)))
}

func skipNames(b []byte) (_ []byte, ok bool) {
	if len(b) < 2 {
		return nil, false
	}

	n := binary.LittleEndian.Uint16(b)
	if n > maxNames {
		return nil, false
	}

	b = b[2:]
	for range n {
		if b, ok = skipString(b); !ok {
			return nil, false
		}
	}
	return b, true
}
