<?php
// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Laravel's passwords, hashed and verified by fountd. Put this file and fountd.php into app/, write
//
//   Hash::extend('fountd', fn () => new \App\FountdHasher());
//
// into AppServiceProvider's boot, and set hashing.driver to fountd.

namespace App;

use FountdInvalidPassword;
use FountdUnavailable;
use Illuminate\Contracts\Hashing\Hasher;
use Illuminate\Validation\ValidationException;
use SensitiveParameter;
use Symfony\Component\HttpKernel\Exception\ServiceUnavailableHttpException;

require_once __DIR__ . '/fountd.php';

final class FountdHasher implements Hasher
{
    private ?array $upgrade = null; // of the last check: the password, its stored hash, the new one

    public function check(#[SensitiveParameter] $value, #[SensitiveParameter] $hashedValue, array $options = [])
    {
        // A second call, for the new hash, could be refused, and the user be out who was in. So one
        // call brings both; needsRehash and make are next.
        $this->upgrade = null;
        try {
            [$match, $new] = $this->ask(fn ($address) => fountd_verify((string) $value, $hashedValue ?? '', $address));
        } catch (FountdInvalidPassword) {
            return false;
        }
        if ($match && $new !== null) {
            $this->upgrade = [$value, $hashedValue, $new];
        }
        return $match;
    }

    public function needsRehash(#[SensitiveParameter] $hashedValue, array $options = [])
    {
        return $this->upgrade !== null && $hashedValue === $this->upgrade[1];
    }

    public function make(#[SensitiveParameter] $value, array $options = [])
    {
        $upgrade = $this->upgrade;
        $this->upgrade = null;
        if ($upgrade !== null && $value === $upgrade[0]) {
            return $upgrade[2];
        }
        try {
            return $this->ask(fn ($address) => fountd_hash((string) $value, $address));
        } catch (FountdInvalidPassword $e) {
            throw ValidationException::withMessages(['password' => $e->getMessage()]);
        }
    }

    // The cast 'hashed' hashes what has no algo; PHP has none for bcrypt as $2b$ or with a pepper.
    public function info(#[SensitiveParameter] $hashedValue)
    {
        $names = '2[aby]|argon2id?|scrypt|pbkdf2-sha\d+|fount-bcrypt|fount-wrap';
        preg_match("{^\\$($names)\\$[!-~]{30,}$}D", (string) $hashedValue, $found);
        return ['algo' => $found[1] ?? null, 'algoName' => $found[1] ?? 'unknown', 'options' => []];
    }

    public function verifyConfiguration(#[SensitiveParameter] $value)
    {
        return true; // fountd says at the next match what it replaces
    }

    private function ask(#[SensitiveParameter] callable $call)
    {
        try {
            return $call(request()->ip() ?? '');
        } catch (FountdUnavailable $e) {
            report($e);
            throw new ServiceUnavailableHttpException($e->retryAfter, 'Please try again soon.', $e);
        }
    }
}
