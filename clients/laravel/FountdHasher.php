<?php
// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Laravel's passwords, hashed and verified by fountd. Put this file and fountd.php into app/, write
//
//   Hash::extend('fountd', fn () => new \App\FountdHasher());
//
// into AppServiceProvider's boot, and set hashing.driver to fountd. If fountd has a pepper, don't use
// the cast 'hashed': PHP doesn't know such a hash for one.

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

    public function check(#[SensitiveParameter] $value, $hashedValue, array $options = [])
    {
        // A second call, for the new hash, could be refused, and the user be out who was in. So one
        // call brings both; needsRehash and make are next.
        $this->upgrade = null;
        try {
            [$match, $new] = $this->ask(fn ($address) => fountd_verify($value, $hashedValue ?? '', $address));
        } catch (FountdInvalidPassword) {
            return false;
        }
        if ($new !== null) {
            $this->upgrade = [$value, $hashedValue, $new];
        }
        return $match;
    }

    public function needsRehash($hashedValue, array $options = [])
    {
        return $hashedValue === ($this->upgrade[1] ?? null);
    }

    public function make(#[SensitiveParameter] $value, array $options = [])
    {
        [$password, , $new] = $this->upgrade ?? [null, null, null];
        $this->upgrade = null;
        if ($value === $password) {
            return $new;
        }
        try {
            return $this->ask(fn ($address) => fountd_hash($value, $address));
        } catch (FountdInvalidPassword $e) {
            throw ValidationException::withMessages(['password' => $e->getMessage()]);
        }
    }

    public function info($hashedValue)
    {
        return password_get_info($hashedValue);
    }

    private function ask(callable $call)
    {
        try {
            return $call(request()->ip() ?? '');
        } catch (FountdUnavailable $e) {
            report($e);
            throw new ServiceUnavailableHttpException($e->retryAfter, 'Please try again soon.', $e);
        }
    }
}
