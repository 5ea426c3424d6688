// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func ids(keys []Key) (ids []KeyID) {
	for _, k := range keys {
		ids = append(ids, k.ID)
	}
	return ids
}

func TestKeyFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "fleet.key")
	if _, err := ReadKeys(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	k := newTestKey(t)
	if err := CreateKeyFile(path, k); err != nil {
		t.Fatal(err)
	}
	if err := CreateKeyFile(path, newTestKey(t)); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second new file in the same place: %v; want fs.ErrExist", err)
	}
	got, err := ReadKeys(path)
	if err != nil || len(got) != 1 || got[0].ID != k.ID || !got[0].Created.Equal(start) {
		t.Fatalf("%v, %v; want %v", got, err, k)
	}
	want := []KeyID{k.ID}
	for i := range 4 {
		keys, err := RotateKeyFile(path, start.Add(time.Duration(i)*time.Hour), 3)
		if err != nil {
			t.Fatal(err)
		}
		want = slices.Insert(want, 0, keys[0].ID)[:min(len(want)+1, 3)]
		if read, err := ReadKeys(path); err != nil || !slices.Equal(ids(read), want) || !slices.Equal(ids(keys), want) {
			t.Errorf("rotation %d leaves %v, %v; want %v", i, ids(read), err, want)
		}
	}
	for _, keep := range []int{0, MaxKeys + 1} {
		if _, err := RotateKeyFile(path, start, keep); err == nil {
			t.Errorf("%d keys are kept", keep)
		}
	}
	names, err := os.ReadDir(dir)
	if err != nil || len(names) != 1 {
		t.Errorf("%v, %v in the directory; want the key file alone", names, err)
	}

	// A request to a key that was read opens as one to the key that was made.
	read, err := ReadKeys(path)
	if err != nil {
		t.Fatal(err)
	}
	public, err := ParsePublicKey(read[0].Public().String() + "\n")
	if err != nil || len(read[0].Public().String()) != 1662 {
		t.Fatalf("%v; %d characters", err, len(read[0].Public().String()))
	}
	b, _, err := public.Seal(Verify, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(held(read...), b); err != nil {
		t.Error(err)
	}
}

// The rotation of a link is that of the file it leads to, from wherever it is asked for.
func TestRotateLink(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "fleet.key"), filepath.Join(t.TempDir(), "link")
	if err := CreateKeyFile(path, newTestKey(t)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Skipf("no symbolic links: %v", err)
	}
	rotated, err := RotateKeyFile(link, start, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, link} {
		if read, err := ReadKeys(name); err != nil || len(read) != 2 || !slices.Equal(ids(read), ids(rotated)) {
			t.Errorf("%s has %v, %v; want %v", name, ids(read), err, ids(rotated))
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is no more: %v, %v", info, err)
	}
	if beside, err := os.ReadDir(filepath.Dir(link)); err != nil || len(beside) != 1 {
		t.Errorf("beside the link: %v, %v", beside, err)
	}
}

func TestKeyFileMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes")
	}
	path := filepath.Join(t.TempDir(), "fleet.key")
	if err := CreateKeyFile(path, newTestKey(t)); err != nil {
		t.Fatal(err)
	}
	if _, err := RotateKeyFile(path, start, 2); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v; want mode 0600", info.Mode(), err)
	}
	for mode, ok := range map[fs.FileMode]bool{0o400: true, 0o640: false, 0o604: false, 0o620: false} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadKeys(path); (err == nil) != ok {
			t.Errorf("mode %04o: %v", mode, err)
		}
	}
	if _, err := ReadKeys(filepath.Dir(path)); err == nil {
		t.Error("a directory is read as a key file")
	}
}

// A file that can't be replaced stays as it was, and nothing is left beside it.
func TestKeyFileFault(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "fleet.key")
	if err := CreateKeyFile(path, newTestKey(t)); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	fault := errors.New("fault")
	if err := writeKeys(path, []Key{newTestKey(t)}, func(string, string) error { return fault }); !errors.Is(err, fault) {
		t.Errorf("%v; want the fault", err)
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file has changed: %v", err)
	}
	if names, _ := os.ReadDir(dir); len(names) != 1 {
		t.Errorf("%v left in the directory", names)
	}
	if err := ReplaceKeyFile(filepath.Join(dir, "none", "fleet.key"), newTestKey(t)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a directory that is not there: %v", err)
	}
}

func TestParseKeysStrictly(t *testing.T) {
	text, err := appendKeys(nil, []Key{newTestKey(t), newTestKey(t)})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	first := lines[1]
	words := strings.Split(first, " ")
	seed, err := base64.StdEncoding.DecodeString(words[3])
	if err != nil {
		t.Fatal(err)
	}
	if keys, err := ParseKeys([]byte("\n# a comment\n" + string(text) + "\n")); err != nil || len(keys) != 2 {
		t.Fatalf("%d keys, %v", len(keys), err)
	}
	for name, bad := range map[string]string{
		"nothing":            "",
		"a comment alone":    "# none\n",
		"a public key":       newTestKey(t).Public().String(),
		"twice":              first + "\n" + first,
		"another's ID":       strings.Replace(first, words[1], strings.Split(lines[2], " ")[1], 1),
		"an ID in capitals":  strings.Replace(first, words[1], strings.ToUpper(words[1])+"A", 1),
		"two spaces":         strings.Replace(first, " ", "  ", 1),
		"a space at its end": first + " ",
		"CRLF":               first + "\r\n",
		"a local time":       strings.Replace(first, "Z ", "+01:00 ", 1),
		"no padding":         strings.TrimRight(first, "="),
		"other padding bits": strings.Join(append(words[:3:3], looseBits(words[3])), " "),
		"a short secret":     strings.Join(append(words[:3:3], base64.StdEncoding.EncodeToString(seed[1:])), " "),
		"another word":       strings.Replace(first, "secret-1", "secret-2", 1),
		"too long":           strings.Repeat("#", maxKeyFile+1),
	} {
		keys, err := ParseKeys([]byte(bad))
		if err == nil {
			t.Errorf("%s: %v", name, ids(keys))
		} else if strings.Contains(err.Error(), words[3][:8]) {
			t.Errorf("%s: the error holds a part of the secret: %v", name, err)
		}
	}
	public := newTestKey(t).Public().String()
	for name, bad := range map[string]string{
		"nothing": "", "a secret": first, "a file": string(text), "a word more": public + " x", "a short key": public[:len(public)-4],
		"another's ID": strings.Replace(public, " ", " 0", 1), "lines": public[:100] + "\n" + public[100:],
	} {
		if _, err := ParsePublicKey(bad); err == nil {
			t.Errorf("public key, %s: no error", name)
		} else if strings.Contains(err.Error(), words[3][:8]) {
			t.Errorf("public key, %s: the error holds a part of the secret: %v", name, err)
		}
	}
}

// looseBits sets a bit of base64's last character that no byte of 32 has.
func looseBits(text string) string {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	b := []byte(text)
	last := len(b) - 2 // before the one '='
	b[last] = digits[strings.IndexByte(digits, b[last])|1]
	return string(b)
}

// A file of 16 keys and of 4 KiB is read, and one that has more is not. Who gives one half of a key for the other is told so.
func TestKeyFileBounds(t *testing.T) {
	var keys []Key
	for range MaxKeys + 1 {
		keys = append(keys, newTestKey(t))
	}
	for n, want := range map[int]bool{MaxKeys: true, MaxKeys + 1: false} {
		text, err := appendKeys(nil, keys[:n])
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, strings.Repeat("#", maxKeyFile-len(text))...)
		if got, err := ParseKeys(text); (err == nil) != want || want && len(got) != n {
			t.Errorf("%d keys in %d bytes: %d, %v; want them read: %v", n, len(text), len(got), err, want)
		}
		if _, err := ParseKeys(append(text, '#')); err == nil {
			t.Errorf("%d bytes are read", len(text)+1)
		}
	}
	text, err := appendKeys(nil, keys[:1])
	if err != nil {
		t.Fatal(err)
	}
	_, secret, _ := strings.Cut(string(text), "\n")
	for _, given := range []string{string(text), secret} {
		if _, err := ParsePublicKey(given); err == nil || !strings.Contains(err.Error(), "this is the secret key's file") {
			t.Errorf("a secret in a public key's place: %v", err)
		}
	}
	if _, err := ParseKeys([]byte(keys[0].Public().String())); err == nil || !strings.Contains(err.Error(), "a public key; want the fleet's secret") {
		t.Errorf("a public key in a secret's place: %v", err)
	}
	if _, err := ReadKeys(t.TempDir()); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a directory in a key file's place: %v", err)
	}
}
