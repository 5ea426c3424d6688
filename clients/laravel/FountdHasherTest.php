<?php
// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// A Laravel application whose users sign up and log in before a fountd, as its own documentation
// writes them.

use Illuminate\Contracts\Http\Kernel as HttpKernel;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Auth;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Hash;
use Illuminate\Support\Facades\Route;
use PHPUnit\Framework\TestCase;

final class FountdHasherTest extends TestCase
{
    private const PASSWORD = 'correct horse battery staple';
    private const STORED = '$2b$10$xPdJfNz5DFgwalm28vVjB.3uKsiWHDMC67zMLcA840LzZQIx1YAg6';

    private static $app;
    private static string $url;

    public static function setUpBeforeClass(): void
    {
        self::$url = getenv('FOUNTD_URL') ?: '';
        if (self::$url === '') {
            self::markTestSkipped('FOUNTD_URL is not set: where is fountd?');
        }
        self::$app = require __DIR__ . '/testdata/app.php';
        DB::statement('CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, password TEXT)');
        Route::post('/signup', function (Request $request) {
            User::create(['name' => $request->name, 'password' => Hash::make($request->password)]);
            return 'Welcome.';
        });
        Route::post('/login', function (Request $request) {
            abort_unless(Auth::attempt($request->only('name', 'password')), 403);
            if (version_compare(app()->version(), '11') < 0 && Hash::needsRehash(Auth::user()->password)) {
                Auth::user()->update(['password' => Hash::make($request->password)]);
            }
            return 'Welcome.';
        });
    }

    protected function setUp(): void
    {
        putenv('FOUNTD_URL=' . self::$url);
        DB::table('users')->delete();
        DB::table('users')->insert(['name' => 'ada', 'password' => self::STORED]);
    }

    private function submit(string $path, string $name, string $password)
    {
        Auth::forgetGuards();
        $request = Request::create($path, 'POST', ['name' => $name, 'password' => $password],
            [], [], ['REMOTE_ADDR' => '192.0.2.1', 'HTTP_ACCEPT' => 'application/json']);
        return self::$app[HttpKernel::class]->handle($request);
    }

    private function login(string $name, string $password): int
    {
        return $this->submit('/login', $name, $password)->getStatusCode();
    }

    private function stored(string $name = 'ada'): string
    {
        return DB::table('users')->where('name', $name)->value('password');
    }

    public function testALoginReplacesAnOldHash(): void
    {
        $this->assertSame(403, $this->login('ada', 'wrong'));
        $this->assertSame(403, $this->login('bob', self::PASSWORD));
        $this->assertSame(self::STORED, $this->stored());
        $this->assertSame(200, $this->login('ada', self::PASSWORD));
        $upgraded = $this->stored();
        $this->assertStringStartsWith('$argon2id$', $upgraded);

        $this->assertSame(200, $this->login('ada', self::PASSWORD));
        $this->assertSame($upgraded, $this->stored());
        $this->assertSame(403, $this->login('ada', 'wrong'));
    }

    public function testASignUp(): void
    {
        $this->assertSame(200, $this->submit('/signup', 'bob', self::PASSWORD)->getStatusCode());
        $this->assertSame(200, $this->login('bob', self::PASSWORD));
        $this->assertSame(403, $this->login('bob', 'wrong'));
        $reply = $this->submit('/signup', 'eve', str_repeat('x', 1025));
        $this->assertSame(422, $reply->getStatusCode());
        $this->assertStringContainsString('The password is too long.', $reply->getContent());
    }

    public function testAHashThatAnotherPasswordMatchesStays(): void
    {
        $truncated = '$2a$10$1l9.kvQTsqNLiCYFqmKtQOHkp.BrgIrwsnTzWo9jdbQRbuBYQ/AVK'; // of 73 characters
        DB::table('users')->update(['password' => $truncated]);
        $this->assertSame(200, $this->login('ada', str_repeat('1234567890', 7) . '123'));
        $this->assertSame($truncated, $this->stored());
    }

    public function testNoPasswordIsNoMatch(): void
    {
        foreach ([null, ''] as $stored) {
            $this->assertFalse(Hash::check(self::PASSWORD, $stored));
            $this->assertFalse(Hash::needsRehash($stored));
        }
        foreach ([null, '', str_repeat('x', 1025)] as $password) {
            $this->assertFalse(Hash::check($password, self::STORED));
        }
    }

    /** @dataProvider texts */
    public function testTheCastHashedKnowsAHash(string $text, bool $isHash): void
    {
        $this->assertSame($isHash, Hash::info($text)['algo'] !== null);
        if ($isHash && version_compare(self::$app->version(), '10.10') > 0) {
            $this->assertSame($text, (new User(['password' => $text]))->password);
        }
    }

    public static function texts(): array
    {
        $sums = '$ENojSbebHxWDQqHUwWlAjw$8jXS5wDLEV33J1GFW+0iK7gC7Qvh1i1NDG7cfRYLyI0';
        return [
            ['foo', false], ['', false], ['$ecret$and$more', false], ['$argon2id$', false],
            [self::STORED, true],
            ['$argon2id$v=19$m=64,t=1,p=1' . $sums, true],
            ['$argon2id$v=19$m=64,t=1,p=1,keyid=azE' . $sums, true],
            ['$fount-bcrypt$v=1$r=5,keyid=azE$KO7yTUz/yiHDc1ROCQPALg$7OdbI1U9El8qu31lKqVXxXzv1sTZXcU', true],
            ['$scrypt$ln=10,r=8,p=1' . $sums, true],
            ['$pbkdf2-sha512$1000$j6KwpJhYaKLlk8aiVwJzaw$1csDLlLJONxqC5azfHGSQDKleMWJwMV83CIVeRC2vNY', true],
        ];
    }

    public function testAServerThatIsAway(): void
    {
        putenv('FOUNTD_URL=http://127.0.0.1:1');
        $reply = $this->submit('/login', 'ada', self::PASSWORD);
        $this->assertSame(503, $reply->getStatusCode());
        $this->assertEquals(1, $reply->headers->get('Retry-After'));
    }
}
