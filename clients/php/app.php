<?php
// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// A service with fountd.php beside it, and its users in SQLite.

declare(strict_types=1);

require __DIR__ . '/fountd.php';

function sign_up(PDO $db, string $name, #[SensitiveParameter] string $password, string $address): array
{
    $stored = fountd_hash($password, $address);
    $insert = $db->prepare('INSERT INTO users VALUES (?, ?) ON CONFLICT DO NOTHING');
    $insert->execute([$name, $stored]);
    return $insert->rowCount() === 1 ? [200, 'Welcome.'] : [409, 'That name is taken.'];
}

function log_in(PDO $db, string $name, #[SensitiveParameter] string $password, string $address): array
{
    $select = $db->prepare('SELECT hash FROM users WHERE name = ?');
    $select->execute([$name]);
    $stored = (string) $select->fetchColumn(); // '' for an unknown user

    [$match, $new] = fountd_verify($password, $stored, $address);
    if ($new !== null) {
        $db->prepare('UPDATE users SET hash = ? WHERE name = ? AND hash = ?')->execute([$new, $name, $stored]);
    }
    return $match ? [200, 'Welcome.'] : [403, 'The name or the password is wrong.'];
}

function answer(): array
{
    $db = new PDO('sqlite:' . __DIR__ . '/users.db');
    $db->exec('CREATE TABLE IF NOT EXISTS users (name TEXT PRIMARY KEY, hash TEXT)');
    $page = ['POST /signup' => 'sign_up', 'POST /login' => 'log_in']["$_SERVER[REQUEST_METHOD] $_SERVER[REQUEST_URI]"] ?? null;
    if ($page === null || !is_string($_POST['name'] ?? null) || !is_string($_POST['password'] ?? null)) {
        return [404, 'There is no such page.'];
    }
    try {
        return $page($db, $_POST['name'], $_POST['password'], $_SERVER['REMOTE_ADDR']);
    } catch (FountdInvalidPassword $e) {
        return [422, $e->getMessage()];
    } catch (FountdUnavailable $e) {
        error_log($e->getMessage());
        header("Retry-After: $e->retryAfter");
        return [503, 'Please try again soon.'];
    }
}

[$status, $words] = answer();
http_response_code($status);
header('Content-Type: text/plain');
echo "$words\n";
