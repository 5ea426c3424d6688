// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

var (
	errKeycloakJSON = errors.New("legacy: not the two JSON texts of a Keycloak credential: " +
		"want credential_data and secret_data, of type password")
	errKeycloak = errors.New("legacy: Keycloak hashed it with an algorithm that is not read here: " +
		"want argon2, pbkdf2, pbkdf2-sha256 or pbkdf2-sha512")
)

// Keycloak returns the string to store for a password of Keycloak's: for argon2, pbkdf2-sha256 and
// pbkdf2-sha512 one that package password reads without a Format, for pbkdf2, which is SHA-1, one
// that PBKDF2SHA1 reads. It takes the columns credential_data and secret_data of Keycloak's table
// credential, which an export calls credentialData and secretData. Errors hold nothing of them.
func Keycloak(credentialData, secretData []byte) (string, error) {
	var how struct {
		HashIterations       uint32
		Algorithm            string
		AdditionalParameters map[string][]string
	}
	var secret struct{ Value, Salt string }
	if json.Unmarshal(credentialData, &how) != nil || json.Unmarshal(secretData, &secret) != nil {
		return "", errKeycloakJSON
	}
	var s scan
	salt, sum := s.base64(std64, secret.Salt), s.base64(std64, secret.Value)
	switch {
	case s.err != nil:
		return "", errKeycloakJSON
	case len(salt) > 64 || len(sum) < 16 || len(sum) > 64:
		return "", errSizes
	case how.HashIterations == 0:
		return "", errNumber
	}
	iterations := strconv.FormatUint(uint64(how.HashIterations), 10)
	switch how.Algorithm {
	case "pbkdf2":
		return strings.ReplaceAll(phcText("pbkdf2", iterations, salt, sum), "+", "."), nil
	case "pbkdf2-sha256", "pbkdf2-sha512":
		return phcText(how.Algorithm, "i="+iterations, salt, sum), nil
	case "argon2":
		return keycloakArgon2(iterations, how.AdditionalParameters, salt, sum)
	}
	return "", errKeycloak
}

// keycloakArgon2 has type (id, i or d), version, memory in KiB, and parallelism as lists of one
// text.
func keycloakArgon2(iterations string, parameters map[string][]string, salt, sum []byte) (string, error) {
	one := func(name string) string { return strings.Join(parameters[name], " ") }
	version := map[string]string{"1.3": "19", "1.0": "16"}[one("version")]
	if version == "" {
		return "", errKeycloakJSON
	}
	var s scan
	m, p, kind := s.number(one("memory")), s.number(one("parallelism")), one("type")
	s.want(kind == "id" || kind == "i" || kind == "d", errKeycloak)
	if s.err != nil {
		return "", s.err
	}
	numbers := fmt.Sprintf("m=%d,t=%s,p=%d", m, iterations, p)
	return phcText("argon2"+kind+"$v="+version, numbers, salt, sum), nil
}
