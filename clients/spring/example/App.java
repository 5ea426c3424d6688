// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package app;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.servlet.HandlerExceptionResolver;

// A service in Spring Boot with FountdPasswordEncoder beside it.
@SpringBootApplication
public class App {
    public static void main(String[] args) {
        SpringApplication.run(App.class, args);
    }

    @Bean
    PasswordEncoder passwordEncoder() { // alone: fountd reads {bcrypt}... too
        HttpClient.Builder client = HttpClient.newBuilder(); // for TLS with a client certificate: .sslContext(...)
        URI fountd = URI.create(System.getenv("FOUNTD_URL"));
        return new FountdPasswordEncoder(client, fountd, () ->
            RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes now
                ? now.getRequest().getRemoteAddr() : "");
    }

    // Logins are filters too, and advice is for controllers.
    @Bean
    FilterRegistrationBean<Filter> fountdFilter(@Qualifier("handlerExceptionResolver") HandlerExceptionResolver advice) {
        var filter = new FilterRegistrationBean<Filter>((request, response, chain) -> {
            try {
                chain.doFilter(request, response);
            } catch (FountdPasswordEncoder.Unavailable e) {
                advice.resolveException((HttpServletRequest) request, (HttpServletResponse) response, null, e);
            }
        });
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return filter;
    }

    @RestControllerAdvice
    static class FountdAdvice {
        @ExceptionHandler
        ResponseEntity<String> unavailable(FountdPasswordEncoder.Unavailable e) {
            return ResponseEntity.status(503).header("Retry-After", e.retryAfter).body("Please try again soon.\n");
        }

        @ExceptionHandler
        ResponseEntity<String> invalid(FountdPasswordEncoder.InvalidPassword e) {
            return ResponseEntity.status(422).body(e.getMessage() + "\n");
        }
    }

    // What follows is any service's. As a UserDetailsPasswordService too, the store gets new hashes.
    @Bean
    InMemoryUserDetailsManager users() {
        return new InMemoryUserDetailsManager();
    }

    @Bean
    SecurityFilterChain chain(HttpSecurity http) throws Exception {
        return http
            .csrf(csrf -> csrf.ignoringRequestMatchers("/signup", "/login")) // curl has no token
            .authorizeHttpRequests(requests -> requests
                .requestMatchers("/signup").permitAll()
                .anyRequest().authenticated())
            .formLogin(login -> login
                .usernameParameter("name")
                .successHandler((request, response, user) -> say(response, 200, "Welcome."))
                .failureHandler((request, response, e) -> say(response, 403, "The name or the password is wrong.")))
            .build();
    }

    static void say(HttpServletResponse response, int status, String words) throws IOException {
        response.setStatus(status);
        response.getWriter().println(words);
    }

    @RestController
    record SignUp(InMemoryUserDetailsManager users, PasswordEncoder encoder) {
        @PostMapping("/signup")
        ResponseEntity<String> signUp(@RequestParam String name, @RequestParam String password) {
            var user = User.withUsername(name).password(encoder.encode(password)).build();
            synchronized (users) { // INSERT, where the name is a unique key
                if (users.userExists(name)) {
                    return ResponseEntity.status(409).body("That name is taken.\n");
                }
                users.createUser(user);
            }
            return ResponseEntity.ok("Welcome.\n");
        }
    }
}
