<?php
// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tries fountd.php with one answer of a server: phpunit FountdTest.php

use PHPUnit\Framework\TestCase;

require_once __DIR__ . '/fountd.php';

final class FountdTest extends TestCase
{
    private mixed $server = null;
    private string $directory;

    /** Has PHP's own server give each request this answer, and keep what it was asked. */
    private function serve(int $status, string $body, string $type = 'application/json'): void
    {
        $this->directory = sys_get_temp_dir() . '/fountd-' . bin2hex(random_bytes(8));
        mkdir($this->directory);
        $answer = var_export([$status, $body, $type], true);
        file_put_contents("$this->directory/answer.php", "<?php [\$status, \$body, \$type] = $answer;" . '
            file_put_contents(__DIR__ . "/asked", file_get_contents("php://input"));
            http_response_code($status);
            header("Content-Type: $type");
            header("Retry-After: 7");
            echo $body;');
        $free = stream_socket_server('tcp://127.0.0.1:0');
        $host = stream_socket_get_name($free, false);
        fclose($free);
        $this->server = proc_open([PHP_BINARY, '-S', $host, "$this->directory/answer.php"], [2 => ['file', '/dev/null', 'w']], $pipes);
        while (!@fsockopen("tcp://$host")) {
            usleep(10_000);
        }
        putenv("FOUNTD_URL=http://$host");
    }

    protected function tearDown(): void
    {
        if ($this->server) {
            proc_terminate($this->server);
            array_map('unlink', glob("$this->directory/*"));
            rmdir($this->directory);
        }
    }

    public function testMatch(): void
    {
        $this->serve(200, '{"match": true, "hash": "new"}');
        $this->assertSame([true, 'new'], fountd_verify('€', 'stored', '192.0.2.1'));
        $members = json_decode(file_get_contents("$this->directory/asked"), true);
        $this->assertLessThanOrEqual(1000, $members['deadline_ms']);
        unset($members['deadline_ms']);
        $this->assertEquals(
            ['password_b64' => '4oKs', 'hash' => 'stored', 'principal' => '192.0.2.1', 'renew' => true],
            $members,
        );
    }

    public function testMismatch(): void
    {
        $this->serve(200, '{"match": false}');
        $this->assertSame([false, null], fountd_verify('guess', null, '192.0.2.1'));
    }

    public function testHash(): void
    {
        $this->serve(200, '{"hash": "made"}');
        $this->assertSame('made', fountd_hash('new', '192.0.2.1'));
    }

    public function testOverloaded(): void
    {
        $this->serve(503, '');
        try {
            fountd_verify('any', 'stored', '192.0.2.1');
            $this->fail('no exception');
        } catch (FountdUnavailable $e) {
            $this->assertSame(7, $e->retryAfter);
        }
    }

    public function testAway(): void
    {
        putenv('FOUNTD_URL=/nowhere');
        $this->expectException(FountdUnavailable::class);
        fountd_verify('any', 'stored', '192.0.2.1');
    }

    public function testTooLong(): void
    {
        $this->serve(422, '{"reason": "too_long"}', 'application/problem+json');
        $this->expectExceptionObject(new FountdInvalidPassword('The password is too long.'));
        fountd_hash(str_repeat('x', 1025), '192.0.2.1');
    }

    public function testAnotherServer(): void
    {
        $this->serve(200, '{"match": "true"}');
        $this->expectExceptionMessage('another server');
        fountd_verify('any', 'stored', '192.0.2.1');
    }
}
