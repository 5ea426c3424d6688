<?php
// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Passwords by fountd, with PHP's curl extension. Copy this file into your service:
//
//   [$match, $new] = fountd_verify($given, $stored, $address); // store $new, unless null
//   $stored = fountd_hash($given, $address);
//
// The address is where the attempt comes from. For an unknown user, $stored is '' or null.
//
// FOUNTD_URL says where fountd is: /run/fountd/fountd.sock if unset, another path, or http:// or
// https://HOST:PORT, for which FOUNTD_CA, FOUNTD_CERT and FOUNTD_KEY name TLS's files. PHP-FPM passes on
// only variables in its pool's env[...], unless clear_env = no.

declare(strict_types=1);

/** The password is neither right nor wrong: answer 503 with Retry-After. */
final class FountdUnavailable extends RuntimeException
{
    public function __construct(string $why, public readonly int $retryAfter = 1) // seconds
    {
        parent::__construct($why);
    }
}

/** The password is too long, or a new one is empty: tell the user. */
final class FountdInvalidPassword extends InvalidArgumentException {}

const FOUNTD_TIMEOUT = 2000; // milliseconds for a whole call, of which fountd has 1000
const FOUNTD_MAX_REPLY = 64 << 10; // bytes
const FOUNTD_INVALID = [
    'too_long' => 'The password is too long.',
    'too_large' => 'The password is too long.',
    'empty' => 'The password is empty.',
    'nul' => 'The password has a NUL character.',
];

/** @return array{bool, ?string} whether the password matches, and the hash to store, if any */
function fountd_verify(
    #[SensitiveParameter] string $password,
    #[SensitiveParameter] ?string $stored,
    string $address,
): array {
    $answer = fountd('verify', $password, $address, ['hash' => $stored ?? '', 'renew' => true]);
    return [$answer['match'], $answer['hash'] ?? null];
}

function fountd_hash(#[SensitiveParameter] string $password, string $address): string
{
    return fountd('hash', $password, $address)['hash'];
}

/** Returns the members of fountd's answer. */
function fountd(
    string $what,
    #[SensitiveParameter] string $password,
    string $address,
    #[SensitiveParameter] array $members = [],
): array {
    $members += ['password_b64' => base64_encode($password), 'principal' => $address];
    $deadline = hrtime(true) / 1e6 + FOUNTD_TIMEOUT;

    // A server that restarts ends connections unanswered: ask once more.
    [$status, $headers, $body, $why] = fountd_post($what, $members, $deadline);
    $milliseconds = (int) ($deadline - hrtime(true) / 1e6);
    if ($why !== '' && $status === 0 && $milliseconds > 0) {
        [$status, $headers, $body, $why] = fountd_post($what, $members, $deadline);
    }
    if ($why !== '') {
        throw new FountdUnavailable("fountd: $why");
    }

    $type = strtolower(trim(explode(';', $headers['content-type'] ?? '')[0]));
    $isProblem = $type === 'application/problem+json';
    $answer = $isProblem || $type === 'application/json' ? json_decode($body, true) : null;
    $answer = is_array($answer) ? $answer : [];
    if ($status === 200) {
        $isOurs = is_string($answer['hash'] ?? ($what === 'verify' ? '' : null))
            && ($what !== 'verify' || is_bool($answer['match'] ?? null));
        if ($isOurs && !$isProblem) {
            return $answer;
        }
        throw new RuntimeException('fountd: an answer of another server');
    }

    // Whoever else answers at this address may repeat the password: none of its words goes on.
    $why = "fountd: $status";
    if (in_array($status, [429, 502, 503, 504], true)) {
        $seconds = $headers['retry-after'] ?? '';
        throw new FountdUnavailable($why, preg_match('/^[1-9]\d{0,4}$/D', $seconds) ? (int) $seconds : 1);
    }
    $reason = $isProblem && is_string($answer['reason'] ?? null) ? $answer['reason'] : '';
    if (in_array($status, [413, 422], true) && isset(FOUNTD_INVALID[$reason])) {
        throw new FountdInvalidPassword(FOUNTD_INVALID[$reason]);
    }
    throw new RuntimeException($why); // a defect, of which fountd's log has more
}

/**
 * @return array{int, array<string, string>, string, string} a reply's status, headers and body, or
 *     else why there is none, with status 0 if not one line came
 */
function fountd_post(string $what, #[SensitiveParameter] array $members, float $deadline): array
{
    $url = getenv('FOUNTD_URL') ?: '/run/fountd/fountd.sock';
    $left = max(1, (int) ($deadline - hrtime(true) / 1e6));
    $headers = [];
    $body = '';
    $curl = curl_init(($url[0] === '/' ? 'http://fountd' : $url) . "/v1/$what");
    curl_setopt_array($curl, [
        CURLOPT_HTTPHEADER => ['Content-Type: application/json'],
        CURLOPT_POSTFIELDS => json_encode($members + ['deadline_ms' => min(1000, $left)], JSON_INVALID_UTF8_SUBSTITUTE),
        CURLOPT_TIMEOUT_MS => $left,
        CURLOPT_PROXY => '', // none, whatever http_proxy says
        CURLOPT_HEADERFUNCTION => function ($curl, string $line) use (&$headers): int {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $headers[strtolower($name)] = trim($value);
            return strlen($line);
        },
        CURLOPT_WRITEFUNCTION => function ($curl, string $chunk) use (&$body): int {
            $body .= $chunk;
            return strlen($body) > FOUNTD_MAX_REPLY ? 0 : strlen($chunk);
        },
    ]);
    if ($url[0] === '/') {
        curl_setopt($curl, CURLOPT_UNIX_SOCKET_PATH, $url);
    }
    foreach (['CA' => CURLOPT_CAINFO, 'CERT' => CURLOPT_SSLCERT, 'KEY' => CURLOPT_SSLKEY] as $name => $option) {
        if (getenv("FOUNTD_$name")) {
            curl_setopt($curl, $option, getenv("FOUNTD_$name"));
        }
    }
    $why = curl_exec($curl) ? '' : curl_strerror(curl_errno($curl)); // curl_error may have what came
    return [$headers ? curl_getinfo($curl, CURLINFO_RESPONSE_CODE) : 0, $headers, $body, $why];
}
