// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package entropy

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// answers is a source that gives one answer after the other.
func answers(name string, credit int, list ...any) *source {
	i := 0
	return &source{name: name, credit: credit, length: 8, tested: true, absent: present,
		fill: func(b []byte) (int, error) {
			i++
			switch a := list[min(i, len(list))-1].(type) {
			case error:
				return copy(b, "half"), a
			case string:
				return copy(b, a), nil
			}
			panic("an answer is an error or a string")
		}}
}

type gathered struct {
	name   string
	bytes  string
	credit int
}

func gatherAll(from []*source) (list []gathered) {
	gather(from, func(name string, b []byte, credit int) {
		list = append(list, gathered{name, string(b), credit})
	})
	return list
}

// A source that fails is left out from then on, and the others stay.
func TestGatherGoesOn(t *testing.T) {
	absent := answers("absent", 8, "12345678")
	absent.absent = func() string { return "not here" }
	kernel := answers("first", 8, "12345678")
	fails := answers("fails", 0, "abcdefgh", errors.New("it broke"), "abcdefgh")
	dry := answers("dry", 0, errDry, "ABCDEFGH")
	from := []*source{kernel, absent, fails, dry}

	first := []gathered{{"first", "12345678", 64}, {"fails", "abcdefgh", 0}, {"dry", "half", 0}}
	if got := gatherAll(from); !slices.Equal(got, first) {
		t.Errorf("first round %v, want %v", got, first)
	}
	later := []gathered{{"first", "12345678", 64}, {"dry", "ABCDEFGH", 0}}
	for range 3 {
		if got := gatherAll(from); !slices.Equal(got, later) {
			t.Errorf("later round %v, want %v", got, later)
		}
	}
	for _, want := range []struct {
		s  *source
		st SourceStatus
	}{
		{kernel, SourceStatus{Name: "first", Available: true, Credit: 8, Healthy: true, Bytes: 32}},
		{absent, SourceStatus{Name: "absent", Credit: 8, Why: "not here"}},
		{fails, SourceStatus{Name: "fails", Available: true, CutOff: true, Why: "cut off: it broke", Bytes: 8}},
		{dry, SourceStatus{Name: "dry", Available: true, Healthy: true, Bytes: 28}},
		{answers("new", 0, "x"), SourceStatus{Name: "new", Available: true, Why: "it has given nothing yet"}},
	} {
		if got := want.s.status(); got != want.st {
			t.Errorf("status %+v, want %+v", got, want.st)
		}
	}
}

// What a source gave together with an error is wiped, and so is what sink was lent.
func TestGatherWipes(t *testing.T) {
	b := []byte("________")
	n, err := answers("fails", 0, errors.New("it broke")).ask(b)
	if n != 0 || err == nil || !bytes.Equal(b, make([]byte, 8)) {
		t.Errorf("%d bytes, %v, %q", n, err, b)
	}
	var lent []byte
	gather([]*source{answers("a", 0, "12345678"), answers("b", 0, "1")}, func(name string, b []byte, _ int) {
		if name == "b" && !bytes.Equal(lent[1:], make([]byte, 7)) {
			t.Errorf("%q was not wiped when sink had returned", lent)
		}
		lent = b[:8]
	})
	if !bytes.Equal(lent, make([]byte, 8)) {
		t.Errorf("%q was not wiped", lent)
	}
}

// The sources of this machine: the kernel first, and nothing else counts.
func TestGather(t *testing.T) {
	var names []string
	total := 0
	Gather(func(name string, b []byte, credit int) {
		names = append(names, name)
		total += credit
		if len(b) < 1 || len(b) > maxLength || name == "kernel" && len(b) != 32 {
			t.Errorf("%s gave %d bytes", name, len(b))
		}
		if bytes.Contains(b, make([]byte, 8)) {
			t.Errorf("%s gave %x", name, b)
		}
		if name != "kernel" && credit != 0 {
			t.Errorf("%s counts for %d bits", name, credit)
		}
	})
	if len(names) == 0 || names[0] != "kernel" || total != 256 {
		t.Errorf("%v count for %d bits, want kernel first and 256", names, total)
	}
	var listed []string
	for _, st := range List() {
		listed = append(listed, st.Name)
		if st.Credit != 0 && st.Name != "kernel" || slices.Contains(names, st.Name) && (!st.Healthy || st.Bytes == 0) {
			t.Errorf("listed as %+v", st)
		}
		if !st.Healthy && st.Why == "" || st.Healthy && !st.Available {
			t.Errorf("listed as %+v", st)
		}
	}
	if want := []string{"kernel", "rdseed", "rdrand", "jitter", "seed file", "caller"}; !slices.Equal(listed, want) {
		t.Errorf("listed are %v, want %v", listed, want)
	}
}

func TestGatherConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			total := 0
			Add("test", []byte{byte(i)})
			Gather(func(_ string, _ []byte, credit int) { total += credit })
			List()
			var raw [16]byte
			RawJitter(raw[:])
			if total != 256 && total != 0 { // passed over while another goroutine asks
				t.Errorf("%d bits", total)
			}
		})
	}
	wg.Wait()
	total := 0
	Gather(func(_ string, _ []byte, credit int) { total += credit })
	if total != 256 {
		t.Errorf("%d bits when nobody else asks", total)
	}
}

func TestDraw(t *testing.T) {
	b := make([]byte, 24)
	if n, err := Draw("kernel", b); n != 24 || err != nil || bytes.Equal(b, make([]byte, 24)) {
		t.Errorf("kernel: %d, %v, %x", n, err, b)
	}
	for name, want := range map[string]string{
		"caller":    "caller gives nothing on demand",
		"seed file": "seed file gives nothing on demand",
		"gitter":    `unknown source "gitter"; use one of kernel, rdseed, rdrand, jitter`,
		"":          `unknown source "";`,
	} {
		if n, err := Draw(name, b); n != 0 || err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("Draw(%q): %d, %v, want %q", name, n, err, want)
		}
	}
	for _, st := range List() {
		if !st.Available && st.Name[0] == 'r' {
			if n, err := Draw(st.Name, b); n != 0 || err == nil || err.Error() != st.Why {
				t.Errorf("Draw(%q): %d, %v, want %q", st.Name, n, err, st.Why)
			}
		}
	}
}

// The names are what programs read.
func TestSourceStatusJSON(t *testing.T) {
	b, err := json.Marshal(SourceStatus{Name: "a", Available: true, Credit: 8, Healthy: true, Why: "b", Bytes: 1})
	const want = `{"name":"a","available":true,"credit_bits_per_byte":8,"healthy":true,"cut_off":false,"why":"b","bytes":1}`
	if err != nil || string(b) != want {
		t.Errorf("%s, %v, want %s", b, err, want)
	}
}

// Gather waits for nobody: in a forked child whoever asked a source, or added, at the fork does so for good.
func TestGatherDoesNotWait(t *testing.T) {
	Add("test", []byte("something to give"))
	for _, lock := range []*sync.Mutex{&rdseedSource.mu, &rdrandSource.mu, &jitterSource.mu, &seedFileSource.mu, &callerSource.mu, &callerState.mu} {
		lock.Lock()
		done := make(chan bool, 1)
		go func() {
			kernel := false
			Gather(func(name string, b []byte, _ int) { kernel = kernel || name == "kernel" && len(b) == 32 })
			done <- kernel
		}()
		select {
		case kernel := <-done:
			if !kernel {
				t.Error("the kernel was not asked")
			}
		case <-time.After(time.Minute):
			t.Fatal("Gather waits for a source that is being asked")
		}
		lock.Unlock()
	}
}
