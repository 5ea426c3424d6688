// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package weaksecret

import (
	"crypto/aes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand"
	randv2 "math/rand/v2"
	"store"
	"strconv"
	"strings"
	"time"
)

const letters = "abcdefghijklmnopqrstuvwxyz"

func GenerateToken(n int) string { // want GenerateToken:"made of math/rand"
	b := make([]rune, n)
	for i := range b {
		b[i] = rune(letters[rand.Intn(len(letters))])
	}
	return string(b) // want `what GenerateToken returns is made of math/rand's values.*\(weaksecret\)`
}

func newSessionID() string { // want newSessionID:"made of math/rand"
	return strconv.FormatInt(rand.Int63(), 36) // want "what newSessionID returns"
}

func NewPasswordWithLength(n int) (string, error) { // want NewPasswordWithLength:"made of math/rand"
	var sb strings.Builder
	for range n {
		sb.WriteByte(letters[randv2.IntN(len(letters))])
	}
	return sb.String(), nil // want "what NewPasswordWithLength returns"
}

func resetCode() int {
	return 100000 + rand.Intn(900000) // want "what resetCode returns"
}

type account struct {
	APIKey, Name string
	salt         []byte
}

func fill(a *account) {
	a.APIKey = store.RandomString(32) // want "APIKey is made of math/rand"
	a.Name = store.RandomString(8)
	a.salt = make([]byte, 16)
	rand.Read(a.salt)                                                  // want "salt is made of math/rand"
	csrfToken := hex.EncodeToString(bytesOf(16))                       // want "csrfToken is made of math/rand"
	_ = account{APIKey: base64.StdEncoding.EncodeToString(bytesOf(8))} // want "APIKey is made of math/rand"
	sum := md5.Sum([]byte(fmt.Sprint(rand.Int63())))
	secret := hex.EncodeToString(sum[:]) // want "secret is made of math/rand"
	_, _ = csrfToken, secret
}

func bytesOf(n int) []byte { // want bytesOf:"made of math/rand"
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rand.Intn(256))
	}
	return b
}

func handed() {
	k := bytesOf(16)
	aes.NewCipher(k)                                                // want "the key of NewCipher"
	hmac.New(sha256.New, k)                                         // want "the key of New"
	ecdsa.GenerateKey(elliptic.P256(), rand.New(rand.NewSource(1))) // want "what GenerateKey draws"
	nonce := make([]byte, 12)
	io.ReadFull(rand.New(rand.NewSource(1)), nonce) // want "nonce is made of math/rand"
}

// What follows is right, or at least no secret.

func right(tokens []string, passwords map[string]string) {
	time.Sleep(time.Duration(rand.Intn(100)) * time.Millisecond)
	token := strings.Repeat("x", 8)
	if rand.Intn(10) == 0 {
		token = "y"
	}
	tokenCount := rand.Intn(10)
	name := store.RandomString(8)
	password := passwords[name] // a lookup by a random name
	secretName := "config-" + store.RandomString(5)
	tokenFile := fmt.Sprintf("/tmp/%d", rand.Int())
	testToken := store.RandomString(8)
	_, _, _, _, _, _ = token, tokenCount, password, secretName, tokenFile, testToken
	id := store.RandomString(8)
	_ = account{Name: id}
	sum := md5.Sum([]byte(name))
	_ = sum
}

func sampleToken(weights []float64) int { return rand.Intn(len(weights)) } // a word of a language model

func nextToken() int { return rand.Intn(50000) }

func verifyToken(token string) bool { return rand.Intn(2) == 0 && token != "" }

func strongToken() string {
	time.Sleep(time.Duration(rand.Int63n(5)))
	return "from elsewhere"
}

func silenced() string { // want silenced:"made of math/rand"
	token := store.RandomString(4) //fount:ignore weaksecret names a line of the log
	return token
}

type session struct{ token string }

func (s *session) sessionToken() string {
	token := s.token
	return token
}

type answer struct {
	status int
	token  string
}

func unkeyed() answer {
	return answer{200, strconv.Itoa(rand.Int())} // want "token is made of math/rand's values"
}

func unkeyedPointers() []*answer {
	return []*answer{{200, strconv.Itoa(rand.Int())}} // want "token is made of math/rand's values"
}

// No fix is suggested: the name of its import means something else here.
func taken(cryptorand []byte) {
	token := make([]byte, 16)
	rand.Read(token) // want "token is made of math/rand's values"
	copy(cryptorand, token)
}
