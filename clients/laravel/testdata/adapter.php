<?php
// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Answers the suite's requests by the driver of Laravel's Hash, with which Auth signs in. The facade
// shows passwords in its own frames, unless zend.exception_ignore_args is set.

use Illuminate\Http\Request;
use Illuminate\Support\Facades\Hash;
use Illuminate\Validation\ValidationException;
use Symfony\Component\HttpKernel\Exception\HttpException;

$app = require __DIR__ . '/app.php';
require __DIR__ . '/../../php/testdata/suite.php';

function ask(#[SensitiveParameter] array $call): array
{
    app()->instance('request', Request::create('/', server: ['REMOTE_ADDR' => $call['address']]));
    $password = base64_decode($call['password_b64']);
    $hash = Hash::driver();
    try {
        if ($call['call'] === 'hash') {
            return ['outcome' => 'match', 'hash' => $hash->make($password)];
        }
        if (!$hash->check($password, $call['stored'])) {
            return ['outcome' => 'mismatch'];
        }
        return ['outcome' => 'match', 'hash' => $hash->needsRehash($call['stored']) ? $hash->make($password) : null];
    } catch (ValidationException $e) {
        return ['outcome' => 'invalid', 'text' => implode(' ', $e->validator->errors()->all())];
    } catch (Throwable $e) {
        $isUnavailable = $e instanceof HttpException && $e->getStatusCode() === 503;
        $found = $isUnavailable
            ? ['outcome' => 'unavailable', 'retry_after' => (int) $e->getHeaders()['Retry-After']]
            : ['outcome' => 'defect'];
        return $found + ['text' => print_r($e, true)];
    }
}

answer(['client' => 'Laravel ' . $app->version() . ', PHP ' . PHP_VERSION, 'framework' => true]);
