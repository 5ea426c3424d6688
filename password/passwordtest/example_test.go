// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package passwordtest_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"fount/password"
	"fount/password/passwordhttp"
	"fount/password/passwordtest"
)

// A handler of a service, and what its users see, in an overload too.
func Example() {
	pool := passwordtest.NewPool(example{}, password.Options{}) // in a test, its *testing.T
	stored, err := pool.Hash(context.Background(), password.Login{}, []byte("right"))
	if err != nil {
		log.Fatal(err)
	}
	gate := &passwordhttp.Gate{Pool: pool}
	handler := gate.Handle(func(w http.ResponseWriter, r *http.Request, from password.Login) error {
		_, err := pool.Verify(r.Context(), from, []byte(r.PostFormValue("password")), stored)
		return err
	})
	try := func(given string) int {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("POST", "/", strings.NewReader("password="+given))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		handler.ServeHTTP(w, r)
		return w.Code
	}
	fmt.Println(try("right"), try("wrong"))
	pool.Fail(password.OverloadedError{After: time.Second})
	fmt.Println(try("right"))
	// Output:
	// 200 401
	// 503
}

// example stands for a test, as an Example has none.
type example struct{}

func (example) Helper()           {}
func (example) Fatal(args ...any) { log.Fatal(args...) }
func (example) Cleanup(func())    {}
