// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
)

var (
	errKeycloakJSON = errors.New("legacy: not the two JSON texts of a Keycloak credential: want credential_data and secret_data, of type password")
	errKeycloak     = errors.New("legacy: Keycloak hashed it with an algorithm that is not read here: want argon2, pbkdf2, pbkdf2-sha256 or pbkdf2-sha512")
)

// Keycloak returns the string to store for a password of Keycloak's: for argon2, pbkdf2-sha256 and pbkdf2-sha512 one that package password reads without
// a Format, for pbkdf2, which is SHA-1, one that PBKDF2SHA1 reads. It takes the columns credential_data and secret_data of
// Keycloak's table credential, which an export calls credentialData and secretData. Together they are longer than a stored hash may be. Errors hold
// nothing of them.
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
	salt, sum, err := both(base64.StdEncoding, secret.Salt, secret.Value)
	switch {
	case err != nil:
		return "", errKeycloakJSON
	case len(salt) > 64 || len(sum) < 16 || len(sum) > 64:
		return "", errSizes
	case how.HashIterations == 0:
		return "", errNumber
	}
	iterations := digits(how.HashIterations)
	switch how.Algorithm {
	case "pbkdf2":
		return "$pbkdf2$" + iterations + "$" + ab64.EncodeToString(salt) + "$" + ab64.EncodeToString(sum), nil
	case "pbkdf2-sha256", "pbkdf2-sha512":
		return phcText(how.Algorithm, "i="+iterations, salt, sum), nil
	case "argon2":
		return keycloakArgon2(iterations, how.AdditionalParameters, salt, sum)
	}
	return "", errKeycloak
}

// keycloakArgon2 has type (id, i or d), version, memory in KiB, and parallelism as lists of one text.
func keycloakArgon2(iterations string, parameters map[string][]string, salt, sum []byte) (string, error) {
	one := func(name string) string { return strings.Join(parameters[name], " ") }
	version := map[string]string{"1.3": "19", "1.0": "16"}[one("version")]
	if version == "" {
		return "", errKeycloakJSON
	}
	for _, name := range []string{"memory", "parallelism"} {
		if _, err := number(one(name)); err != nil {
			return "", err
		}
	}
	switch kind := one("type"); kind {
	case "id", "i", "d":
		return phcText("argon2"+kind+"$v="+version, "m="+one("memory")+",t="+iterations+",p="+one("parallelism"), salt, sum), nil
	}
	return "", errKeycloak
}
