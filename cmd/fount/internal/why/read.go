// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// What is read: a CPU profile of runtime/pprof, from a file, or from a server with net/http/pprof,
// which profiles itself.

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/google/pprof/profile"
)

// mostProfile is the largest profile that is read, in bytes, compressed or not.
const mostProfile = 64 << 20

var (
	errNotPprof = errors.New("it is no profile of pprof")
	errTooLarge = fmt.Errorf("it is larger than %d MiB", mostProfile>>20)
)

// Open returns the profile called name: a file, or the URL of a server, which profiles itself for
// that time.
func Open(ctx context.Context, name string, d time.Duration) (*profile.Profile, error) {
	if IsURL(name) {
		return fetch(ctx, name, d)
	}

	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()

	p, err := read(file)
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return p, err
}

// IsURL reports whether name is a URL, not a file.
func IsURL(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// read reads a profile. It bounds what it decompresses, as package profile does not.
func read(r io.Reader) (*profile.Profile, error) {
	data, err := readMost(r)
	if err != nil {
		return nil, err
	}

	if z, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
		data, err = readMost(z)
		isTwice := bytes.HasPrefix(data, []byte{0x1f, 0x8b}) // compressed, which package profile would go on with
		switch {
		case errors.Is(err, errTooLarge):
			return nil, err
		case err != nil || isTwice:
			return nil, errNotPprof
		}
	}

	p, err := profile.ParseData(data)
	if err != nil {
		return nil, errNotPprof
	}
	return p, nil
}

func readMost(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, mostProfile+1))
	if len(data) > mostProfile {
		return nil, errTooLarge
	}
	return data, err
}

// grace is how long a server may take to answer, beyond the time of the profile.
const grace = 30 * time.Second

// pages is where net/http/pprof has its pages.
const pages = "/debug/pprof"

// fetch has a server profile its CPU for that time. at is its URL, with or without pprof's path. No
// proxy and no other host is asked, and errors hold no password of the URL.
func fetch(ctx context.Context, at string, d time.Duration) (*profile.Profile, error) {
	u, err := url.Parse(at)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("%q is not a URL", at)
	}

	before, _, _ := strings.Cut(u.Path, pages)
	u.Path = strings.TrimSuffix(before, "/") + pages + "/profile"
	u.RawQuery = fmt.Sprintf("seconds=%d", int(math.Ceil(d.Seconds())))
	u.Fragment = ""

	ctx, cancel := context.WithTimeout(ctx, d+grace)
	defer cancel()
	p, err := get(ctx, u)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", u.Redacted(), err)
	}
	return p, nil
}

func get(ctx context.Context, u *url.URL) (*profile.Profile, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}

	client := http.Client{Transport: &http.Transport{DisableCompression: true}}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := client.Do(r)
	if err != nil {
		if e, ok := errors.AsType[*url.Error](err); ok {
			err = e.Err
		}
		return nil, err
	}

	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, refusal(answer)
	}
	return read(answer.Body)
}

// refusal returns the status of an answer and its reason, the first line of a plain text.
func refusal(answer *http.Response) error {
	text, _ := io.ReadAll(io.LimitReader(answer.Body, 200))
	reason, _, _ := strings.Cut(string(text), "\n")
	if reason == "" || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/plain") {
		return errors.New(answer.Status)
	}
	return fmt.Errorf("%s: %q", answer.Status, reason)
}
