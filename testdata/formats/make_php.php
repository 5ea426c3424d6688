<?php
// make_php answers for PHP's password_hash and crypt: README.md has the questions.

if (!defined('PASSWORD_ARGON2ID')) {
    fwrite(STDERR, "this PHP has no Argon2\n");
    exit(1);
}
$argon2 = ['memory_cost' => 64, 'time_cost' => 2];
$crypt = fn($setting) => function ($password) use ($setting) {
    $hash = crypt($password, $setting);
    return strlen($hash) < 13 ? throw new Exception('crypt refuses') : $hash;
};
$cheap = [
    'password_hash bcrypt' => fn($password) => password_hash($password, PASSWORD_BCRYPT, ['cost' => 4]),
    'password_hash argon2i' => fn($password) => password_hash($password, PASSWORD_ARGON2I, $argon2),
    'password_hash argon2id' => fn($password) => password_hash($password, PASSWORD_ARGON2ID, $argon2),
    'crypt 2a' => $crypt('$2a$04$abcdefghijklmnopqrstuu'),
    'crypt 2x' => $crypt('$2x$04$abcdefghijklmnopqrstuu'),
    'crypt 2y' => $crypt('$2y$04$abcdefghijklmnopqrstuu'),
    'crypt MD5' => $crypt('$1$saltsalt'),
    'crypt SHA-256' => $crypt('$5$rounds=1000$saltsaltsaltsalt'),
    'crypt SHA-512' => $crypt('$6$rounds=1000$saltsaltsaltsalt'),
    'crypt DES' => $crypt('ab'),
    'crypt extended DES' => $crypt('_J9..rasm'),
];
$default = [
    'password_hash default' => fn($password) => password_hash($password, PASSWORD_DEFAULT),
    'password_hash argon2id default' => fn($password) => password_hash($password, PASSWORD_ARGON2ID),
    'crypt SHA-512 default' => $crypt('$6$saltsaltsaltsalt'),
];

function attempt($call)
{
    try {
        $answer = $call();
        return is_bool($answer) ? ($answer ? 'y' : 'n') : $answer;
    } catch (Throwable $e) {
        return '! ' . substr($e->getMessage(), 0, 120);
    }
}

echo 'PHP ', PHP_VERSION, "\n";
while (($line = fgets(STDIN)) !== false) {
    if ($line === "published\n") {
        continue; // they are not in the package
    }
    [$verb, $rest] = explode(' | ', rtrim($line, "\n"), 2);
    if ($verb === 'check') {
        [, $given, $stored] = explode(' | ', $rest);
        echo attempt(fn() => password_verify(hex2bin($given), $stored)), "\n";
        continue;
    }
    foreach ($verb === 'default' ? $default : $cheap as $form => $make) {
        echo "$form | $rest | ", attempt(fn() => $make(hex2bin($rest))), "\n";
    }
}
