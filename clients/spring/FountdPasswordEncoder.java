// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.security.crypto.password.PasswordEncoder;

// Spring Security's passwords, hashed and verified by fountd over TCP. example/App.java configures it,
// and answers its exceptions. A UserDetailsPasswordService, if there is one, gets the new hashes to
// store.

public final class FountdPasswordEncoder implements PasswordEncoder {
    /** The password is neither right nor wrong. */
    public static final class Unavailable extends RuntimeException {
        public final String retryAfter; // seconds

        Unavailable(String why, String retryAfter) {
            super("fountd: " + why);
            boolean seconds = retryAfter.matches("[1-9]\\d{0,4}") && Integer.parseInt(retryAfter) <= 86_400;
            this.retryAfter = seconds ? retryAfter : "1";
        }
    }

    /** The password is too long, or a new one is empty: tell the user. */
    public static final class InvalidPassword extends IllegalArgumentException {
        InvalidPassword(String why) {
            super(why);
        }
    }

    private record Upgrade(String password, String stored, String hash) {}

    private static final Duration TIMEOUT = Duration.ofSeconds(2); // of a call, with its second try
    private static final int MAX_REPLY = 64 << 10; // bytes

    private static final Map<String, String> INVALID = Map.of(
        "too_large", "The password is too long.",
        "too_long", "The password is too long.",
        "empty", "The password is empty.",
        "nul", "The password has a NUL character.");

    /** A scalar member of a JSON object, and what is before it. */
    private static final Pattern MEMBER = Pattern.compile(
        "\\G(?:^\\{|(?!^),)\\s*+\"([^\"\\\\]++)\"\\s*+:\\s*+(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([-+.\\w]+))\\s*+");

    private final HttpClient client;
    private final URI fountd;
    private final Supplier<String> address; // where the attempt comes from
    private final ThreadLocal<Upgrade> upgrade = new ThreadLocal<>();

    public FountdPasswordEncoder(HttpClient.Builder client, URI fountd, Supplier<String> address) {
        this.client = client
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .proxy(HttpClient.Builder.NO_PROXY)
            .connectTimeout(TIMEOUT)
            .build();
        this.fountd = fountd;
        this.address = address;
    }

    @Override
    public boolean matches(CharSequence password, String stored) {
        // A second call, for the new hash, could be refused, and the user be out who was in. So one
        // call brings both; Spring asks upgradeEncoding and encode next, in this thread.
        upgrade.remove();
        if (password == null || password.isEmpty()) {
            return false;
        }

        Map<String, Object> answer;
        try {
            answer = ask("verify", password, ",\"renew\":true,\"hash\":" + quote(stored));
        } catch (InvalidPassword e) {
            return false;
        }
        if (!(answer.get("match") instanceof Boolean match)) {
            throw new IllegalStateException("fountd: an answer without match"); // another server's
        }
        if (match && answer.get("hash") instanceof String hash) {
            upgrade.set(new Upgrade(password.toString(), stored, hash));
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
        if (password == null) {
            return null;
        }
        if (matched != null && matched.password.contentEquals(password)) {
            return matched.hash;
        }
        if (!(ask("hash", password, "").get("hash") instanceof String hash)) {
            throw new IllegalStateException("fountd: an answer without hash"); // another server's
        }
        return hash;
    }

    private Map<String, Object> ask(String what, CharSequence password, String more) {
        ByteBuffer secret;
        try {
            secret = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(password));
        } catch (CharacterCodingException e) { // getBytes makes a question mark of half a surrogate pair
            throw new InvalidPassword("The password is not Unicode.");
        }
        var base64 = StandardCharsets.ISO_8859_1.decode(Base64.getEncoder().encode(secret));
        HttpResponse<String> reply = post("/v1/" + what,
            ",\"principal\":" + quote(address.get()) + ",\"password_b64\":\"" + base64 + '"' + more + '}');
        int status = reply.statusCode();
        String type = reply.headers().firstValue("Content-Type").orElse("").replaceFirst("\\s*;.*", "");
        if (status == 200 && type.equals("application/json")) {
            return members(reply.body());
        }

        // Another server that answers here may repeat the password: so no text of it goes on.
        boolean isProblem = type.equals("application/problem+json");
        Object reason = isProblem ? members(reply.body()).getOrDefault("reason", "") : "";
        if ((status == 413 || status == 422) && INVALID.containsKey(reason)) {
            throw new InvalidPassword(INVALID.get(reason));
        }
        if ("malformed".equals(reason)) { // no hash, as Spring's own encoders have it
            System.getLogger(getClass().getName()).log(System.Logger.Level.WARNING, "fountd: a stored hash is malformed");
            return Map.of("match", false);
        }
        if (status == 429 || status >= 502 && status <= 504) {
            throw new Unavailable("" + status, reply.headers().firstValue("Retry-After").orElse(""));
        }
        throw new IllegalStateException("fountd: " + status); // a defect, which fountd's log has
    }

    /** Asks once more where a connection ends without a byte, as one that fountd closes just now. */
    private HttpResponse<String> post(String path, String members) {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        for (boolean again = false;; again = true) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            var request = HttpRequest.newBuilder(fountd.resolve(path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"deadline_ms\":" + Math.min(1000, left) + members))
                .build();
            CompletableFuture<HttpResponse<String>> reply = client.sendAsync(request, header -> body());
            try {
                return reply.get(left, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                throw new Unavailable("no answer in time", "");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new Unavailable("interrupted", "");
            } catch (ExecutionException e) {
                Throwable why = e.getCause(); // its text may be the password's echo
                if (!(why instanceof IOException)) {
                    throw new IllegalStateException("fountd: an answer of more than 64 KiB");
                }
                String text = String.valueOf(why.getMessage());
                if (again || !text.contains("received no bytes") && !text.contains("Broken pipe")) {
                    throw new Unavailable(why.getClass().getSimpleName(), "");
                }
            } finally {
                reply.cancel(true);
            }
        }
    }

    private static BodySubscriber<String> body() {
        var body = new ByteArrayOutputStream();
        return BodySubscribers.mapping(BodySubscribers.ofByteArrayConsumer(bytes -> {
            bytes.ifPresent(body::writeBytes);
            if (body.size() > MAX_REPLY) {
                throw new IllegalStateException();
            }
        }), end -> body.toString(StandardCharsets.UTF_8));
    }

    /** Returns a string as JSON, with each character escaped. */
    private static String quote(String s) {
        return Objects.requireNonNullElse(s, "").chars().mapToObj(c -> String.format("\\u%04x", c))
            .collect(Collectors.joining("", "\"", "\""));
    }

    /** Returns the members of a JSON object of scalars; none of anything else. */
    private static Map<String, Object> members(String json) {
        var members = new HashMap<String, Object>();
        Matcher member = MEMBER.matcher(json);
        int end = 0;
        for (; member.find(); end = member.end()) {
            Object value = member.group(2); // a string's text
            if (value == null) { // a number or null are of no use
                value = Map.<String, Object>of("true", true, "false", false).getOrDefault(member.group(3), 0);
            }
            if (members.put(member.group(1), value) != null) {
                return Map.of();
            }
        }
        return json.substring(end).strip().equals("}") ? members : Map.of();
    }
}
