<?php
// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

require 'fountd.php';

[, $password, $stored, $address] = $argv;
try {
    [$match, $new] = fountd_verify($password, $stored, $address);
    echo var_export($match, true), " $new ", fountd_hash($password, $address), "\n";
} catch (FountdUnavailable $e) {
    echo "try again in $e->retryAfter s\n";
} catch (FountdInvalidPassword $e) {
    echo "invalid: {$e->getMessage()}\n";
}
