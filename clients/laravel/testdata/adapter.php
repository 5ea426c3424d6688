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

function outcome(#[SensitiveParameter] array $call): array
{
    $began = microtime(true);
    return ask($call) + ['elapsed_ms' => (int) (1000 * (microtime(true) - $began))];
}

function ask(#[SensitiveParameter] array $call): array
{
    foreach (['URL' => 'server', 'CA' => 'ca', 'CERT' => 'cert', 'KEY' => 'key'] as $name => $member) {
        putenv("FOUNTD_$name" . (empty($call[$member]) ? '' : "=$call[$member]"));
    }
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

/** Forks 8 workers after a call. One call at a time is all that PHP has. */
function forks(#[SensitiveParameter] array $calls): array
{
    $outcomes = [outcome($calls[0]), outcome($calls[1])];
    $pipes = [];
    for ($worker = 0; $worker < 8; $worker++) {
        [$read, $write] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        if (pcntl_fork() === 0) {
            $share = array_filter(array_slice($calls, 2), fn ($n) => $n % 8 === $worker, ARRAY_FILTER_USE_KEY);
            fwrite($write, json_encode(array_map('outcome', $share)));
            posix_kill(getmypid(), SIGKILL);
        }
        fclose($write);
        $pipes[] = $read;
    }
    foreach ($pipes as $read) {
        foreach (json_decode(stream_get_contents($read), true) as $n => $outcome) {
            $outcomes[2 + $n] = $outcome;
        }
        pcntl_wait($status);
    }
    ksort($outcomes);
    return $outcomes;
}

$client = 'Laravel ' . $app->version() . ', PHP ' . PHP_VERSION;
$batches = function_exists('pcntl_fork') ? ['forks'] : [];
echo json_encode(['client' => $client, 'unix' => true, 'tls' => true, 'framework' => true, 'batches' => $batches]), "\n";
while (($line = fgets(STDIN)) !== false) {
    // Half of a surrogate pair, which JSON may have and PHP may not, is in password_b64 as well.
    $request = json_decode(preg_replace('/\\\\u[dD][89a-fA-F][0-9a-fA-F]{2}/', '?', $line), true, 512, JSON_THROW_ON_ERROR);
    $answer = isset($request['batch']) ? ['outcomes' => forks($request['calls'])] : outcome($request);
    echo json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE), "\n";
}
