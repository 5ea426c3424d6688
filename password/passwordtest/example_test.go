// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package passwordtest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"fount/password"
	"fount/password/passwordhttp"
	"fount/password/passwordtest"
)

// A handler of a service, and what its users see, in an overload too.
func Example() {
	verifier := new(passwordtest.Verifier)
	gate := &passwordhttp.Gate{Pool: verifier}
	handler := gate.Handle(func(w http.ResponseWriter, r *http.Request, from password.Login) error {
		_, err := verifier.Verify(r.Context(), from, []byte(r.FormValue("password")), passwordtest.Stored("right"))
		return err
	})
	try := func(given string) int {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("POST", "/?password="+given, nil))
		return w.Code
	}
	fmt.Println(try("right"), try("wrong"))
	verifier.Fail(password.OverloadedError{After: time.Second})
	fmt.Println(try("right"))
	// Output:
	// 200 401
	// 503
}
