// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// The services, each with its twin, which has the change that the verdict asks for.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	_ "net/http/pprof" // for those that have a page to ask
	"os"
	"sort"
	"strings"

	"fount"
	"fount/password"
	"fount/password/passwordhttp"

	"github.com/google/uuid"
	"golang.org/x/crypto/bcrypt"
)

// batch is how many IDs the service for IDs hands out at once: one a row that its caller is about to insert.
const batch = 100

// stored is the hash of the password that callers send.
const stored = "$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy"

// A service is a handler before and after the change.
type service struct {
	name          string
	callers       int
	before, after func() (http.HandlerFunc, error)
}

var services = []service{
	{"login", 64, just(loginNaive), loginPool},
	{"ids", 4, just(ids), just(idsChanged)},
	{"words", 4, just(words), just(words)},
}

func just(h http.HandlerFunc) func() (http.HandlerFunc, error) {
	return func() (http.HandlerFunc, error) { return h, nil }
}

// loginNaive hashes in the handler.
func loginNaive(w http.ResponseWriter, r *http.Request) {
	//fount:ignore unboundedhash it is the twin that a bound is compared with
	err := bcrypt.CompareHashAndPassword([]byte(stored), []byte(r.PostFormValue("password")))
	if err != nil && !errors.Is(err, bcrypt.ErrMismatchedHashAndPassword) {
		http.Error(w, "no", http.StatusInternalServerError)
		return
	}
	fmt.Fprintln(w, "welcome")
}

// loginPool is the login of docs. Its callers are patient, so that both twins answer all.
func loginPool() (http.HandlerFunc, error) {
	pool, err := password.NewPool(password.Options{Policy: password.Policy{Algorithm: password.Bcrypt, Cost: 10}, MaxWait: maxWait})
	if err != nil {
		return nil, err
	}
	return func(w http.ResponseWriter, r *http.Request) {
		from := password.Login{Principal: r.Header.Get("Caller")}
		_, err := pool.Verify(context.Background(), from, []byte(r.PostFormValue("password")), stored)
		if err != nil && !errors.Is(err, password.ErrMismatch) {
			passwordhttp.ServeError(w, err)
			return
		}
		fmt.Fprintln(w, "welcome")
	}, nil
}

// ids hands out a batch of IDs.
func ids(w http.ResponseWriter, _ *http.Request) {
	var all [batch]string
	for i := range all {
		all[i] = uuid.NewString()
	}
	json.NewEncoder(w).Encode(all)
}

func idsChanged(w http.ResponseWriter, _ *http.Request) {
	var all [batch]string
	for i := range all {
		all[i] = fount.NewUUID().String()
	}
	json.NewEncoder(w).Encode(all)
}

// words counts the words of a text, which needs nothing of fount.
func words(w http.ResponseWriter, _ *http.Request) {
	counts := make(map[string]int)
	for _, word := range strings.Fields(text) {
		counts[strings.ToLower(word)]++
	}
	keys := make([]string, 0, len(counts))
	for key := range counts {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	json.NewEncoder(w).Encode(keys)
}

var text = strings.Repeat("the quick brown fox jumps over the lazy dog, and the dog sleeps on; ", 20)

// An order is what a process is told to serve, on its standard input.
type order struct {
	Service string
	Changed bool // with the change
}

// serve serves what in asks for until the process is ended, and prints where.
func serve(in io.Reader) error {
	var o order
	if err := json.NewDecoder(in).Decode(&o); err != nil {
		return err
	}
	s, err := find(o.Service)
	if err != nil {
		return err
	}
	make := s.before
	if o.Changed {
		make = s.after
	}
	handler, err := make()
	if err != nil {
		return err
	}
	http.HandleFunc("/", handler)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	os.Stdout.Close()
	return http.Serve(l, nil)
}
