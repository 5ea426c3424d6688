<?php
// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Passwords by fountd, with PHP's curl extension. Copy this file into your service:
//
//   [$match, $new] = fountd_verify($given, $stored, $address); // store $new, unless null
//   $stored = fountd_hash($given, $address);
//
// The address is where the attempt comes from. For an unknown user, $stored is ''.

declare(strict_types=1);

/** The password is neither right nor wrong: answer 503 with Retry-After. */
final class FountdUnavailable extends RuntimeException
{
    public function __construct(string $why, public readonly string $retryAfter = '1') // seconds
    {
        parent::__construct($why);
    }
}

/** The password is too long, or a new one is empty: tell the user. */
final class FountdInvalidPassword extends InvalidArgumentException {}

/** @return array{bool, ?string} whether the password matches, and the hash to store, if any */
function fountd_verify(#[SensitiveParameter] string $password, string $stored, string $address): array
{
    $answer = fountd('verify', $password, $address, ['hash' => $stored, 'upgrade' => true]);
    if (!is_bool($answer['match'] ?? null)) {
        throw new RuntimeException('fountd: an answer without match'); // a proxy's
    }
    return [$answer['match'], $answer['hash'] ?? null];
}

function fountd_hash(#[SensitiveParameter] string $password, string $address): string
{
    return fountd('hash', $password, $address)['hash'];
}

function fountd(string $what, #[SensitiveParameter] string $password, string $address, array $request = []): array
{
    $request += ['password_b64' => base64_encode($password), 'principal' => $address, 'deadline_ms' => 1000];
    $retryAfter = '1';
    $curl = curl_init("http://fountd/v1/$what"); // over TCP http://127.0.0.1:8080, without the next option
    curl_setopt_array($curl, [
        CURLOPT_UNIX_SOCKET_PATH => getenv('FOUNTD_SOCKET') ?: '/run/fountd/fountd.sock',
        CURLOPT_HTTPHEADER => ['Content-Type: application/json'],
        CURLOPT_POSTFIELDS => json_encode($request, JSON_THROW_ON_ERROR),
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 5,
        CURLOPT_PROXY => '', // none, whatever http_proxy says
        CURLOPT_HEADERFUNCTION => function ($curl, string $line) use (&$retryAfter): int {
            if (preg_match('/^retry-after: *(.*\S)/i', $line, $found)) {
                $retryAfter = $found[1];
            }
            return strlen($line);
        },
    ]);
    $body = curl_exec($curl);
    if ($body === false) {
        throw new FountdUnavailable('fountd: ' . curl_error($curl));
    }
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    if ($status === 200) {
        return json_decode($body, true) ?? [];
    }
    // Others that answer at this address may repeat the password, and say nothing of it.
    $isProblem = curl_getinfo($curl, CURLINFO_CONTENT_TYPE) === 'application/problem+json';
    $problem = ($isProblem ? json_decode($body, true) : []) + ['reason' => '', 'detail' => ''];
    $why = "fountd: $status $problem[detail]";
    if (in_array($status, [429, 502, 503, 504], true)) {
        throw new FountdUnavailable($why, $retryAfter);
    }
    if (in_array($problem['reason'], ['too_large', 'too_long', 'empty', 'nul'], true)) {
        throw new FountdInvalidPassword($problem['detail']);
    }
    throw new RuntimeException($why); // a defect
}
