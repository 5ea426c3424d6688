// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// Mails: by SMTP, or into a file, apart from the requests that ask for them, and in no order: of two
// links that a user asks for at once the last made works, whichever mail comes last.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/wneessen/go-mail"
)

// mailTime is how long one may take.
const mailTime = 10 * time.Second

// A message is a mail to a user.
type message struct{ to, subject, text string }

// An outbox sends a message.
type outbox interface {
	send(context.Context, message) error
}

// openOutbox returns the outbox that the flags ask for. A file of links that set passwords is for
// trying the service on one's own machine.
func openOutbox(c config) (outbox, error) {
	if c.smtp != "" {
		return newRelay(c.smtp, c.from)
	}
	if host, _, err := net.SplitHostPort(c.listen); err != nil || !loopback(host) {
		return nil, fmt.Errorf("--listen is %q and there is no --smtp; want one, as mails go to a file on loopback only", c.listen)
	}
	return mailFile(c.outbox), nil
}

func loopback(host string) bool { return host == "localhost" || net.ParseIP(host).IsLoopback() }

// A mailFile is a file's name.
type mailFile string

func (f mailFile) send(_ context.Context, m message) error {
	file, err := os.OpenFile(string(f), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(file, "To: %s\nSubject: %s\n\n%s\n\n", m.to, m.subject, m.text)
	return errors.Join(err, file.Close())
}

// A relay is a mail server. Unless it is on this machine it must offer TLS.
type relay struct {
	client *mail.Client
	from   string
}

func newRelay(address, from string) (relay, error) {
	host, port, err := net.SplitHostPort(address)
	number, bad := strconv.Atoi(port)
	if err != nil || bad != nil {
		return relay{}, fmt.Errorf("--smtp is %q; want a host and a port, such as smtp.example.org:587", address)
	}
	if err := mail.NewMsg().From(from); err != nil {
		return relay{}, fmt.Errorf("--from is %q; want the address that mails come from", from)
	}
	options := []mail.Option{mail.WithPort(number), mail.WithTimeout(mailTime)}
	if loopback(host) {
		options = append(options, mail.WithTLSPolicy(mail.TLSOpportunistic))
	}
	if name := os.Getenv("SMTP_USER"); name != "" {
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover),
			mail.WithUsername(name), mail.WithPassword(os.Getenv("SMTP_PASSWORD")))
	}
	client, err := mail.NewClient(host, options...)
	return relay{client, from}, err
}

func (r relay) send(ctx context.Context, m message) error {
	letter := mail.NewMsg()
	if err := cmp.Or(letter.From(r.from), letter.To(m.to)); err != nil {
		return err
	}
	letter.Subject(m.subject)
	letter.SetBodyString(mail.TypeTextPlain, m.text)
	return r.client.DialAndSendWithContext(ctx, letter)
}

// A mailer does what ends in a mail, apart from the requests that ask for it, which never wait.
type mailer struct {
	outbox
	slots chan struct{} // one for each that is being sent
}

func newMailer(o outbox) *mailer { return &mailer{o, make(chan struct{}, 32)} }

// later has a job done, which may find that there is nothing to send, and reports whether there
// was room for it.
func (m *mailer) later(job func(context.Context) error) bool {
	select {
	case m.slots <- struct{}{}:
	default:
		return false
	}
	go func() {
		defer func() { <-m.slots }()
		ctx, cancel := context.WithTimeout(context.Background(), mailTime)
		defer cancel()
		if err := job(ctx); err != nil {
			slog.Error("login: no mail was sent", "error", err)
		}
	}()
	return true
}

// close waits for the mails that were asked for, until ctx is done: then its error says how many
// are given up. There is no room for more.
func (m *mailer) close(ctx context.Context) error {
	for taken := range cap(m.slots) {
		select {
		case m.slots <- struct{}{}:
		case <-ctx.Done():
			return fmt.Errorf("the outbox is too slow: %d mails were given up: %w", cap(m.slots)-taken, ctx.Err())
		}
	}
	return nil
}
