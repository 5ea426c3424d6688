// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package config reads what fountd is to do, from flags, the environment and one TOML file, in this order of precedence.
// Each value knows where it comes from.
package config

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"fount/internal/policytext"
	"fount/password"
	"fount/password/legacy"
	"fount/remote"
)

// A Config is everything that can be set. Settings names its fields for users.
type Config struct {
	File string // where the others may come from

	Socket      string   // a path; "": none
	Listen      []string // TCP addresses, HOST:PORT
	TLSCert     string   // paths of PEM files
	TLSKey      string
	TLSClientCA string

	Policy  password.Policy // without Keys, Markers and Formats
	Samples []string        // password.Options.Stored
	Peppers []Pepper        // the current one first
	Markers bool
	Legacy  bool // read the forms of other makers

	Workers int
	Memory  int64 // bytes
	Queue   int
	MaxWait time.Duration

	MaxConns  int
	Idle      time.Duration
	Drain     time.Duration
	AccessLog bool

	NATS        string   // URLs with commas; "": no fleet
	NATSKeys    []string // places of key files, the newest first
	NATSSubject string
	NATSNKey    string // places of what the broker knows this worker by
	NATSCreds   string
	NATSCA      string // path of a PEM file

	settings []setting
	origins  map[string]string
}

// A Pepper names a key of stored hashes, and where its secret lies.
type Pepper struct {
	ID   string
	File string // a path, or "credential:" and the name of a systemd credential
}

// The usual values of what must have one.
const (
	usualConns = 16384
	usualIdle  = 2 * time.Minute
	usualDrain = 10 * time.Second
)

// usual is a Config that nobody has set anything of.
func usual() *Config {
	c := &Config{
		Socket: Socket(os.Getenv), Policy: password.Default(), Legacy: true,
		Queue: password.DefaultQueue, MaxWait: password.DefaultMaxWait,
		MaxConns: usualConns, Idle: usualIdle, Drain: usualDrain,
		NATSSubject: remote.DefaultSubject,
		origins:     map[string]string{},
	}
	c.settings = c.table()
	return c
}

// Socket is where fountd listens unless it is told otherwise, and where its clients find it.
func Socket(getenv func(string) string) string {
	if dir := getenv("XDG_RUNTIME_DIR"); dir != "" {
		return dir + "/fountd/fountd.sock"
	}
	return "/run/fountd/fountd.sock"
}

// table has all settings, in the order in which they are shown.
func (c *Config) table() []setting {
	return []setting{
		{"socket", "PATH", "serve on a Unix socket of mode 0660; empty: on none", false, &text{&c.Socket}},
		{"listen", "ADDRESS", "serve on TCP too, as 127.0.0.1:8080; beyond loopback with TLS only; repeat for more", false, &list[string]{&c.Listen, anyText}},
		{"tls-cert", "FILE", "the server's certificate and its chain, in PEM", true, &text{&c.TLSCert}},
		{"tls-key", "FILE", "its private key", true, &text{&c.TLSKey}},
		{"tls-client-ca", "FILE", "the authorities whose client certificates are let in", true, &text{&c.TLSClientCA}},

		{"policy", "POLICY", "how new hashes are made, as argon2id,m=65536,t=3,p=1 or bcrypt,cost=12", true, &one[password.Policy]{&c.Policy, policy}},
		{"sample", "HASH", "a stored hash, or one like it, for equal time; one of each form and cost, repeat for more", true, &list[string]{&c.Samples, sample}},
		{"pepper", "ID=FILE", "a pepper in base64, mode 0600, or ID=credential:NAME; the first makes new hashes, others verify", true, &list[Pepper]{&c.Peppers, pepper}},
		{"markers", "", "take stored strings that begin with ! or * for accounts without a password", true, &truth{&c.Markers}},
		{"legacy", "", "verify hashes in the forms of other makers too: Django, PHP, crypt(3), Spring, LDAP, ASP.NET", true, &truth{&c.Legacy}},

		{"workers", "N", "hash on N cores at most; 0: all, or the CPU quota", true, &one[int]{&c.Workers, count(0, 1<<16)}},
		{"memory", "BYTES", "hold at most that much in running hashes, as 512M; 0: a hash for each core, at least 256M", true, &one[int64]{&c.Memory, size}},
		{"queue", "N", "let at most N calls wait", true, &one[int]{&c.Queue, count(1, 1<<20)}},
		{"max-wait", "DURATION", "let no call wait longer for its hash to begin", true, &one[time.Duration]{&c.MaxWait, duration(time.Millisecond, time.Hour)}},

		{"max-conns", "N", "hold at most N connections of each listener; further clients wait", false, &one[int]{&c.MaxConns, count(1, 1<<20)}},
		{"idle-timeout", "DURATION", "close a connection that is idle for so long", false, &one[time.Duration]{&c.Idle, duration(time.Second, 24*time.Hour)}},
		{"drain", "DURATION", "at SIGTERM, let calls in progress end for so long", true, &one[time.Duration]{&c.Drain, duration(0, time.Hour)}},
		{"access-log", "", "log a line for each request, without password, hash and principal", true, &truth{&c.AccessLog}},

		{"nats", "URL", "join a fleet at this NATS broker, commas between several", false, &text{&c.NATS}},
		{"nats-key", "FILE", "a fleet's key, mode 0600, or credential:NAME; see fountd key; repeat for more", true, &list[string]{&c.NATSKeys, anyText}},
		{"nats-subject", "SUBJECT", "the first words of the fleet's subjects", false, &text{&c.NATSSubject}},
		{"nats-nkey", "FILE", "the seed of this worker's nkey, mode 0600, or credential:NAME", false, &text{&c.NATSNKey}},
		{"nats-creds", "FILE", "in its place, a credentials file, mode 0600, or credential:NAME", false, &text{&c.NATSCreds}},
		{"nats-ca", "FILE", "the authorities of the broker's certificate, in PEM, in place of the system's", false, &text{&c.NATSCA}},
	}
}

// Variable is the environment variable of a setting.
func Variable(name string) string {
	return "FOUNTD_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// Load reads the flags in args, then what they leave open from the environment, then from the file. Its error is one line
// that says where the fault is.
func Load(args []string, environ []string) (*Config, error) {
	c := usual()
	if err := c.readFlags(args); err != nil {
		return nil, err
	}
	env := map[string]string{}
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	if file, ok := env[Variable("config")]; ok && c.File == "" {
		c.File = file
	}
	for _, s := range c.settings {
		if v, ok := env[Variable(s.name)]; ok && c.origins[s.name] == "" {
			if err := s.value.set(v); err != nil {
				return nil, fmt.Errorf("%s: %w", Variable(s.name), err)
			}
			c.origins[s.name] = "environment " + Variable(s.name)
		}
	}
	if c.File != "" {
		if err := c.readFile(); err != nil {
			return nil, err
		}
	}
	return c, c.check()
}

func (c *Config) readFlags(args []string) error {
	flags := flag.NewFlagSet("fountd", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	flags.StringVar(&c.File, "config", "", "")
	given := map[string]bool{}
	var bad error // package flag's own repeats the value, which may be a hash
	for _, s := range c.settings {
		take := func(v string) error {
			if !given[s.name] {
				s.value.clear()
			}
			given[s.name], c.origins[s.name] = true, "flag --"+s.name
			if err := s.value.add(v); err != nil {
				bad = fmt.Errorf("--%s: %w", s.name, err)
			}
			return bad
		}
		if _, ok := s.value.(*truth); ok {
			flags.BoolFunc(s.name, "", take)
		} else {
			flags.Func(s.name, "", take)
		}
	}
	if err := flags.Parse(args); err != nil {
		if _, name, _ := strings.Cut(err.Error(), ": -"); bad == nil && MayBeHash(name) {
			return errors.New("unknown flag; want --sample before each hash, see fountd help")
		}
		return cmp.Or(bad, err)
	}
	switch {
	case flags.NArg() == 0:
	case given["sample"], MayBeHash(flags.Arg(0)):
		return errors.New("unexpected argument; want flags, with --sample before each hash, see fountd help")
	default:
		return fmt.Errorf("unexpected argument %q; want flags, see fountd help", flags.Arg(0))
	}
	return nil
}

// MayBeHash reports whether what stands in another's place may be a stored hash, which no error repeats, as of a policy.
func MayBeHash(s string) bool {
	return strings.ContainsAny(s, "${") || len(s) >= 32 || strings.HasSuffix(s, "=")
}

func (c *Config) readFile() error {
	content, err := ReadFile(c.File)
	if err != nil {
		return err
	}
	keys := map[string]any{}
	if err := toml.Unmarshal(content, &keys); err != nil {
		if syntax, ok := errors.AsType[*toml.DecodeError](err); ok {
			row, column := syntax.Position()
			return fmt.Errorf("%s:%d:%d: %w", c.File, row, column, err)
		}
		return fmt.Errorf("%s: %w", c.File, err)
	}
	for _, s := range c.settings {
		v, ok := keys[s.name]
		delete(keys, s.name)
		if !ok || c.origins[s.name] != "" {
			continue
		}
		if err := s.value.take(v); err != nil {
			return fmt.Errorf("%s: %s: %w", c.File, s.name, err)
		}
		c.origins[s.name] = "file " + c.File
	}
	for name := range keys {
		return fmt.Errorf("%s: there is no setting %q; fountd config shows all", c.File, name)
	}
	return nil
}

// check finds what no setting can find alone.
func (c *Config) check() error {
	if err := c.Policy.Check(""); err != nil {
		return fmt.Errorf("policy: %w", err)
	}
	if (c.TLSCert == "") != (c.TLSKey == "") {
		return errors.New("tls-cert and tls-key belong together: want both or none")
	}
	if c.TLSClientCA != "" && c.TLSCert == "" {
		return errors.New("tls-client-ca is of use with tls-cert and tls-key only")
	}
	for _, address := range c.Listen {
		if err := checkAddress(address, c.TLSCert != "" && c.TLSClientCA != ""); err != nil {
			return fmt.Errorf("listen: %w", err)
		}
	}
	if !c.Legacy && slices.ContainsFunc(c.Samples, isForeign) {
		return errors.New("a sample of another maker's form is of use with legacy only")
	}
	for i, p := range c.Peppers {
		if slices.ContainsFunc(c.Peppers[:i], func(q Pepper) bool { return q.ID == p.ID }) {
			return fmt.Errorf("pepper: two have the ID %q; want each once", p.ID)
		}
	}
	return c.checkNATS()
}

// Changed are the settings in which c and d differ: those that a running server takes, and those that it does not.
func (c *Config) Changed(d *Config) (live, restart []string) {
	for i, s := range c.settings {
		switch other := d.settings[i]; {
		case s.value.literal() == other.value.literal():
		case s.live:
			live = append(live, s.name)
		default:
			restart = append(restart, s.name)
		}
	}
	return live, restart
}

// Show writes all settings as a TOML file, with the origin of each beside it.
func (c *Config) Show(w io.Writer) error {
	var b strings.Builder
	for _, s := range c.settings {
		origin := c.origins[s.name]
		if origin == "" {
			origin = "default"
		}
		fmt.Fprintf(&b, "%-40s # %s\n", s.name+" = "+s.value.literal(), origin)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Flags describes the flags, one a line.
func Flags() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %-26s %s\n", "--config FILE", "read settings from a TOML file; fountd config prints one")
	for _, s := range usual().settings {
		usage := "--" + s.name
		if s.arg != "" {
			usage += " " + s.arg
		}
		if literal := s.value.literal(); literal != `""` && literal != "[]" && literal != "false" && literal != "0" {
			fmt.Fprintf(&b, "  %-26s %s (%s)\n", usage, s.help, strings.Trim(literal, `"`))
		} else {
			fmt.Fprintf(&b, "  %-26s %s\n", usage, s.help)
		}
	}
	return b.String()
}

// policy reads a policy that is fit to use.
func policy(s string) (password.Policy, error) {
	p, err := policytext.Parse(s)
	if err == nil {
		if err = p.Check(""); err != nil {
			err = fmt.Errorf("%.100q: %w", s, err)
		}
	}
	return p, err
}

// isForeign reports whether fount reads the sample with formats of other makers alone.
func isForeign(sample string) bool {
	_, err := password.Inspect(sample)
	return err != nil
}

// sample reads a stored hash. Its error does not repeat it.
func sample(s string) (string, error) {
	if _, err := (password.Policy{Formats: legacy.All()}).Inspect(s); err != nil {
		return "", err
	}
	return s, nil
}

func pepper(s string) (Pepper, error) {
	id, file, ok := strings.Cut(s, "=")
	if !ok || id == "" || file == "" {
		return Pepper{}, fmt.Errorf("%q is not a pepper; want ID=FILE, as 2026-11=/etc/fountd/2026-11.pepper", s)
	}
	return Pepper{id, file}, nil
}

// Given reports whether a setting has been set.
func (c *Config) Given(name string) bool { return c.origins[name] != "" }
