// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package config reads fountd's settings from flags, else the environment, else a TOML file.
package config

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"fount/cmd/internal/bytesize"
	"fount/cmd/internal/lab/show"
	"fount/cmd/internal/policytext"
	"fount/internal/loopback"
	"fount/password"
	"fount/password/legacy"
	"fount/remote"
)

// A Config holds all settings.
type Config struct {
	Socket string   // a path, or "" for none
	Listen []string // TCP addresses, HOST:PORT
	Admin  string   // a TCP address, or "" for none

	TLSCert     string // paths of PEM files
	TLSKey      string // or "credential:" and a name
	TLSClientCA string
	TLSClients  []string // names of client certificates that are let in; if empty, all

	Policy  password.Policy // without Keys, Markers and Formats
	Stored  string          // path of a file with stored hashes, one a line
	Peppers []string        // ID=FILE, the current one first; see SecretPath
	Markers bool
	Legacy  bool     // read hash formats of other software
	Forms   []string // of package legacy, also what others write with other sums

	Workers int
	Memory  int64 // bytes
	Queue   int
	MaxWait time.Duration

	MaxConns      int
	MaxHandshakes int
	Idle          time.Duration
	Drain         time.Duration

	NATS        string   // URLs separated by commas, or "" for no fleet
	NATSKeys    []string // paths of key files or "credential:" and a name, the newest first
	NATSSubject string
	NATSNKey    string // path or credential of the seed that identifies this worker to the broker
	NATSCA      string // path of a PEM file

	flags *flag.FlagSet
}

// restarts are the settings that only a restart changes.
var restarts = []string{"config", "socket", "listen", "admin", "max-conns", "max-handshakes", "idle-timeout", "nats", "nats-subject", "nats-nkey", "nats-ca"}

// Socket is the default path of fountd's socket, which clients use too.
const Socket = "/run/fountd/fountd.sock"

// newConfig returns a Config of defaults, with the flags that change it.
func newConfig() *Config {
	f := flag.NewFlagSet("fountd", flag.ContinueOnError)
	c := &Config{
		Policy: password.Default(),
		Idle:   2 * time.Minute,
		Drain:  10 * time.Second,
		flags:  f,
	}
	duration := func(to *time.Duration) flag.Value { return &parsed[time.Duration]{to, time.ParseDuration, nil} }
	f.SetOutput(io.Discard)
	f.String("config", "", "read settings from a TOML `FILE`; fountd config prints one")

	f.StringVar(&c.Socket, "socket", Socket, "serve on a Unix socket of mode 0660 at `PATH`; empty: on none")
	f.Var(&list{to: &c.Listen}, "listen", "serve on TCP too, at `HOST:PORT`; beyond loopback with TLS only; repeat for more")
	f.StringVar(&c.Admin, "admin", "", "serve health and metrics alone on TCP, at `HOST:PORT` of loopback")
	f.StringVar(&c.TLSCert, "tls-cert", "", "the server's certificate and its chain, in PEM, from `FILE`")
	f.StringVar(&c.TLSKey, "tls-key", "", "its private key, from `FILE` of mode 0600, or credential:NAME")
	f.StringVar(&c.TLSClientCA, "tls-client-ca", "", "the authorities whose client certificates are let in, from `FILE`")
	f.Var(&list{to: &c.TLSClients}, "tls-client", "of those, let in the one with a certificate for `NAME`, a SAN; repeat for more")
	f.Var(&parsed[password.Policy]{&c.Policy, policytext.Parse, policytext.Of}, "policy", "how new hashes are made, a `POLICY` as argon2id,m=65536,t=3,p=1 or bcrypt,cost=12")
	f.StringVar(&c.Stored, "stored", "", "for equal time, one stored hash of each frequent form and cost, the most frequent first, a line each, from `FILE`")
	f.Var(&list{to: &c.Peppers, check: checkPepper}, "pepper", "`ID=FILE`: a pepper in base64, mode 0600, or ID=credential:NAME; the first makes new hashes, others verify")
	f.BoolVar(&c.Markers, "markers", false, "take stored strings that begin with ! or * for accounts without a password")
	f.BoolVar(&c.Legacy, "legacy", true, "verify hashes in the forms of other makers too: Django, PHP, crypt(3), Spring, LDAP, ASP.NET")
	f.Var(&list{to: &c.Forms, check: checkForm}, "form", "verify hashes that several programs write alike as `FORM` made them, as django or joomla; repeat for more")

	f.IntVar(&c.Workers, "workers", 0, "hash on `N` cores at most; 0: all, or the CPU quota")
	f.Var(&parsed[int64]{&c.Memory, bytesize.Parse, nil}, "memory", "hold at most `BYTES` in running hashes, as 512M; 0: a hash for each core, at least 256M")
	f.IntVar(&c.Queue, "queue", password.DefaultQueue, "let at most `N` calls wait")
	f.Var(duration(&c.MaxWait), "max-wait", "let no call wait for its hash to begin longer than a `DURATION`; 0: than five full batches take, more where times vary, at least 300ms")

	f.IntVar(&c.MaxConns, "max-conns", 4096, "hold at most `N` connections of each listener, some 45 KiB each with TLS; further clients wait")
	f.IntVar(&c.MaxHandshakes, "max-handshakes", 1024, "hold at most `N` TLS connections of each listener before their certificate is verified; then networks with most lose their oldest")
	f.Var(duration(&c.Idle), "idle-timeout", "close a connection that is idle for a `DURATION`")
	f.Var(duration(&c.Drain), "drain", "at SIGTERM, let calls in progress end for a `DURATION`")

	f.StringVar(&c.NATS, "nats", "", "join a fleet at the NATS broker of a `URL`, commas between several")
	f.Var(&list{to: &c.NATSKeys}, "nats-key", "a fleet's key, from `FILE` of mode 0600, or credential:NAME; see fountd key; repeat for more")
	f.StringVar(&c.NATSSubject, "nats-subject", remote.DefaultSubject, "the first words of the fleet's subjects, `SUBJECT`")
	f.StringVar(&c.NATSNKey, "nats-nkey", "", "the seed of this worker's nkey, from `FILE` of mode 0600, or credential:NAME")
	f.StringVar(&c.NATSCA, "nats-ca", "", "the authorities of the broker's certificate, in PEM from `FILE`, in place of the system's")
	return c
}

// Load reads the settings. Its error is one line.
func Load(args []string) (*Config, error) {
	c := newConfig()
	if err := c.flags.Parse(args); err != nil {
		return nil, err
	}
	if c.flags.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %.100q; want flags, see fountd help", c.flags.Arg(0))
	}

	// All run, in this order, as each sets only what those before it have not. The first error counts.
	return c, cmp.Or(c.readEnvironment(c.given()), c.readFile(c.given()), c.check())
}

// given returns the names of the settings that have been set.
func (c *Config) given() map[string]bool {
	given := map[string]bool{}
	c.flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	return given
}

func (c *Config) readEnvironment(given map[string]bool) (err error) {
	c.flags.VisitAll(func(f *flag.Flag) {
		variable := "FOUNTD_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value, ok := os.LookupEnv(variable)
		if !ok || given[f.Name] || err != nil {
			return
		}
		if err = c.flags.Set(f.Name, value); err != nil {
			err = fmt.Errorf("%s=%.100q: %w", variable, value, err)
		}
	})
	return err
}

func (c *Config) readFile(given map[string]bool) error {
	file := c.flags.Lookup("config").Value.String()
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if len(text) == 0 { // the defaults would be other peppers and another policy
		return fmt.Errorf("%s is empty, as a full disk leaves it; want settings, or a comment for the defaults", file)
	}

	var keys map[string]any
	if err := toml.Unmarshal(text, &keys); err != nil {
		row := 0
		if syntax, ok := errors.AsType[*toml.DecodeError](err); ok {
			row, _ = syntax.Position()
		}
		return fmt.Errorf("%s:%d: %w", file, row, err)
	}
	for name, value := range keys {
		if c.flags.Lookup(name) == nil {
			return fmt.Errorf("%s: there is no setting %q; fountd config shows all", file, name)
		}
		if given[name] {
			continue
		}

		values, several := value.([]any)
		if !several {
			values = []any{value}
		}
		for _, v := range values {
			if err := c.flags.Set(name, fmt.Sprint(v)); err != nil {
				return fmt.Errorf("%s: %s = %.100q: %w", file, name, fmt.Sprint(v), err)
			}
		}
	}
	return nil
}

// check checks ranges, and settings that depend on each other.
func (c *Config) check() error {
	if err := c.Policy.Check(""); err != nil {
		return fmt.Errorf("policy: %w", err)
	}
	err := cmp.Or(
		within("workers", c.Workers, 0, 1<<16),
		within("queue", c.Queue, 1, 1<<20),
		within("max-wait", c.MaxWait, 0, time.Hour),
		within("max-conns", c.MaxConns, 1, 1<<20),
		within("max-handshakes", c.MaxHandshakes, 1, 1<<14),
		within("idle-timeout", c.Idle, time.Second, 24*time.Hour),
		within("drain", c.Drain, 0, time.Hour),
	)
	return cmp.Or(err, c.checkPeppers(), c.checkListeners(), c.checkNATS())
}

// checkPeppers finds an ID that two have before a restart does, which would end fountd.
func (c *Config) checkPeppers() error {
	ids := map[string]bool{}
	for _, pepper := range c.Peppers {
		id, _, _ := strings.Cut(pepper, "=")
		if ids[id] {
			return fmt.Errorf("pepper: two have the ID %q; want each once", id)
		}
		ids[id] = true
	}
	return nil
}

func within[T cmp.Ordered](name string, value, from, to T) error {
	if value < from || value > to {
		return fmt.Errorf("%s: %v; want %v to %v", name, value, from, to)
	}
	return nil
}

func (c *Config) checkListeners() error {
	switch {
	case (c.TLSCert == "") != (c.TLSKey == ""):
		return errors.New("tls-cert and tls-key belong together: want both or none")
	case len(c.TLSClients) > 0 && c.TLSClientCA == "":
		return errors.New("tls-client needs tls-client-ca")
	case c.TLSClientCA != "" && c.TLSCert == "":
		return errors.New("tls-client-ca needs tls-cert and tls-key")
	}

	if host, _, err := net.SplitHostPort(c.Admin); c.Admin != "" && (err != nil || !loopback.Is(host)) {
		return fmt.Errorf("admin: %q is no address of loopback; want HOST:PORT, as 127.0.0.1:9464", c.Admin)
	}

	for _, address := range c.Listen {
		host, port, err := net.SplitHostPort(address)
		if err != nil || port == "" {
			return fmt.Errorf("listen: %q is not an address; want HOST:PORT, as 127.0.0.1:8080", address)
		}
		if c.TLSClientCA == "" && !loopback.Is(host) {
			return fmt.Errorf("listen: %q is beyond loopback, where passwords would travel in clear: "+
				"give --tls-cert, --tls-key and --tls-client-ca, or listen on 127.0.0.1:%s", address, port)
		}
	}
	return nil
}

var subject = regexp.MustCompile(`^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$`)

func (c *Config) checkNATS() error {
	switch {
	case c.NATS == "" && (len(c.NATSKeys) > 0 || c.NATSNKey+c.NATSCA != ""):
		return errors.New("nats-key, nats-nkey and nats-ca need nats")
	case c.NATS == "":
		return nil
	case len(c.NATSKeys) == 0:
		return errors.New("nats: a worker needs the fleet's key: make one with fountd key new FILE, and give --nats-key FILE")
	case !subject.MatchString(c.NATSSubject):
		return fmt.Errorf("nats-subject: %q is no subject; want words of letters, digits, - and _ with points between, as fount.v1", c.NATSSubject)
	}

	for address := range strings.SplitSeq(c.NATS, ",") {
		u, err := url.Parse(address)
		isBroker := err == nil && (u.Scheme == "nats" || u.Scheme == "tls") && u.Hostname() != ""
		if !isBroker {
			address = address[strings.LastIndexByte(address, '@')+1:] // never show the password before it
			return fmt.Errorf("nats: %q is no broker; want nats://HOST:PORT or tls://HOST:PORT", address)
		}
		if u.User != nil { // command lines and logs would show it
			return fmt.Errorf("nats: the URL of %s holds a user; give --nats-nkey, which nobody can see", u.Host)
		}
	}
	return nil
}

// Changed returns the settings in which c and d differ: live can change now, restart can't.
func (c *Config) Changed(d *Config) (live, restart []string) {
	c.flags.VisitAll(func(f *flag.Flag) {
		switch {
		case f.Value.String() == d.flags.Lookup(f.Name).Value.String():
		case slices.Contains(restarts, f.Name):
			restart = append(restart, f.Name)
		default:
			live = append(live, f.Name)
		}
	})
	return live, restart
}

// Show writes all settings as a TOML file.
func (c *Config) Show(w io.Writer) error {
	all := map[string]any{}
	c.flags.VisitAll(func(f *flag.Flag) {
		if f.Name != "config" {
			all[f.Name] = f.Value.(flag.Getter).Get()
		}
	})
	return toml.NewEncoder(w).Encode(all)
}

// Flags returns the help text of the flags, in lines of at most width columns.
func Flags(width int) string {
	var b strings.Builder
	newConfig().flags.VisitAll(func(f *flag.Flag) {
		placeholder, usage := flag.UnquoteUsage(f)
		if !slices.Contains([]string{"", "0", "0s", "false"}, f.DefValue) {
			usage += " (default " + f.DefValue + ")"
		}

		b.WriteString(HelpRow("-"+f.Name+" "+placeholder, usage, width))
	})
	return b.String()
}

// HelpRow returns a row of the help text: what can be written, and its meaning beside it or, if
// width leaves no room for that, behind it.
func HelpRow(written, meaning string, width int) string {
	name := "  " + strings.TrimSpace(written)
	if width < 60 {
		return show.Paragraph(meaning, width, name+"  ", "      ")
	}
	return show.Row(name, meaning, 26, width)
}

// A parsed is the value of a flag with its own parser.
type parsed[T any] struct {
	to    *T
	parse func(string) (T, error)
	text  func(T) string // if nil, fmt.Sprint
}

func (v *parsed[T]) Set(s string) (err error) {
	*v.to, err = v.parse(s)
	return err
}

func (v *parsed[T]) String() string {
	switch {
	case v.to == nil: // package flag wants the text of a zero value
		return ""
	case v.text != nil:
		return v.text(*v.to)
	}
	return fmt.Sprint(*v.to)
}

// Get returns the value for the TOML file.
func (v *parsed[T]) Get() any { return v.String() }

// A list is the value of a flag that is given several times, with spaces, or as an array in TOML.
type list struct {
	to    *[]string
	check func(word string) error // may be nil
}

func (v *list) Set(s string) error {
	for word := range strings.FieldsSeq(s) {
		if v.check != nil {
			if err := v.check(word); err != nil {
				return err
			}
		}
		*v.to = append(*v.to, word)
	}
	return nil
}

func (v *list) String() string {
	if v.to == nil { // package flag wants the text of a zero value
		return ""
	}
	return strings.Join(*v.to, " ")
}

// Get returns the value for the TOML file.
func (v *list) Get() any { return slices.Concat([]string{}, *v.to) }

func checkForm(name string) error {
	_, err := legacy.Form(name)
	return err
}

func checkPepper(s string) error {
	id, file, _ := strings.Cut(s, "=")
	if id == "" || file == "" {
		return errors.New("want ID=FILE, as 2026-11=/etc/fountd/2026-11.pepper")
	}
	return nil
}
