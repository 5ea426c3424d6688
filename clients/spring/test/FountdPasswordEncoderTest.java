// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URI;
import java.net.http.HttpClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/** What Spring Security asks of a PasswordEncoder, and its own provider of logins, before a fountd. */
class FountdPasswordEncoderTest {
    static final String PASSWORD = "correct horse battery staple";
    static final String STORED = "{bcrypt}$2a$10$xPdJfNz5DFgwalm28vVjB.3uKsiWHDMC67zMLcA840LzZQIx1YAg6";

    FountdPasswordEncoder encoder;
    InMemoryUserDetailsManager users;
    DaoAuthenticationProvider provider;

    FountdPasswordEncoder at(String url) {
        return new FountdPasswordEncoder(HttpClient.newBuilder(), URI.create(url), () -> "192.0.2.1");
    }

    @BeforeEach
    void setUp() {
        String url = System.getenv("FOUNTD_URL");
        assumeTrue(url != null, "FOUNTD_URL is not set: where is fountd?");
        encoder = at(url);
        users = new InMemoryUserDetailsManager(User.withUsername("ada").password(STORED).build());
        provider = new DaoAuthenticationProvider(users);
        provider.setUserDetailsPasswordService(users);
        provider.setPasswordEncoder(encoder);
    }

    void signIn(String name, String password) {
        provider.authenticate(UsernamePasswordAuthenticationToken.unauthenticated(name, password));
    }

    String stored() {
        return users.loadUserByUsername("ada").getPassword();
    }

    @Test
    void noPasswordIsNoMatch() {
        assertNull(encoder.encode(null));
        String hash = encoder.encode(PASSWORD);
        for (String stored : new String[] {null, "", "no hash", STORED + "\t"}) {
            assertFalse(encoder.matches(PASSWORD, stored));
        }
        for (String password : new String[] {null, "", "x".repeat(1025)}) {
            assertFalse(encoder.matches(password, hash));
        }
        assertFalse(encoder.upgradeEncoding(null));
    }

    @Test
    void aLoginReplacesAnOldHash() {
        assertThrows(BadCredentialsException.class, () -> signIn("ada", "wrong"));
        assertThrows(BadCredentialsException.class, () -> signIn("bob", PASSWORD));
        assertEquals(STORED, stored());
        signIn("ada", PASSWORD);
        assertTrue(stored().startsWith("$"), stored());

        String upgraded = stored();
        signIn("ada", PASSWORD);
        assertEquals(upgraded, stored());
        assertThrows(BadCredentialsException.class, () -> signIn("ada", "wrong"));
    }

    @Test
    void aHashThatAnotherPasswordMatchesStays() {
        String truncated = "$2a$10$1l9.kvQTsqNLiCYFqmKtQOHkp.BrgIrwsnTzWo9jdbQRbuBYQ/AVK"; // Spring's own test
        users.updatePassword(users.loadUserByUsername("ada"), truncated);
        signIn("ada", "1234567890".repeat(7) + "123");
        assertEquals(truncated, stored());
    }

    @Test
    void faultsAreToldApart() {
        assertThrows(FountdPasswordEncoder.InvalidPassword.class, () -> encoder.encode("x".repeat(1025)));
        assertThrows(FountdPasswordEncoder.InvalidPassword.class, () -> encoder.encode(""));
        provider.setPasswordEncoder(at("http://127.0.0.1:1"));
        var e = assertThrows(FountdPasswordEncoder.Unavailable.class, () -> signIn("ada", PASSWORD));
        assertEquals("1", e.retryAfter);
    }
}
