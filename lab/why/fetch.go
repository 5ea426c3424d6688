// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// The pages of net/http/pprof.

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// pages is where net/http/pprof has its pages.
const pages = "/debug/pprof"

// probeEach is how often a page is asked for, to see how late it comes.
const probeEach = 50 * time.Millisecond

// IsURL reports whether a name is a URL and no file.
func IsURL(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// grace is how much longer than it was asked to watch a server may take to answer.
var grace = 30 * time.Second

// A server fetches pages of one server.
type server struct {
	base   string // the URL of the pages
	name   string // the same, without a password
	client http.Client
}

func newServer(at string) (*server, error) {
	u, err := url.Parse(at)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("%q is not a URL", at)
	}
	if i := strings.Index(u.Path, pages); i >= 0 {
		u.Path = u.Path[:i]
	}
	u.Path = strings.TrimSuffix(u.Path, "/") + pages
	u.RawQuery, u.Fragment = "", ""
	s := &server{base: u.String(), name: u.Redacted()}
	s.client.Transport = &http.Transport{DisableCompression: true} // no proxy: nobody but the server is asked
	s.client.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		switch {
		case r.URL.Host != u.Host:
			return fmt.Errorf("it sends to %s, which nobody named", r.URL.Host)
		case len(via) == 10:
			return errors.New("it redirects without end")
		}
		return nil
	}
	return s, nil
}

// get fetches a page.
func (s *server) get(ctx context.Context, page string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+"/"+page, nil)
	if err != nil {
		return nil, err
	}
	answer, err := s.client.Do(r)
	if err != nil {
		var e *url.Error
		if errors.As(err, &e) {
			err = e.Err
		}
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, mostProfile))
	if err == nil && answer.StatusCode != http.StatusOK {
		line, _, _ := strings.Cut(strings.TrimSpace(string(body)), "\n")
		err = fmt.Errorf("%s: %.200q", answer.Status, line)
	}
	return body, err
}

// Fetch has a server that serves net/http/pprof profile itself for that time: its CPU, and where it waits for locks if it
// keeps a mutex or block profile. Meanwhile it asks for a small page each 50 ms, to see how late the server is.
func Fetch(ctx context.Context, at string, d time.Duration) (*Profile, error) {
	s, err := newServer(at)
	if err != nil {
		return nil, err
	}
	seconds := int(math.Ceil(d.Seconds()))
	most := time.Duration(seconds)*time.Second + grace
	ctx, cancel := context.WithTimeoutCause(ctx, most, fmt.Errorf("it has not answered within %v", most))
	defer cancel()
	probing, stop := context.WithCancel(ctx)
	defer stop()
	var beside sync.WaitGroup
	waits := make([][]byte, len(waitKinds))
	for i, kind := range waitKinds {
		beside.Go(func() { waits[i], _ = s.get(ctx, fmt.Sprintf("%s?seconds=%d", kind, seconds)) })
	}
	var late []time.Duration
	beside.Go(func() { late = s.probe(probing) })
	data, err := s.get(ctx, fmt.Sprintf("profile?seconds=%d", seconds))
	stop()
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	beside.Wait()
	p, err := ReadPprof(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	p.Source = s.name
	for i, kind := range waitKinds {
		in, err := parsePprof(bytes.NewReader(waits[i]))
		if err != nil || len(in.Sample) == 0 {
			p.Notes = append(p.Notes, fmt.Sprintf("The program keeps no %s profile (runtime.%s), or it is empty.", kind, waitSetters[i]))
			continue
		}
		p.Waits = append(p.Waits, waitsOf(in, kind)...)
	}
	slices.SortStableFunc(p.Waits, func(a, b Wait) int { return cmp.Compare(b.Seconds, a.Seconds) })
	p.Lateness = latenessOf(late)
	return p, nil
}

// The profiles of waiting, and what makes a program keep them.
var (
	waitKinds   = []string{"mutex", "block"}
	waitSetters = []string{"SetMutexProfileFraction", "SetBlockProfileRate"}
)

// probe asks for a page that costs nothing until ctx is done, and returns how long after it was due each answer came. What
// falls due while an answer is awaited shares that answer: a stall of a second counts 20 times, and not once.
func (s *server) probe(ctx context.Context) (took []time.Duration) {
	for due := time.Now().Add(probeEach); ; {
		select {
		case <-ctx.Done():
			return took
		case <-time.After(time.Until(due)):
		}
		_, err := s.get(ctx, "cmdline")
		waited := err == nil || ctx.Err() != nil // the last one may not be answered, and took at least so long
		for now := time.Now(); !due.After(now); due = due.Add(probeEach) {
			if waited {
				took = append(took, now.Sub(due))
			}
		}
	}
}

// latenessOf are the percentiles of the times of answers, nil if there are none.
func latenessOf(took []time.Duration) *Lateness {
	if len(took) == 0 {
		return nil
	}
	slices.Sort(took)
	at := func(q float64) float64 {
		return took[min(len(took)-1, int(math.Ceil(q*float64(len(took))))-1)].Seconds() * 1000
	}
	return &Lateness{Of: "answers to a small page were", Count: int64(len(took)), P50MS: at(0.5), P99MS: at(0.99), MaxMS: at(1)}
}
