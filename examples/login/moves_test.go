// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// A store of Django's and PHP's users moves by sign-ins.

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"fount/examples/login/internal/hashing"
	"fount/examples/login/internal/store"
	"fount/password"
	"fount/password/legacy"
	"fount/password/passwordhttp"
)

// moving are the policies to which stores of testdata/moves.py move, by their costs: OWASP's, or that part of it.
var moving = map[string]password.Policy{
	"real":  password.Default(),
	"part":  {Algorithm: password.Argon2id, Memory: 19456 / 32, Iterations: 2, Parallelism: 1},
	"least": {Algorithm: password.Argon2id, Memory: 64, Iterations: 2, Parallelism: 1},
}

// readMovers reads what testdata/moves.py has printed, and returns the policy that it moves to.
func readMovers(t *testing.T, file string) (users []*mover, policy password.Policy) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(text), "\n")
	costs := regexp.MustCompile(`costs (\w+)`).FindStringSubmatch(head)
	if costs == nil || moving[costs[1]].Algorithm == 0 {
		t.Fatalf("%s begins with %q; want moves.py's line with the costs", file, head)
	}
	for line := range strings.Lines(rest) {
		field := strings.Split(strings.TrimSuffix(line, "\n"), " | ")
		if len(field) != 3 {
			t.Fatalf("%s: %q", file, line)
		}
		given, err := hex.DecodeString(field[1])
		if err != nil {
			t.Fatal(err)
		}
		n := len(users)
		users = append(users, &mover{email: fmt.Sprintf("user%d@example.org", n), from: netip.AddrFrom4([4]byte{10, 0, byte(n >> 8), byte(n)}).String(),
			original: field[2], password: given})
	}
	policy = moving[costs[1]]
	policy.Formats = legacy.All()
	return users, policy
}

// importMovers has the program's own import store the users.
func importMovers(t *testing.T, database string, users []*mover) {
	t.Helper()
	var lines strings.Builder
	for _, u := range users {
		fmt.Fprintf(&lines, "%s,%s\n", u.email, u.original)
	}
	file := filepath.Join(t.TempDir(), "users.csv")
	if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if run(t.Context(), []string{"--database", database, "import", file}, &out, &errs) != 0 || !strings.Contains(out.String(), fmt.Sprintf("imported %d users", len(users))) {
		t.Fatalf("import: %s%s", out.String(), errs.String())
	}
}

var argon2idCosts = regexp.MustCompile(`\$argon2id\$v=19\$m=(\d+),t=(\d+),`)

// dearer reports whether a stored hash takes more memory and more work than the policy's argon2id: such a one must stay. It is
// not NeedsRehash, which it judges; of these stores only argon2id is dearer, as the policies are made.
func dearer(hash string, policy password.Policy) bool {
	costs := argon2idCosts.FindStringSubmatch(hash)
	if costs == nil {
		return false
	}
	m, _ := strconv.Atoi(costs[1])
	passes, _ := strconv.Atoi(costs[2])
	return m >= policy.Memory && m*passes > policy.Memory*policy.Iterations
}

func formOf(policy password.Policy) string {
	return fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=1$", policy.Memory, policy.Iterations)
}

// A tally counts what a move came to.
type tally struct{ upgraded, stayed, changed, former int }

func (n *tally) add(m tally) {
	n.upgraded, n.stayed, n.changed, n.former = n.upgraded+m.upgraded, n.stayed+m.stayed, n.changed+m.changed, n.former+m.former
}

// prove returns what is wrong with the store after a move in which everybody has signed in.
func prove(t *testing.T, db *store.Store, users []*mover, policy password.Policy) (n tally, wrongs []string) {
	t.Helper()
	var mu sync.Mutex
	var all sync.WaitGroup
	next := make(chan *mover)
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for u := range next {
				stored, err := db.ByEmail(t.Context(), u.email)
				if err != nil {
					t.Error(err)
				}
				one, wrong := u.judge(stored.Hash, policy)
				mu.Lock()
				n.add(one)
				wrongs = append(wrongs, wrong...)
				mu.Unlock()
			}
		})
	}
	for _, u := range users {
		next <- u
	}
	close(next)
	all.Wait()
	return n, wrongs
}

// judge returns what became of a user whose hash is now that, and what is wrong with it.
func (u *mover) judge(now string, policy password.Policy) (n tally, wrongs []string) {
	found := func(format string, a ...any) { wrongs = append(wrongs, u.email+": "+fmt.Sprintf(format, a...)) }
	if _, err := password.Verify(policy, u.password, now); err != nil {
		found("locked out of %.24s, which was %.24s: %v", now, u.original, err)
	}
	for _, other := range append(u.others(), u.former...) {
		if _, err := password.Verify(policy, other, now); !errors.Is(err, password.ErrMismatch) {
			found("%q signs in too, with %.24s: %v", other, now, err)
		}
	}
	switch inForm := strings.HasPrefix(now, formOf(policy)); {
	case now == u.original && dearer(u.original, policy):
		n.stayed = 1
	case now == u.original:
		found("%.24s has not moved", now)
	case !inForm:
		found("%.24s is not of the policy", now)
	case len(u.former) > 0:
		n.changed, n.former = 1, len(u.former)
	case dearer(u.original, policy):
		found("%.40s was lowered to %.40s", u.original, now)
	default:
		n.upgraded = 1
	}
	return n, wrongs
}

// A held hasher refuses some calls, as an overload would, and holds the upgrades of some clients until they are released.
type held struct {
	hashing.Hasher
	mu       sync.Mutex
	calls    int
	upgrades map[string]*upgradeGate // by principal
}

// An upgradeGate closes begun when an upgrade has been hashed, and lets it go on when end is closed.
type upgradeGate struct{ begun, end chan struct{} }

func (h *held) hold(principal string) *upgradeGate {
	h.mu.Lock()
	defer h.mu.Unlock()
	g := &upgradeGate{make(chan struct{}), make(chan struct{})}
	h.upgrades[principal] = g
	return g
}

// refuse reports whether to refuse this call: one of seven.
func (h *held) refuse() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls++
	return h.calls%7 == 0
}

func (h *held) Verify(ctx context.Context, login password.Login, given []byte, hash string) (password.Result, error) {
	if h.refuse() {
		return password.Result{}, password.OverloadedError{}
	}
	return h.Hasher.Verify(ctx, login, given, hash)
}

func (h *held) Hash(ctx context.Context, login password.Login, given []byte) (string, error) {
	h.mu.Lock()
	gate := h.upgrades[login.Principal]
	if login.Class == password.ClassRehash {
		delete(h.upgrades, login.Principal)
	} else {
		gate = nil
	}
	h.mu.Unlock()
	if gate == nil && h.refuse() {
		return "", password.OverloadedError{}
	}
	hash, err := h.Hasher.Hash(ctx, login, given)
	if gate != nil {
		close(gate.begun)
		<-gate.end
	}
	return hash, err
}

// A fault signs in as the service does, but for a mistake.
type fault func(ctx context.Context, m *movement, login password.Login, given []byte, u store.User) error

// A movement is a store that moves, in this process.
type movement struct {
	*movers
	hasher *held
	store  *store.Store
	policy password.Policy
	saved  sync.WaitGroup // what a fault saves
	file   string
}

// TestMoves moves a store by sign-ins, in which users come several times at once and with wrong passwords, are refused, and change their
// password while an upgrade of the former is under way. In the end none is locked out, lowered or left; and a service with a fault is found out.
func TestMoves(t *testing.T) {
	for name, broken := range map[string]fault{"as it is": nil, "upgrades without a comparison": overwriting, "upgrades all": lowering, "upgrades what bcrypt saw": cutting} {
		t.Run(name, func(t *testing.T) {
			m := startMovement(t, broken)
			m.everybody()
			m.saved.Wait()
			n, wrongs := prove(t, m.store, m.users, m.policy)
			wrongs = append(wrongs, m.wrongs()...)
			t.Logf("%+v, %d refused, %d findings", n, m.refused.Load(), len(wrongs))
			switch {
			case broken == nil && len(wrongs) > 0:
				t.Error(strings.Join(wrongs, "\n"))
			case broken == nil && (n.upgraded == 0 || n.stayed == 0 || n.changed == 0 || m.refused.Load() == 0):
				t.Error("not all happened that this test is about")
			case broken != nil && len(wrongs) == 0:
				t.Error("the fault was not found")
			}
		})
	}
}

func startMovement(t *testing.T, broken fault) *movement {
	users, policy := readMovers(t, filepath.Join("testdata", "moves.txt"))
	if broken != nil {
		users = users[:60]
	}
	file := filepath.Join(t.TempDir(), "login.db")
	importMovers(t, file, users)
	samples, err := samplesOf(func(f func(string) error) error {
		for _, u := range users {
			if err := f(u.original); err != nil {
				return err
			}
		}
		return nil
	}, policy)
	if err != nil {
		t.Fatal(err)
	}
	pool, err := password.NewPool(password.Options{Policy: policy, Samples: samples, MaxWait: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	hasher := &held{Hasher: pool, upgrades: map[string]*upgradeGate{}}
	s := startWith(t, file, hasher)
	m := &movement{movers: newMovers(users), hasher: hasher, store: s.store, policy: policy, file: file}
	m.url.Store(&s.URL)
	if broken != nil {
		server := httptest.NewServer(m.withFault(s.Config.Handler, broken))
		t.Cleanup(server.Close)
		m.url.Store(&server.URL)
	}
	return m
}

// everybody has all users sign in, some at once, until all that is to move has moved.
func (m *movement) everybody() {
	var all sync.WaitGroup
	next := make(chan int)
	for range 16 {
		all.Go(func() {
			for i := range next {
				m.come(i)
			}
		})
	}
	for i := range m.users {
		next <- i
	}
	close(next)
	all.Wait()
}

// come is what the user of a number does.
func (m *movement) come(i int) {
	u := m.users[i]
	if i%4 == 0 {
		m.fail(u, u.others()[0])
	}
	switch moves := !dearer(u.original, m.policy); {
	case i%6 == 0 && moves:
		gate := m.hasher.hold(u.from)
		m.signIn(u)
		<-gate.begun
		m.change(u)
		close(gate.end)
	case i%6 == 1:
		m.fail(&mover{email: "x" + u.email, from: u.from}, u.password)
		var three sync.WaitGroup
		three.Go(func() { m.signIn(u) })
		three.Go(func() { m.signIn(u) })
		three.Go(func() { m.change(u) })
		three.Wait()
	}
	for {
		m.signIn(u)
		stored, err := m.store.ByEmail(context.Background(), u.email)
		if err != nil || stored.Hash != u.original || dearer(u.original, m.policy) || len(m.wrongs()) > 0 {
			return
		}
	}
}

// withFault has a service sign in with a fault.
func (m *movement) withFault(service http.Handler, broken fault) http.Handler {
	gate := passwordhttp.Gate{Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	mux := http.NewServeMux()
	mux.Handle("/", service)
	mux.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		u, err := m.store.ByEmail(r.Context(), r.PostFormValue("email"))
		if err == nil {
			err = broken(r.Context(), m, password.Login{Principal: gate.Principal(r)}, []byte(r.PostFormValue("password")), u)
		}
		if err != nil {
			passwordhttp.ServeError(w, err)
			return
		}
		if token, err := m.store.NewSession(r.Context(), u, ""); err == nil {
			http.SetCookie(w, &http.Cookie{Name: "__Host-session", Value: token})
		}
	})
	return mux
}

// rehash returns an upgrade, however often it is refused.
func (m *movement) rehash(login password.Login, given []byte) string {
	login.Class = password.ClassRehash
	for {
		if hash, err := m.hasher.Hash(context.Background(), login, given); err == nil {
			return hash
		}
	}
}

// overwrite is an upgrade that compares nothing.
func (m *movement) overwrite(ctx context.Context, id, hash string) error {
	db, err := sql.Open("sqlite", "file:"+m.file+"?_pragma=busy_timeout(5000)")
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, "UPDATE users SET hash = $1 WHERE id = $2", hash, id)
	return err
}

// overwriting saves an upgrade also where the password has changed meanwhile.
func overwriting(ctx context.Context, m *movement, login password.Login, given []byte, u store.User) error {
	result, err := m.hasher.Verify(ctx, login, given, u.Hash)
	if err != nil || !result.NeedsRehash {
		return err
	}
	m.saved.Go(func() { m.overwrite(context.Background(), u.ID, m.rehash(login, given)) })
	return nil
}

// lowering gives everybody a hash of the policy, also who has a dearer one.
func lowering(ctx context.Context, m *movement, login password.Login, given []byte, u store.User) error {
	if result, err := m.hasher.Verify(ctx, login, given, u.Hash); err != nil || strings.HasPrefix(u.Hash, formOf(m.policy)) && !result.NeedsRehash {
		return err
	}
	m.saved.Go(func() { m.store.Upgrade(context.Background(), u.ID, u.Hash, m.rehash(login, given)) })
	return nil
}

// cutting upgrades to a hash of the first 72 bytes up to a NUL, which is what bcrypt sees of a password.
func cutting(ctx context.Context, m *movement, login password.Login, given []byte, u store.User) error {
	result, err := m.hasher.Verify(ctx, login, given, u.Hash)
	if err != nil || !result.NeedsRehash {
		return err
	}
	seen, _, _ := bytes.Cut(given[:min(72, len(given))], []byte{0})
	m.saved.Go(func() { m.store.Upgrade(context.Background(), u.ID, u.Hash, m.rehash(login, seen)) })
	return nil
}
