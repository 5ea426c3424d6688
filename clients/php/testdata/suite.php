<?php
// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// What the adapters of PHP and Laravel share: a program has ask(), which answers one call.

function outcome(#[SensitiveParameter] array $call): array
{
    foreach (['URL' => 'server', 'CA' => 'ca', 'CERT' => 'cert', 'KEY' => 'key'] as $name => $member) {
        putenv("FOUNTD_$name" . (empty($call[$member]) ? '' : "=$call[$member]"));
    }
    $began = microtime(true);
    return ask($call) + ['elapsed_ms' => (int) (1000 * (microtime(true) - $began))];
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

/** Says hello and answers what the suite asks. */
function answer(array $hello): void
{
    $batches = function_exists('pcntl_fork') ? ['forks'] : [];
    echo json_encode($hello + ['unix' => true, 'tls' => true, 'batches' => $batches]), "\n";
    while (($line = fgets(STDIN)) !== false) {
        // Half of a surrogate pair, which JSON may have and PHP may not, is in password_b64 as well.
        $request = json_decode(preg_replace('/\\\\u[dD][89a-fA-F][0-9a-fA-F]{2}/', '?', $line), true, 512, JSON_THROW_ON_ERROR);
        $answer = isset($request['batch']) ? ['outcomes' => forks($request['calls'])] : outcome($request);
        echo json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE), "\n";
    }
}
