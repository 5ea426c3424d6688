// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"fount/password/internal/format"
)

var (
	errKeycloakJSON = errors.New("legacy: not the two JSON texts of a Keycloak credential: " +
		"want credential_data and secret_data, of type password")
	errKeycloak = errors.New("legacy: Keycloak hashed it with an algorithm that is not read here: " +
		"want argon2, bcrypt, pbkdf2, pbkdf2-sha256 or pbkdf2-sha512")
)

// Keycloak converts a password hash of Keycloak. Its arguments are the columns credential_data and
// secret_data of Keycloak's table credential; an export calls them credentialData and secretData.
// It returns a string to store. For argon2, pbkdf2-sha256, pbkdf2-sha512 and the bcrypt provider,
// package password reads it without a Format; for pbkdf2, which uses SHA-1, Form("pbkdf2-sha1") does.
// Errors contain nothing of the arguments.
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

	if how.Algorithm == "bcrypt" { // from a provider; the value is the whole hash
		if !strings.HasPrefix(secret.Value, "$2") {
			return "", errKeycloakJSON
		}
		return secret.Value, nil
	}

	salt, err1 := decodeBase64(std64, secret.Salt)
	sum, err2 := decodeBase64(std64, secret.Value)
	switch {
	case err1 != nil || err2 != nil:
		return "", errKeycloakJSON
	case len(salt) > maxSalt || len(sum) < format.MinSum || len(sum) > format.MaxSum:
		return "", errLengths
	case how.HashIterations == 0:
		return "", errKeycloakJSON
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

// keycloakArgon2 returns an argon2 in PHC form. parameters has type (id, i or d), version, memory
// in KiB, and parallelism, each as a list of one string.
func keycloakArgon2(iterations string, parameters map[string][]string, salt, sum []byte) (string, error) {
	one := func(name string) string { return strings.Join(parameters[name], " ") }
	version := map[string]string{"1.3": "19", "1.0": "16"}[one("version")]
	if version == "" {
		return "", errKeycloakJSON
	}

	m, ok1 := format.Number(one("memory"))
	p, ok2 := format.Number(one("parallelism"))
	kind := one("type")
	if !ok1 || !ok2 || kind != "id" && kind != "i" && kind != "d" {
		return "", errKeycloakJSON
	}

	numbers := fmt.Sprintf("m=%d,t=%s,p=%d", m, iterations, p)
	return phcText("argon2"+kind+"$v="+version, numbers, salt, sum), nil
}
