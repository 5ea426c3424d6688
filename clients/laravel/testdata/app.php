<?php
// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// A Laravel application with FountdHasher and users in SQLite. Its log is standard error.

error_reporting(E_ALL & ~E_DEPRECATED); // Laravel 8 is older than PHP 8.2
require getenv('FOUNT_LARAVEL') ?: 'Illuminate/autoload.php';

// An application has the two files in one folder.
$folder = sys_get_temp_dir() . '/fount-laravel-' . getmypid();
mkdir($folder);
copy(__DIR__ . '/../../php/fountd.php', "$folder/fountd.php");
copy(__DIR__ . '/../FountdHasher.php', "$folder/FountdHasher.php");
require "$folder/FountdHasher.php";
array_map('unlink', glob("$folder/*"));
rmdir($folder);

use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Contracts\Http\Kernel as HttpKernel;
use Illuminate\Foundation\Application;
use Illuminate\Foundation\Exceptions\Handler;
use Illuminate\Foundation\Http\Kernel;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Facade;
use Illuminate\Support\Facades\Hash;

class User extends Illuminate\Foundation\Auth\User
{
    protected $guarded = [];
    public $timestamps = false;

    public function getCasts()
    {
        return version_compare(app()->version(), '10.10') < 0 ? [] : ['password' => 'hashed'];
    }
}

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
    'hashing' => ['driver' => 'fountd', 'rehash_on_login' => true],
    'logging' => ['default' => 'stderr', 'channels' => ['stderr' => ['driver' => 'monolog',
        'handler' => Monolog\Handler\StreamHandler::class, 'with' => ['stream' => 'php://stderr']]]],
    'session' => ['driver' => 'array', 'path' => '/', 'domain' => null, 'secure' => true],
    'view' => ['paths' => [], 'compiled' => sys_get_temp_dir()],
]));
$app->instance('request', Request::create('/'));
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
return $app;
