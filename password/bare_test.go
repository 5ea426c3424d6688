// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// A written is a Format of one MD5 of the password, that is told how a string is written: sum finds it in the string. What is text stays text.
type written struct {
	name   string
	write  func(sum []byte) string
	read   func(encoded string) []byte
	text   bool                                  // Sum is the text between '<' and '>'
	change func(encoded string, p *Parsed) error // what it makes of a string besides
}

func (f written) Name() string { return f.name }

func (f written) Parse(encoded string) (*Parsed, error) {
	body, ok := strings.CutPrefix(encoded, f.name+":")
	if !ok {
		return nil, nil
	}
	p := &Parsed{
		Sum: f.read(body), Time: func(int) time.Duration { return time.Microsecond },
		Compute: func(password, _ []byte, _ func() bool) []byte {
			sum := md5.Sum(password)
			if f.text {
				return f.read(f.write(sum[:]))
			}
			return sum[:]
		},
	}
	if len(p.Sum) != 16 && !f.text {
		return nil, errors.New("a sum of another length")
	}
	if f.change != nil {
		return p, f.change(body, p)
	}
	return p, nil
}

// between is what stands between '<' and '>'.
func between(encoded string) string {
	_, after, _ := strings.Cut(encoded, "<")
	text, _, _ := strings.Cut(after, ">")
	return text
}

func inHex(encoded string) []byte {
	b, _ := hex.DecodeString(between(encoded))
	return b
}

// inText writes a sum as text of its hexadecimal's digits, for which blank stands where there is none.
func inText(name string, blank string) written {
	digits := strings.NewReplacer("0", "g", blank, "h")
	return written{name: name, text: true,
		write: func(sum []byte) string { return "<" + digits.Replace(hex.EncodeToString(sum)) + ">" },
		read:  func(encoded string) []byte { return []byte(between(encoded)) },
	}
}

func inBase64(name string, enc *base64.Encoding, before, after string) written {
	return written{name: name,
		write: func(sum []byte) string {
			return "<" + enc.EncodeToString(append(append([]byte(before), sum...), after...)) + ">"
		},
		read: func(encoded string) []byte {
			b, err := enc.DecodeString(between(encoded))
			if err != nil || len(b) < len(before)+len(after) {
				return nil
			}
			return b[len(before) : len(b)-len(after)]
		},
	}
}

// Whatever a sum is written in, it is found, goes, and the password alone is right.
func TestWrapFindsTheSum(t *testing.T) {
	passlib := base64.NewEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789./").WithPadding(base64.NoPadding)
	bcrypt := base64.NewEncoding("./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789").WithPadding(base64.NoPadding)
	upper := written{name: "upper", write: func(sum []byte) string { return "<" + strings.ToUpper(hex.EncodeToString(sum)) + ">" }, read: inHex}
	for _, f := range []written{
		{name: "hex", write: func(sum []byte) string { return "<" + hex.EncodeToString(sum) + ">" }, read: inHex}, upper, inText("dots", "."), inText("zeros", "x"),
		inBase64("std", base64.StdEncoding, "", ""), inBase64("raw", base64.RawStdEncoding, "", ""), inBase64("url", base64.RawURLEncoding, "", ""), inBase64("passlib", passlib, "", ""),
		inBase64("bcrypt", bcrypt, "", ""), inBase64("before", base64.StdEncoding, "s", ""), inBase64("after", base64.StdEncoding, "", "salt"), inBase64("both", base64.StdEncoding, "\x01sa", "lt"),
	} {
		p := wrapPolicy(t)
		p.Formats = formats(t, f)
		for i := range 64 { // sums with all of an alphabet's characters
			given := []byte{'p', byte(i)}
			sum := md5.Sum(given)
			text := f.write(sum[:])
			wrapped, err := Wrap(p, f.name+":"+text)
			if err != nil {
				t.Errorf("%s: %s: %v", f.name, text, err)
				break
			}
			if inner := wrapped[strings.LastIndex(wrapped, f.name+":"):]; len(inner) != len(f.name+":"+text) || strings.Contains(inner, between(text)[6:14]) {
				t.Errorf("%s became %s", text, inner)
			}
			if _, err := Verify(p, given, wrapped); err != nil {
				t.Errorf("%s: %s: %v", text, wrapped, err)
			}
			if _, err := Verify(p, append(given, 'x'), wrapped); !errors.Is(err, ErrMismatch) {
				t.Errorf("%s with another password: %v", wrapped, err)
			}
		}
	}
}

// A sum that is there twice, in part or in another alphabet is not found; and a Format that reads the string without it as anything else is refused.
func TestWrapRefusesWhatItCannotFind(t *testing.T) {
	sum := md5.Sum([]byte("secret"))
	plain := func(sum []byte) string { return "<" + hex.EncodeToString(sum) + ">" }
	blank := func(encoded string) bool { return strings.Contains(encoded, strings.Repeat("0", 32)) }
	fickle := func(change func(*Parsed) error) written {
		return written{name: "fickle", write: plain, read: inHex, change: func(encoded string, p *Parsed) error {
			if blank(encoded) {
				return change(p)
			}
			return nil
		}}
	}
	const bcrypt4, bcrypt5 = "$2b$04$abcdefghijklmnopqrstuu", "$2b$05$abcdefghijklmnopqrstuu"
	dressed := func(prefix string) written { // a bcrypt, whose sum is MD5's and 7 bytes more
		return written{name: "dressed", write: plain, read: inHex, change: func(encoded string, p *Parsed) error {
			enc, of := encodings[3], bcrypt4
			if blank(encoded) {
				of = prefix
			}
			*p = Parsed{Hash: of + enc.EncodeToString(p.Sum) + strings.Repeat(".", 9)}
			return nil
		}}
	}
	for name, f := range map[string]written{
		"twice":         {name: "twice", write: func(sum []byte) string { return plain(sum) + plain(sum) }, read: inHex},
		"reversed":      {name: "reversed", write: plain, read: func(encoded string) []byte { b := inHex(encoded); slices.Reverse(b); return b }},
		"an error":      fickle(func(*Parsed) error { return errors.New("no") }),
		"another sum":   fickle(func(p *Parsed) error { p.Sum = []byte("0123456789abcdef"); return nil }),
		"all the same":  fickle(func(p *Parsed) error { p.Sum = []byte(strings.Repeat("\x01", 16)); return nil }),
		"one more":      fickle(func(p *Parsed) error { p.Sum = append(p.Sum, 0); return nil }),
		"another cost":  fickle(func(p *Parsed) error { p.Cost++; return nil }),
		"another kind":  fickle(func(p *Parsed) error { *p = Parsed{Hash: bcrypt4 + strings.Repeat(".", 31)}; return nil }),
		"another salt":  dressed("$2b$04$bbcdefghijklmnopqrstuu"),
		"a bcrypt of 5": dressed(bcrypt5),
	} {
		p := wrapPolicy(t)
		p.Formats = formats(t, f)
		if wrapped, err := Wrap(p, f.name+":"+f.write(sum[:])); err == nil || errors.Is(err, ErrStrong) || !strings.Contains(err.Error(), "can't be wrapped") {
			t.Errorf("%s: %s, %v", name, wrapped, err)
		}
	}
}

// Why a hash is not wrapped, and how long the string may be that is.
func TestWrapSaysWhy(t *testing.T) {
	p := wrapPolicy(t)
	wrapped, err := Wrap(p, saltedMD5Of("secret"))
	if err != nil {
		t.Fatal(err)
	}
	marked := p
	marked.Markers = true
	strong, err := Hash(Policy{Algorithm: Bcrypt, Cost: 10}, []byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	for encoded, want := range map[string]string{"": "no password", "!": "no password", wrapped: "is wrapped", argon2ID("v=19", "m=64,t=1,p=1"): "takes memory", strong: "OWASP"} {
		if _, err := Wrap(marked, encoded); !errors.Is(err, ErrStrong) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", encoded, err, want)
		}
	}
	longest := 320 - len(wrapped) + len("pepper")
	for n, good := range map[int]bool{longest: true, longest + 1: false} {
		text, err := Wrap(p, strings.Repeat("s", n)+strings.TrimPrefix(saltedMD5Of(""), "pepper"))
		if (err == nil) != good || good && (len(text) != 320 || p.Check(text) != nil) || !good && !strings.Contains(err.Error(), "321 bytes") {
			t.Errorf("a salt of %d bytes: %s, %v; want it wrapped: %v", n, text, err, good)
		}
		if inner := strings.Repeat("s", n) + "~" + strings.Repeat("0", 32); (p.Check(wrapped[:strings.Index(wrapped, "pepper~")]+inner) == nil) != good {
			t.Errorf("with a salt of %d bytes it is read: %v", n, !good)
		}
	}
	head, inner, _ := strings.Cut(wrapped, "pepper~")
	for encoded, want := range map[string]string{
		"$fount-wrap$v=2" + wrapped[len(wrapMark):]: "another version", head: errWrapped.Error(), head + wrapped: errWrapped.Error(), strings.Replace(wrapped, "t=1", "t=x", 1): errWrapped.Error(),
		head + "pepper~" + strings.Repeat("11", 16): errSumLeft.Error(), head + "pepper~" + inner[:30] + "01": errSumLeft.Error(), head + argon2ID("v=19", "m=64,t=1,p=1"): errInner.Error(),
	} {
		if err := p.Check(encoded); !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", encoded, err, want)
		}
	}
}

// What a wrapped hash is believed to take is both parts' time, and not more than Info says: that is of portable code.
func TestWrappedTakes(t *testing.T) {
	p := wrapPolicy(t)
	p.Memory, p.Iterations = 1024, 2
	p.Formats = formats(t, toy{name: "toy"})
	bcrypt, err := Hash(Policy{Algorithm: Bcrypt, Cost: 4}, []byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	pbkdf2, err := Hash(Policy{Algorithm: PBKDF2SHA256, Iterations: 10_000}, []byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	for _, encoded := range []string{toyHash("secret", 1000), bcrypt, pbkdf2} {
		wrapped, err := Wrap(p, encoded)
		if err != nil {
			t.Fatal(err)
		}
		filled, _ := p.filled()
		w, err := filled.admit([]byte("x"), wrapped)
		if err != nil {
			t.Fatal(err)
		}
		info, err := p.Inspect(encoded)
		if err != nil {
			t.Fatal(err)
		}
		if took := w.inner.took(); took < info.Time/8 || took > 2*info.Time || w.inner.alg == Foreign && took != info.Time {
			t.Errorf("%s: %v; Info says %v", encoded, took, info.Time)
		}
		outer, err := filled.work(w.hash, nil)
		if err != nil {
			t.Fatal(err)
		}
		if both := outer.took() + w.inner.took(); outer.took() <= 0 || w.took() != both || w.units != float64(both) {
			t.Errorf("%s: %v, %v units; the parts take %v", encoded, w.took(), w.units, both)
		}
	}
}

// A caller who leaves ends the inner part, and one that panics is told of.
func TestWrappedInner(t *testing.T) {
	begun, ended := make(chan bool), make(chan bool)
	compute := func(password, _ []byte, yield func() bool) []byte { panic("p4ssw0rd") }
	policy := wrapPolicy(t)
	policy.Formats = formats(t, toy{name: "toy", change: func(p *Parsed) {
		p.Compute = func(password, memory []byte, yield func() bool) []byte { return compute(password, memory, yield) }
	}})
	wrapped, err := Wrap(policy, toyHash("p4ssw0rd", 1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Verify(policy, []byte("p4ssw0rd"), wrapped); err == nil || !strings.HasSuffix(err.Error(), "toy panicked") {
		t.Errorf("%v; want that it panicked", err)
	}
	compute = func(password, _ []byte, yield func() bool) []byte {
		begun <- true
		for yield() {
		}
		close(ended)
		return nil
	}
	pool, err := NewPool(Options{Policy: policy, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-begun; cancel() }()
	if _, err := pool.Verify(ctx, Login{}, []byte("p4ssw0rd"), wrapped); !errors.Is(err, context.Canceled) {
		t.Errorf("%v; want context.Canceled", err)
	}
	<-ended
	if err := pool.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// A withSalt is salt$SALT$SUM in hexadecimal.
type withSalt struct{}

func (withSalt) Name() string { return "salt" }

func (withSalt) Parse(encoded string) (*Parsed, error) {
	parts := strings.Split(encoded, "$")
	if parts[0] != "salt" {
		return nil, nil
	}
	sum, err := hex.DecodeString(parts[2])
	return &Parsed{Sum: sum, Time: func(int) time.Duration { return 1 }, Compute: func(_, _ []byte, _ func() bool) []byte { return sum }}, err
}

// A sum that is blank stays as it is, and so does a salt that looks like it.
func TestWrapOfBlankSums(t *testing.T) {
	policy := wrapPolicy(t)
	policy.Formats = formats(t, withSalt{})
	for _, b := range "0." {
		sum := strings.Repeat(string(b), 16)
		encoded := "salt$" + sum + "$" + hex.EncodeToString([]byte(sum))
		if got, without, err := policy.bare(encoded); err != nil || string(got) != sum || without != encoded {
			t.Errorf("%q, %q, %v; want %q", got, without, err, encoded)
		}
	}
}

// No account without a password is wrapped, and the error says so, also where such stored strings are taken.
func TestWrappedMarkers(t *testing.T) {
	const outer = "$fount-wrap$v=1$argon2id$v=19$m=64,t=1,p=1$HA19spt4oRP7Xu/QJzHXjQ$6z2NR6gxCoZirOH/OmQ70j0BMKYfeoE0SQcI7N40IVU$"
	for _, alg := range []Policy{cheapest, {Algorithm: PBKDF2SHA256, Iterations: 1}, {Algorithm: Argon2id, Memory: 64, Iterations: 1}} {
		for _, markers := range []bool{false, true} {
			for _, inside := range []string{"!", "*", "!" + goodBcrypt} {
				p := alg
				p.Markers = markers
				if _, err := Verify(p, []byte("password"), outer+inside); !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), "begins with ! or *") {
					t.Errorf("%v, markers %v, inside %q: %v", p.Algorithm, markers, inside, err)
				}
			}
		}
	}
}
