// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.security.crypto.password.PasswordEncoder;

// Spring Security's passwords, hashed and verified by fountd over TCP. In a configuration of Spring Boot:
//
//   @Bean PasswordEncoder passwordEncoder() { // alone: fountd reads {bcrypt}... too
//       var client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build(); // .sslContext(...)
//       return new FountdPasswordEncoder(client, URI.create("http://127.0.0.1:8080"), () ->
//           RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes now
//               ? now.getRequest().getRemoteAddr() : "");
//   }
//
//   @Bean FilterRegistrationBean<Filter> fountdFilter( // logins are filters too, and advice is for controllers
//           @Qualifier("handlerExceptionResolver") HandlerExceptionResolver advice) {
//       var filter = new FilterRegistrationBean<Filter>((request, response, chain) -> {
//           try {
//               chain.doFilter(request, response);
//           } catch (FountdPasswordEncoder.Unavailable e) {
//               advice.resolveException((HttpServletRequest) request, (HttpServletResponse) response, null, e);
//           }
//       });
//       filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
//       return filter;
//   }
//
//   @RestControllerAdvice static class FountdAdvice {
//       @ExceptionHandler ResponseEntity<String> unavailable(FountdPasswordEncoder.Unavailable e) {
//           return ResponseEntity.status(503).header("Retry-After", e.retryAfter).body("Please try again soon.");
//       }
//
//       @ExceptionHandler ResponseEntity<String> invalid(FountdPasswordEncoder.InvalidPassword e) {
//           return ResponseEntity.status(422).body(e.getMessage());
//       }
//   }
//
// A UserDetailsPasswordService, if there is one, gets the new hashes to store.

public final class FountdPasswordEncoder implements PasswordEncoder {
    /** The password is neither right nor wrong. */
    public static final class Unavailable extends RuntimeException {
        public final String retryAfter; // seconds

        Unavailable(String why, String retryAfter, Throwable cause) {
            super("fountd: " + why, cause);
            this.retryAfter = retryAfter;
        }
    }

    /** The password is too long, or a new one is empty: tell the user. */
    public static final class InvalidPassword extends IllegalArgumentException {
        InvalidPassword(String why) {
            super(why);
        }
    }

    private record Upgrade(String password, String stored, String hash) {}

    private static final Set<String> INVALID = Set.of("too_large", "too_long", "empty", "nul");

    private final HttpClient client;
    private final URI fountd;
    private final Supplier<String> address; // where the attempt comes from
    private final ThreadLocal<Upgrade> upgrade = new ThreadLocal<>();

    public FountdPasswordEncoder(HttpClient client, URI fountd, Supplier<String> address) {
        this.client = client;
        this.fountd = fountd;
        this.address = address;
    }

    @Override
    public boolean matches(CharSequence password, String stored) {
        // A second call, for the new hash, could be refused, and the user be out who was in. So one
        // call brings both; Spring asks upgradeEncoding and encode next, in this thread.
        upgrade.remove();
        String answer;
        try {
            answer = ask("verify", password, ",\"upgrade\":true,\"hash\":" + quote(stored == null ? "" : stored));
        } catch (InvalidPassword e) {
            return false;
        }
        String hash = member(answer, "hash");
        if (hash != null) {
            upgrade.set(new Upgrade(password.toString(), stored, hash));
        }
        boolean match = answer.contains("\"match\":true");
        if (!match && !answer.contains("\"match\":false")) {
            throw new IllegalStateException("fountd: an answer without match"); // a proxy's
        }
        return match;
    }

    @Override
    public boolean upgradeEncoding(String stored) {
        return upgrade.get() != null && upgrade.get().stored.equals(stored);
    }

    @Override
    public String encode(CharSequence password) {
        Upgrade matched = upgrade.get();
        upgrade.remove();
        if (matched != null && matched.password.contentEquals(password)) {
            return matched.hash;
        }
        String hash = member(ask("hash", password, ""), "hash");
        if (hash == null) {
            throw new IllegalStateException("fountd: an answer without hash"); // a proxy's
        }
        return hash;
    }

    private String ask(String what, CharSequence password, String more) {
        String secret = Base64.getEncoder().encodeToString(password.toString().getBytes(StandardCharsets.UTF_8));
        HttpRequest request = HttpRequest.newBuilder(fountd.resolve("/v1/" + what))
            .version(HttpClient.Version.HTTP_1_1)
            .timeout(Duration.ofSeconds(5))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"deadline_ms\":1000,\"password_b64\":\"" + secret
                + "\",\"principal\":" + quote(address.get()) + more + "}"))
            .build();
        HttpResponse<String> reply;
        try {
            reply = client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable("interrupted", "1", e);
        } catch (IOException e) {
            throw new Unavailable(e.toString(), "1", e);
        }
        if (reply.statusCode() == 200) {
            return reply.body();
        }
        // Others that answer at this address may repeat the password, and say nothing of it.
        String type = reply.headers().firstValue("Content-Type").orElse("");
        String problem = type.equals("application/problem+json") ? reply.body() : "";
        String why = reply.statusCode() + " " + problem;
        switch (reply.statusCode()) {
            case 429, 502, 503, 504:
                throw new Unavailable(why, reply.headers().firstValue("Retry-After").orElse("1"), null);
            case 413, 422:
                String reason = member(problem, "reason");
                if (reason != null && INVALID.contains(reason)) {
                    throw new InvalidPassword(member(problem, "detail"));
                }
        }
        throw new IllegalStateException("fountd: " + why); // a defect
    }

    private static String quote(String s) {
        return '"' + s.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** Returns a member of fountd's JSON whose text needs no escapes, or null. */
    private static String member(String json, String name) {
        Matcher found = Pattern.compile('"' + name + "\":\"([^\"]*)\"").matcher(json);
        return found.find() ? found.group(1) : null;
    }
}
