// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package fountexpvar publishes what fount does in this process by package expvar, which serves it as JSON at /debug/vars:
//
//	fountexpvar.Publish("fount", pool)
//
// It is a package by itself because importing expvar adds that page to [net/http.DefaultServeMux]. A program that does not serve
// DefaultServeMux has it by expvar.Handler. The page is for those who run the service, not for its users: serve it on an
// address or socket of its own.
package fountexpvar

import (
	"expvar"

	"fount/password"
	"fount/telemetry"
)

// Publish adds a variable to expvar's page: telemetry.Read(pool), made anew for each request. pool may be nil: then it has the
// library's status alone. Programs with several pools publish each under a name of its own. Like expvar.Publish, it stops
// the process if the name is taken.
func Publish(name string, pool *password.Pool) {
	expvar.Publish(name, expvar.Func(func() any { return telemetry.Read(pool) }))
}
