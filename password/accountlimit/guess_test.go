// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package accountlimit_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fount/password"
	"fount/password/accountlimit"
	"fount/password/passwordhttp"
	"fount/password/passwordtest"
)

// A client whose body ends just before the deadline leaves a right password time, and a wrong one,
// which takes the store's other hash too, none: each guess counts, and soon the right one is refused.
func TestGuessesThatExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		formats, err := password.NewFormats(slow{})
		if err != nil {
			t.Fatal(err)
		}
		policy := passwordtest.Policy()
		policy.Formats = formats
		pool := passwordtest.NewPool(t, password.Options{Policy: policy, Stored: []string{"slow"}})
		stored, err := pool.Hash(t.Context(), password.Login{}, []byte("right"))
		if err != nil {
			t.Fatal(err)
		}
		limits, err := accountlimit.New(accountlimit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		gate := &passwordhttp.Gate{Pool: pool, Timeout: time.Second}
		handler := gate.Handle(func(_ http.ResponseWriter, r *http.Request, login password.Login) error {
			_, err := limits.For(pool, "ada").Verify(r.Context(), login, []byte(r.PostFormValue("password")), stored)
			return err
		})
		try := func(given string) int {
			body := &lateBody{strings.NewReader("password=" + given), time.Second - 110*time.Millisecond}
			r := httptest.NewRequest("POST", "/", body)
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			return w.Code
		}
		limited := 0
		for n := range 20 {
			if try(fmt.Sprint("guess ", n)) == http.StatusTooManyRequests {
				limited++
			}
		}
		if code := try("right"); limited != 10 || code != http.StatusTooManyRequests {
			t.Errorf("of 20 wrong guesses %d were refused; the right one got %d; want 10, and 429", limited, code)
		}
	})
}

// A lateBody comes after a while.
type lateBody struct {
	io.Reader
	after time.Duration
}

func (b *lateBody) Read(p []byte) (int, error) {
	time.Sleep(b.after)
	b.after = 0
	return b.Reader.Read(p)
}

// slow is a form whose hashes take longer than the pool believes: 120 ms.
type slow struct{}

func (slow) Name() string { return "slow" }
func (slow) Parse(encoded string) (*password.Parsed, error) {
	if encoded != "slow" {
		return nil, nil
	}
	return &password.Parsed{
		Time: func(int) time.Duration { return 100 * time.Millisecond }, Sum: make([]byte, 16),
		Compute: func(_, _ []byte, yield func() bool) []byte {
			time.Sleep(120 * time.Millisecond)
			yield()
			return []byte{}
		},
	}, nil
}
