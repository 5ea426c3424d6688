// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.springframework.security.crypto.password.PasswordEncoder;

/** Calls the encoder as Spring Security's DaoAuthenticationProvider does. */
class Adapter {
    record Server(String url, String ca, String cert, String key) {}

    static final ObjectMapper json = new ObjectMapper();
    static final Map<Server, FountdPasswordEncoder> encoders = new ConcurrentHashMap<>();
    static final ThreadLocal<String> address = new ThreadLocal<>();

    public static void main(String[] args) throws Exception {
        String spring = Path.of(PasswordEncoder.class.getProtectionDomain().getCodeSource().getLocation().getPath())
            .getFileName().toString().replaceAll(".*-|\\.jar", "");
        print(Map.of("client", "Spring Security " + spring + ", Java " + Runtime.version().feature(),
            "unix", false, "tls", true, "framework", true, "batches", List.of("threads")));
        for (var lines = new Scanner(System.in, "UTF-8"); lines.hasNextLine();) {
            Map<String, Object> request = json.readValue(lines.nextLine(), new TypeReference<>() {});
            if (request.get("calls") == null) {
                print(outcome(request));
                continue;
            }
            @SuppressWarnings("unchecked") var calls = (List<Map<String, Object>>) request.get("calls");
            var threads = Executors.newFixedThreadPool(calls.size());
            var outcomes = new java.util.ArrayList<Object>();
            for (var answer : threads.invokeAll(calls.stream().map(c -> (java.util.concurrent.Callable<Object>) () ->
                    outcome(c)).toList())) {
                outcomes.add(answer.get());
            }
            threads.shutdown();
            print(Map.of("outcomes", outcomes));
        }
    }

    static void print(Object line) throws Exception {
        System.out.println(json.writeValueAsString(line));
    }

    static Map<String, Object> outcome(Map<String, Object> request) {
        var outcome = new HashMap<String, Object>();
        long start = System.nanoTime();
        try {
            var server = new Server((String) request.get("server"), (String) request.get("ca"),
                (String) request.get("cert"), (String) request.get("key"));
            var encoder = encoders.computeIfAbsent(server, Adapter::connect);
            String password = (String) request.get("password"), stored = (String) request.get("stored");
            address.set((String) request.get("address"));

            start = System.nanoTime();
            if (request.get("call").equals("hash")) {
                outcome.put("hash", encoder.encode(password));
                outcome.put("outcome", "match");
            } else if (encoder.matches(password, stored)) {
                outcome.put("hash", encoder.upgradeEncoding(stored) ? encoder.encode(password) : null);
                outcome.put("outcome", "match");
            } else {
                outcome.put("outcome", "mismatch");
            }
        } catch (FountdPasswordEncoder.Unavailable e) {
            outcome.put("outcome", "unavailable");
            outcome.put("retry_after", Integer.parseInt(e.retryAfter));
            outcome.put("text", text(e));
        } catch (FountdPasswordEncoder.InvalidPassword e) {
            outcome.put("outcome", "invalid");
            outcome.put("text", e.getMessage());
        } catch (Throwable e) {
            outcome.put("outcome", "defect");
            outcome.put("text", text(e));
        }
        outcome.put("elapsed_ms", (System.nanoTime() - start) / 1_000_000);
        return outcome;
    }

    static String text(Throwable e) {
        var text = new StringWriter();
        e.printStackTrace(new PrintWriter(text, true)); // with all causes
        return text.toString();
    }

    static FountdPasswordEncoder connect(Server server) {
        var client = HttpClient.newBuilder();
        try {
            if (server.url.startsWith("https:")) {
                client.sslContext(context(server));
            }
        } catch (Exception e) {
            throw new IllegalArgumentException(e);
        }
        return new FountdPasswordEncoder(client, URI.create(server.url), address::get);
    }

    static SSLContext context(Server server) throws Exception {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        if (server.ca != null) {
            store.setCertificateEntry("ca", certificate(server.ca));
        }
        if (server.cert != null) {
            byte[] key = Base64.getMimeDecoder().decode(Files.readString(Path.of(server.key)).replaceAll("-----.*", ""));
            store.setKeyEntry("client", KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key)),
                new char[0], new Certificate[] {certificate(server.cert)});
        }
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(server.ca != null ? store : null);
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, new char[0]);
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    static Certificate certificate(String file) throws Exception {
        return CertificateFactory.getInstance("X.509").generateCertificate(
            new ByteArrayInputStream(Files.readAllBytes(Path.of(file))));
    }
}
