// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fountprometheus_test

import (
	"bufio"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"fount/password"
	fountprometheus "fount/telemetry/prometheus"
)

func Example() {
	pool, err := password.NewPool(password.Options{Policy: password.Policy{Algorithm: password.Bcrypt, Cost: 4}})
	if err != nil {
		log.Fatal(err)
	}
	reg := prometheus.NewRegistry()
	reg.MustRegister(fountprometheus.NewCollector(pool, "logins"), fountprometheus.NewProcessCollector())
	mux := http.NewServeMux() // on an address that only Prometheus can reach
	mux.Handle("GET /metrics", promhttp.HandlerFor(reg, promhttp.HandlerOpts{}))

	page := httptest.NewRecorder()
	mux.ServeHTTP(page, httptest.NewRequest("GET", "/metrics", nil))
	for lines := bufio.NewScanner(page.Body); lines.Scan(); {
		if strings.Contains(lines.Text(), "calls_answered") {
			fmt.Println(lines.Text())
		}
	}
	// Output:
	// # HELP fount_password_calls_answered_total Goodput: calls answered in time.
	// # TYPE fount_password_calls_answered_total counter
	// fount_password_calls_answered_total{class="sign_in",pool="logins"} 0
	// fount_password_calls_answered_total{class="upgrade",pool="logins"} 0
}
