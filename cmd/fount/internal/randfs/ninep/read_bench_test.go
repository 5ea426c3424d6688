// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !plan9 && !js

package ninep

// Reads over a unix socket, beside 9fans.net/go/plan9/srv9p, which serves the same bytes. Each server has a process
// of its own, as it will have.
//
//	go test -run '^$' -bench Read/ -count 10 ./cmd/fount/internal/randfs/ninep | benchstat -col /server -
//	go test -run '^$' -bench ReadRatio -count 10 ./cmd/fount/internal/randfs/ninep

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"testing"
	"time"

	"9fans.net/go/plan9"
	"9fans.net/go/plan9/client"
)

var both = []string{"fount", "srv9p"}

var sizes = []int{16, 4 << 10, 8 << 10, 64 << 10}

// clients are ways to read n bytes of random over a connection: the 9fans client, which allocates for each message,
// and one that only sends and receives, so that the servers' difference shows.
var clients = []struct {
	name   string
	reader func(testing.TB, net.Conn, int) func() error
}{
	{"9fans", func(t testing.TB, c net.Conn, n int) func() error {
		conn, err := client.NewConn(c)
		if err != nil {
			t.Fatal(err)
		}
		fsys, err := conn.Attach(nil, "glenda", "")
		if err != nil {
			t.Fatal(err)
		}
		fid := open(t, fsys, "random", plan9.OREAD)
		b := make([]byte, n)
		return func() error {
			_, err := io.ReadFull(fid, b)
			return err
		}
	}},
	{"bare", bareReader},
}

func bareReader(t testing.TB, c net.Conn, n int) func() error {
	t.Helper()
	r := &raw{t, c}
	r.version(benchMsize)
	r.want(&plan9.Fcall{Type: plan9.Tattach, Afid: plan9.NOFID}, "")
	r.open(1, "random", plan9.OREAD)
	request, err := (&plan9.Fcall{Type: plan9.Tread, Fid: 1, Count: uint32(n)}).Bytes()
	if err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, dataStart+n)
	return func() error {
		if _, err := c.Write(request); err != nil {
			return err
		}
		if _, err := io.ReadFull(c, answer); err != nil {
			return err
		}
		if got := binary.LittleEndian.Uint32(answer); got != uint32(len(answer)) || answer[4] != plan9.Rread {
			return fmt.Errorf("a message of type %d and %d bytes", answer[4], got)
		}
		return nil
	}
}

func BenchmarkRead(b *testing.B) {
	for _, server := range both {
		at := startChild(b, server)
		for _, c := range clients {
			for _, size := range sizes {
				b.Run(fmt.Sprintf("server=%s/client=%s/%s", server, c.name, sizeName(size)), func(b *testing.B) {
					read := c.reader(b, at.dial(b), size)
					b.SetBytes(int64(size))
					b.ReportAllocs()
					for b.Loop() {
						if err := read(); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

func sizeName(n int) string {
	if n < 1<<10 {
		return fmt.Sprintf("%dB", n)
	}
	return fmt.Sprintf("%dKiB", n>>10)
}

// places are where the servers are: in this process, where the scheduler of Go's runtime hands over between client and
// server, or each in one of its own, where the kernel's does.
var places = []struct {
	name string
	dial func(testing.TB, string) net.Conn
}{
	{"here", dialHere},
	{"apart", func(t testing.TB, server string) net.Conn { return startChild(t, server).dial(t) }},
}

func dialHere(t testing.TB, server string) net.Conn {
	t.Helper()
	addr := "unix!" + filepath.Join(t.TempDir(), "s")
	l, err := Listen(addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go servers[server](l)
	c, err := Dial(addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// BenchmarkReadRatio reads from both servers by turns of 50 reads, so that what else the machine does meets both alike,
// and reports the time of a read from each and fount's over srv9p's.
func BenchmarkReadRatio(b *testing.B) {
	for _, place := range places {
		for _, c := range clients {
			for _, size := range sizes {
				b.Run(fmt.Sprintf("servers=%s/client=%s/%s", place.name, c.name, sizeName(size)), func(b *testing.B) {
					var readers []func() error
					for _, server := range both {
						readers = append(readers, c.reader(b, place.dial(b, server), size))
					}
					byTurns(b, readers)
				})
			}
		}
	}
}

func byTurns(b *testing.B, readers []func() error) {
	const turn = 50
	spent := make([]time.Duration, len(readers))
	for b.Loop() {
		for i, read := range readers {
			begin := time.Now()
			for range turn {
				if err := read(); err != nil {
					b.Fatal(err)
				}
			}
			spent[i] += time.Since(begin)
		}
	}
	for i, server := range both {
		b.ReportMetric(float64(spent[i].Nanoseconds())/float64(b.N*turn), server+"-ns/read")
	}
	b.ReportMetric(float64(spent[0])/float64(spent[1]), "time-ratio")
	b.ReportMetric(0, "ns/op")
}
