// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fountexpvar_test

import (
	"encoding/json"
	"expvar"
	"fmt"
	"log"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"fount/password"
	"fount/telemetry"
	"fount/telemetry/fountexpvar"
)

func Example() {
	pool, err := password.NewPool(password.Options{Policy: password.Policy{Algorithm: password.Bcrypt, Cost: 4}})
	if err != nil {
		log.Fatal(err)
	}
	fountexpvar.Publish("fount", pool)

	page := httptest.NewRecorder() // a service has it at /debug/vars
	expvar.Handler().ServeHTTP(page, httptest.NewRequest("GET", "/debug/vars", nil))
	var vars struct{ Fount telemetry.Report }
	if err := json.Unmarshal(page.Body.Bytes(), &vars); err != nil {
		log.Fatal(err)
	}
	fmt.Println("version:", vars.Fount.Version)
	fmt.Println("refused sign-ins:", vars.Fount.Password.Classes["sign_in"].Outcomes["refused"].Count)
	// Output:
	// version: 1
	// refused sign-ins: 0
}

// Only who asks for it gets expvar's page.
func TestOnlyHereIsExpvar(t *testing.T) {
	for path, want := range map[string]bool{
		"fount": false, "fount/password": false, "fount/telemetry": false, "fount/telemetry/fountexpvar": true,
	} {
		out, err := exec.Command("go", "list", "-deps", path).Output()
		if err != nil {
			t.Skipf("go list -deps %s: %v: this test needs the go command and the checkout", path, err)
		}
		if got := slices.Contains(strings.Fields(string(out)), "expvar"); got != want {
			t.Errorf("%s depends on expvar: %v, want %v", path, got, want)
		}
	}
}
