// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"fount/password"
	"fount/remote"
)

// A service that asks fountd on its machine, and stores another hash when it may.
func ExampleHTTP() {
	fountd, err := remote.HTTP("/run/fountd/fountd.sock", remote.HTTPOptions{})
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	login := password.Login{Principal: "192.0.2.1"}
	secret := []byte("correct horse battery staple")

	result, err := fountd.Verify(ctx, login, secret, "$2b$10$xPdJfNz5DFgwalm28vVjB.3uKsiWHDMC67zMLcA840LzZQIx1YAg6")
	overloaded, refused := errors.AsType[password.OverloadedError](err)
	switch {
	case refused:
		fmt.Println("overloaded: try again in", overloaded.After)
		return
	case errors.Is(err, password.ErrMismatch):
		fmt.Println(false)
		return
	case err != nil:
		log.Fatal(err)
	}
	upgraded := ""
	if result.NeedsRehash {
		login.Upgrade = true
		upgraded, _ = fountd.Hash(ctx, login, secret) // a server that is overloaded makes it next time
	}
	fmt.Println(true, upgraded)
}
