// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// Mails are sent apart from the requests that ask for them, and in no order. Of two links for the
// same user, only the newer works, whichever mail comes first.

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

// mailTime is how long each step of sending a mail may take.
const mailTime = 10 * time.Second

// A message is a mail to a user.
type message struct{ to, subject, text string }

// An outbox sends a message. Many goroutines may call it.
type outbox func(context.Context, message) error

// openOutbox returns the outbox that the flags ask for. Mails hold links that set passwords, so a
// file of them, beside the database, is only for trying the service on one's own machine.
func openOutbox(c config) (outbox, error) {
	if c.smtp != "" {
		return smtpOutbox(c.smtp, c.from)
	}
	if host, _, err := net.SplitHostPort(c.listen); err != nil || !loopback(host) {
		return nil, fmt.Errorf("--listen is %q, which is not loopback; want --smtp for mails", c.listen)
	}
	return func(_ context.Context, m message) error {
		file, err := os.OpenFile(c.database+".mail", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(file, "To: %s\nSubject: %s\n\n%s\n\n", m.to, m.subject, m.text)
		return errors.Join(err, file.Close())
	}, nil
}

func loopback(host string) bool { return host == "localhost" || net.ParseIP(host).IsLoopback() }

// smtpOutbox sends by a mail server, which must offer TLS unless it is on this machine.
func smtpOutbox(address, from string) (outbox, error) {
	host, port, err := net.SplitHostPort(address)
	number, bad := strconv.Atoi(port)
	if err != nil || bad != nil {
		return nil, fmt.Errorf("--smtp is %q; want a host and a port, such as smtp.example.org:587", address)
	}
	if err := mail.NewMsg().From(from); err != nil {
		return nil, fmt.Errorf("--from is %q; want the address that mails come from", from)
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
	return func(ctx context.Context, m message) error {
		letter := mail.NewMsg()
		if err := cmp.Or(letter.From(from), letter.To(m.to)); err != nil {
			return err
		}
		letter.Subject(m.subject)
		letter.SetBodyString(mail.TypeTextPlain, m.text)
		return client.DialAndSendWithContext(ctx, letter)
	}, err
}

// A mailer runs jobs that end in a mail.
type mailer struct {
	send  outbox
	slots chan struct{} // holds one value for each job under way
}

// later starts a job and reports whether there was room for it. It never waits.
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
			slog.Error("no mail was sent", "error", err)
		}
	}()
	return true
}

// close refuses new jobs and waits for those under way, for mailTime at most.
func (m *mailer) close() {
	late := time.After(mailTime)
	for range cap(m.slots) {
		select {
		case m.slots <- struct{}{}:
		case <-late:
			slog.Error("mails were given up: the outbox is too slow")
			return
		}
	}
}
