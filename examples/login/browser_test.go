// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix && chromium

package main

// The pages in Chromium. The build tag keeps the 60 packages of its protocol out of other builds:
//
//	FOUNT_LONG=1 go test -C examples/login -tags chromium -run Browser .

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"fount/internal/test/require"
)

// A browser is a tab.
type browser struct {
	context.Context
	t *testing.T
}

func chromium(t *testing.T) *browser {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: a browser takes 20 s to go through the pages")
	}
	path, err := exec.LookPath("chromium")
	if err != nil {
		require.Skip(t, "chromium", "chromium is not installed")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute) // if it hangs
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.UserDataDir(t.TempDir()))...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	t.Cleanup(func() { chromedp.Cancel(ctx) })
	return &browser{ctx, t}
}

// do returns what an action gives.
func do[T any](b *browser, a chromedp.Action[T]) T {
	b.t.Helper()
	v, err := chromedp.Run(b, a)
	if err != nil {
		b.t.Fatal(err)
	}
	return v
}

// fill sends the form of a path with pairs of fields and values, and looks for a text on the page
// that comes.
func (b *browser) fill(path, want string, pairs ...string) {
	b.t.Helper()
	in := `form[action="` + path + `"] `
	for i := 0; i < len(pairs); i += 2 {
		field := in + `[name="` + pairs[i] + `"]`
		do(b, chromedp.Evaluate[string]("document.querySelector(`"+field+"`).value = ''"))
		do(b, chromedp.SendKeys(chromedp.CSS(field), pairs[i+1]))
	}
	if _, err := chromedp.RunResponse(b, chromedp.Click(chromedp.CSS(in+"button"))); err != nil {
		b.t.Fatal(err)
	}
	if text := do(b, chromedp.Evaluate[string]("document.body.innerText")); !strings.Contains(text, want) {
		b.t.Fatalf("the page does not say %q: %q", want, text)
	}
}

// fits checks that the page is no wider than a phone.
func (b *browser) fits(name string) {
	b.t.Helper()
	if width := do(b, chromedp.Evaluate[int64]("document.documentElement.scrollWidth")); width > phone {
		b.t.Errorf("%s is %d pixels wide in a window of %d", name, width, phone)
	}
}

const phone = 390

// A person registers, changes the password, forgets it, and sets another, without any script.
func TestBrowser(t *testing.T) {
	b, s := chromium(t), start(t)
	home := strings.Replace(s.URL, "127.0.0.1", "localhost", 1) // gets the cookie over plain HTTP
	do(b, chromedp.EmulateViewport(phone, 800))
	do(b, chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	}))
	do(b, chromedp.Navigate(home+"/register"))
	b.fits("register")
	b.fill("/register", "A password has 12 to 128 characters.", "email", ada, "password", strings.Repeat("x", 129))
	b.fits("wrong")
	b.fill("/register", "You are signed in as "+ada, "password", right) // keeps the address
	b.fits("account")
	b.fill("/password", "The address or the password is not right.", "password", better, "new", better)
	b.fill("/password", "Your password was changed.", "password", right, "new", better)
	<-s.inbox
	b.fill("/logout", "I forgot my password")
	b.fits("login")
	do(b, chromedp.Navigate(home+"/forgot"))
	b.fits("forgot")
	b.fill("/forgot", "a mail is on its way", "email", ada)
	_, token, _ := strings.Cut((<-s.inbox).text, "token=")
	do(b, chromedp.Navigate(home+"/reset?token="+strings.Fields(token)[0]))
	b.fits("reset")
	b.fill("/reset", "Sign in", "new", right)
	b.fill("/login", "You are signed in as "+ada, "email", ada, "password", right)
}
