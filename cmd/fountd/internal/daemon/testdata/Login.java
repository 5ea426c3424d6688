// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

import java.net.URI;
import java.net.http.HttpClient;

class Login {
    /** Calls the encoder as Spring Security's DaoAuthenticationProvider does. */
    public static void main(String[] args) {
        var encoder = new FountdPasswordEncoder(
            HttpClient.newHttpClient(), URI.create(System.getenv("FOUNTD_URL")), () -> args[2]);
        try {
            boolean match = encoder.matches(args[0], args[1]);
            String upgraded = encoder.upgradeEncoding(args[1]) ? encoder.encode(args[0]) : null;
            System.out.println(match + " " + upgraded + " " + encoder.encode(args[0]));
        } catch (FountdPasswordEncoder.Unavailable e) {
            System.out.println("try again in " + e.retryAfter + " s");
        } catch (FountdPasswordEncoder.InvalidPassword e) {
            System.out.println("invalid: " + e.getMessage());
        }
    }
}
