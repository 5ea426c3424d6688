<?php
// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// A Laravel application whose users sign up and log in, as its own documentation writes them.

error_reporting(E_ALL & ~E_DEPRECATED); // Laravel 8 is older than PHP 8.2
require 'Illuminate/autoload.php';
require 'FountdHasher.php';

use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Contracts\Http\Kernel as HttpKernel;
use Illuminate\Foundation\Application;
use Illuminate\Foundation\Auth\User as Authenticatable;
use Illuminate\Foundation\Exceptions\Handler;
use Illuminate\Foundation\Http\Kernel;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Auth;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Facade;
use Illuminate\Support\Facades\Hash;
use Illuminate\Support\Facades\Route;

class User extends Authenticatable
{
    protected $guarded = [];
    public $timestamps = false;
}

[, $password, $stored, $address] = $argv;
$app = new Application(__DIR__);
$app->instance('config', new Illuminate\Config\Repository([
    'app' => ['debug' => true, 'env' => 'testing', 'locale' => 'en', 'fallback_locale' => 'en',
        'key' => str_repeat('k', 32), 'cipher' => 'AES-256-CBC'],
    'auth' => [
        'defaults' => ['guard' => 'web'],
        'guards' => ['web' => ['driver' => 'session', 'provider' => 'users']],
        'providers' => ['users' => ['driver' => 'eloquent', 'model' => User::class]],
    ],
    'database' => ['default' => 'db', 'connections' => ['db' => ['driver' => 'sqlite', 'database' => ':memory:']]],
    'hashing' => ['driver' => 'fountd'],
    'logging' => ['default' => 'none', 'channels' => [
        'none' => ['driver' => 'monolog', 'handler' => Monolog\Handler\NullHandler::class]]],
    'session' => ['driver' => 'array', 'path' => '/', 'domain' => null, 'secure' => true],
    'view' => ['paths' => [], 'compiled' => __DIR__],
]));
$app->singleton(HttpKernel::class, Kernel::class);
$app->singleton(ExceptionHandler::class, Handler::class);
Facade::setFacadeApplication($app);
foreach (['Auth\Auth', 'Cookie\Cookie', 'Database\Database', 'Encryption\Encryption', 'Filesystem\Filesystem',
    'Hashing\Hash', 'Session\Session', 'Translation\Translation', 'Validation\Validation', 'View\View'] as $name) {
    $app->register("Illuminate\\{$name}ServiceProvider");
}
$app->bootstrapWith([]);
$app->boot();
Hash::extend('fountd', fn () => new App\FountdHasher());
DB::statement('CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, password TEXT)');
DB::table('users')->insert(['name' => 'ada', 'password' => $stored]);

Route::post('/signup', function (Request $request) {
    User::create(['name' => $request->name, 'password' => Hash::make($request->password)]);
    return 'Welcome.';
});
Route::post('/login', function (Request $request) {
    if (!Auth::once($request->only('name', 'password'))) {
        abort(403);
    }
    if (Hash::needsRehash(Auth::user()->password)) { // as Laravel does itself from 11 on
        Auth::user()->update(['password' => Hash::make($request->password)]);
    }
    return 'Welcome.';
});

foreach ([['login', 'ada'], ['signup', 'bob'], ['login', 'bob']] as [$path, $name]) {
    $request = Request::create("/$path", 'POST', ['name' => $name, 'password' => $password],
        server: ['REMOTE_ADDR' => $address, 'HTTP_ACCEPT' => 'application/json']);
    $reply = $app[HttpKernel::class]->handle($request);
    switch ($reply->getStatusCode()) {
        case 503:
            exit("try again in {$reply->headers->get('Retry-After')} s\n");
        case 422:
            exit("invalid: {$reply->getContent()}\n");
        case 200:
            echo 'true ', User::firstWhere('name', $name)->password, "\n";
            break;
        case 500:
            echo $reply->getContent();
            exit(1);
        default:
            echo $reply->getStatusCode(), "\n";
    }
}
