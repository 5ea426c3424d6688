# make_crypt answers for the C library's crypt, of libxcrypt on Debian, by Perl and by mkpasswd: README.md has the questions.
use strict;
use warnings;

my %cheap = (
    'yescrypt' => '$y$j75$SaltOf16Letters.',
    'gost-yescrypt' => '$gy$j75$SaltOf16Letters.',
    'scrypt' => '$7$5/..../....SaltOf16Letters.',
    'bcrypt 2a' => '$2a$04$abcdefghijklmnopqrstuu',
    'bcrypt 2b' => '$2b$04$abcdefghijklmnopqrstuu',
    'bcrypt 2x' => '$2x$04$abcdefghijklmnopqrstuu',
    'bcrypt 2y' => '$2y$04$abcdefghijklmnopqrstuu',
    'sha512crypt' => '$6$rounds=1000$saltsaltsaltsalt',
    'sha256crypt' => '$5$rounds=1000$saltsaltsaltsalt',
    'sha1crypt' => '$sha1$1000$saltsalt',
    'sunmd5' => '$md5,rounds=1$saltsalt$',
    'md5crypt' => '$1$saltsalt',
    'bsdicrypt' => '_J9..rasm',
    'descrypt' => 'ab',
    'nt' => '$3$',
);
my %default = map { ("mkpasswd $_" => $_) } qw(yescrypt gost-yescrypt scrypt bcrypt sha512crypt sha256crypt md5crypt descrypt);

sub by_crypt {
    my ($password, $setting) = @_;
    my $hash = crypt($password, $setting);
    return defined $hash && length $hash >= 13 ? $hash : '! crypt refuses';
}

# mkpasswd has a method's default cost, and makes the salt.
sub by_mkpasswd {
    my ($password, $method) = @_;
    $password =~ s/'/'\\''/g;
    my $hash = `printf %s '$password' | mkpasswd -s -m $method`;
    chomp $hash;
    return $hash ne '' ? $hash : '! mkpasswd refuses';
}

die "there is no mkpasswd\n" unless grep { -x "$_/mkpasswd" } split /:/, $ENV{PATH};
die "crypt makes no yescrypt, so it is not libxcrypt's\n" unless by_crypt('x', $cheap{yescrypt}) =~ /^\$y\$/;
my ($library, $mkpasswd) = map { `dpkg-query -W -f '\${Version}' $_ 2>/dev/null` || 'of unknown version' } qw(libcrypt1 whois);
printf "libxcrypt %s by Perl %vd and mkpasswd %s\n", $library, $^V, $mkpasswd;
while (my $line = <STDIN>) {
    chomp $line;
    my ($verb, @rest) = split / \| /, $line, -1;
    next if $verb eq 'published'; # they are not in the package
    if ($verb eq 'check') {
        my ($form, $given, $stored) = @rest;
        my $hash = crypt(pack('H*', $given), $stored);
        print defined $hash && $hash eq $stored ? "y\n" : "n\n";
        next;
    }
    my ($forms, $make) = $verb eq 'default' ? (\%default, \&by_mkpasswd) : (\%cheap, \&by_crypt);
    print "$_ | $rest[0] | ", $make->(pack('H*', $rest[0]), $forms->{$_}), "\n" for sort keys %$forms;
}
