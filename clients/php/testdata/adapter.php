<?php
// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Answers the suite's requests by fountd.php.

require 'fountd.php';
require __DIR__ . '/suite.php';

function ask(#[SensitiveParameter] array $call): array
{
    $password = base64_decode($call['password_b64']);
    try {
        if ($call['call'] === 'hash') {
            return ['outcome' => 'match', 'hash' => fountd_hash($password, $call['address'])];
        }
        [$match, $new] = fountd_verify($password, $call['stored'], $call['address']);
        return ['outcome' => $match ? 'match' : 'mismatch', 'hash' => $new];
    } catch (FountdUnavailable $e) {
        return ['outcome' => 'unavailable', 'retry_after' => $e->retryAfter, 'text' => print_r($e, true)];
    } catch (Throwable $e) {
        $outcome = $e instanceof FountdInvalidPassword ? 'invalid' : 'defect';
        return ['outcome' => $outcome, 'text' => print_r($e, true)];
    }
}

answer(['client' => 'PHP ' . PHP_VERSION]);
