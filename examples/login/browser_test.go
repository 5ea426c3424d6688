// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix && chromium

package main

// The pages as a browser shows them: Chromium, without a screen. The build tag keeps the 60 packages of its protocol out of every other build
// of the tests: FOUNT_LONG=1 go test -tags chromium -run Browser ./examples/login

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"fount/internal/test/require"
	"fount/password"
	"fount/password/passwordtest"
)

// A browser is a tab with cookies of its own.
type browser struct {
	context.Context
	t *testing.T
}

// chromium starts the browser, which ends with the test.
func chromium(t *testing.T) context.Context {
	t.Helper()
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: a browser takes 20 s to go through the pages")
	}
	path, err := exec.LookPath("chromium")
	if err != nil {
		require.Skip(t, "chromium", "chromium is not installed")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.UserDataDir(t.TempDir()))
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute) // only if it hangs; t.Context would end before it can close
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { chromedp.Cancel(ctx) })
	return ctx
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// get returns what an action gives.
func get[T any](b *browser, a chromedp.Action[T]) T {
	b.t.Helper()
	v, err := chromedp.Run(b, a)
	if err != nil {
		b.t.Fatal(err)
	}
	return v
}

// command is a command of the browser's protocol.
func command[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

// fill types into the form that is sent to a path, by the names of its fields, sends it, and wants a text on the page that
// comes.
func (b *browser) fill(path, want string, pairs ...string) {
	b.t.Helper()
	in := `form[action="` + path + `"] `
	for i := 0; i < len(pairs); i += 2 {
		field := in + `[name="` + pairs[i] + `"]`
		get(b, chromedp.Evaluate[string]("document.querySelector(`"+field+"`).value = ''"))
		b.do(chromedp.SendKeys(chromedp.CSS(field), pairs[i+1]))
	}
	if _, err := chromedp.RunResponse(b, chromedp.Click(chromedp.CSS(in+"button"))); err != nil {
		b.t.Fatal(err)
	}
	if text := get(b, chromedp.Evaluate[string]("document.body.innerText")); !strings.Contains(text, want) {
		b.t.Fatalf("the page does not say %q: %q", want, text)
	}
}

// looked looks at the page on a telephone and on a wide screen, light and dark: it is no wider than the window, and dark mode is dark. FOUNT_SCREENSHOTS,
// a folder, keeps the pictures.
func (b *browser) looked(name string) {
	b.t.Helper()
	for _, width := range []int64{390, 1200} {
		for _, scheme := range []string{"light", "dark"} {
			b.do(chromedp.EmulateViewport(width, 800), command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}))
			seen := get(b, chromedp.Evaluate[struct {
				Page int64
				Dark bool
			}](`(() => { const of = what => getComputedStyle(document.body)[what].match(/\d+/g).reduce((a, b) => a + Number(b), 0)
				return { Page: document.documentElement.scrollWidth, Dark: of("backgroundColor") < of("color") } })()`))
			if seen.Page > width {
				b.t.Errorf("%s is %d pixels wide in a window of %d", name, seen.Page, width)
			}
			if dark := scheme == "dark"; seen.Dark != dark {
				b.t.Errorf("%s, %s: dark is %v", name, scheme, seen.Dark)
			}
			if dir := os.Getenv("FOUNT_SCREENSHOTS"); dir != "" {
				b.do(chromedp.Sleep(300 * time.Millisecond))
				picture := get(b, chromedp.FullScreenshot(100))
				file := filepath.Join(dir, name+"-"+strconv.FormatInt(width, 10)+"-"+scheme+".png")
				if err := os.WriteFile(file, picture, 0o644); err != nil {
					b.t.Error(err)
				}
			}
		}
	}
}

// A person registers, changes the password, is refused in an overload, gets in after the time that the page named, and forgets the
// password; with script and without.
func TestBrowser(t *testing.T) {
	all := chromium(t)
	for name, without := range map[string]bool{"script": false, "no script": true} {
		t.Run(name, func(t *testing.T) {
			pool := passwordtest.NewPool(t, password.Options{})
			s := startWith(t, pool, "http://login.example")
			home := strings.Replace(s.URL, "127.0.0.1", "localhost", 1) // to which browsers send the cookie over plain HTTP
			ctx, cancel := chromedp.NewContext(all, chromedp.WithNewBrowserContext())
			defer cancel()
			b := &browser{ctx, t}
			b.do(command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: without}), chromedp.Navigate(home+"/register"))
			b.looked("register")
			b.fill("/register", "Your address is no password", "email", ada, "password", ada)
			b.looked("wrong")
			b.fill("/register", "You are signed in as "+ada, "email", ada, "password", right)
			b.looked("account")
			b.fill("/password", "The address or the password is not right.", "password", better, "new", better)
			b.fill("/password", "Your password was changed.", "password", right, "new", better)
			<-s.inbox
			b.fill("/logout", "I forgot my password")

			pool.Fail(password.OverloadedError{After: 1500 * time.Millisecond})
			b.fill("/login", "Very many people are signing in. Please try again in 2 seconds.", "email", ada, "password", better)
			time.AfterFunc(1500*time.Millisecond, func() { pool.Fail(nil) })
			b.looked("refused")
			time.Sleep(2 * time.Second)
			b.fill("/login", "You are signed in as "+ada, "password", better) // the address is there still
			b.fill("/logout", "I forgot my password")

			b.do(chromedp.Navigate(home + "/forgot"))
			b.looked("forgot")
			b.fill("/forgot", "a mail is on its way", "email", ada)
			b.looked("sent")
			_, token, _ := strings.Cut((<-s.inbox).text, "token=")
			b.do(chromedp.Navigate(home + "/reset?token=" + strings.Fields(token)[0]))
			b.looked("reset")
			b.fill("/reset", "Sign in", "new", right)
			b.fill("/login", "You are signed in as "+ada, "email", ada, "password", right)
		})
	}
}
