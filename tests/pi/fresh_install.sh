#!/bin/sh
# The install script run to its end in a fresh Debian trixie, and then what a person would try
# first. As root, on any Debian-like x86-64 or arm64 machine:
#
#     sudo sh tests/pi/fresh_install.sh
#
# The Debian is made anew at every run, 2 GB, and left to be looked at. There is no systemd at work
# in it, so the service is put in its place and not started.
# shellcheck source=tests/pi/root.sh
. "$(dirname "$0")/root.sh"
root=$depths/trixie-fresh

[ ! -e "$root" ] || rm -rf --one-file-system "$root"
make_root trixie "$root"
mount_system "$root"
copy_project "$root"
status=0
say "install.sh"
inside "$root" sh /project/firmware/install/install.sh || status=1
settings=/var/lib/mazziere/mazziere.toml
say "mazziere selftest"
# No camera hangs on this machine: the self-test has to say so, and to find nothing else wrong. A
# picture in the camera's place leaves nothing wrong at all.
inside "$root" mazziere selftest --settings $settings >"$root.selftest" || [ $? -eq 1 ] || status=1
cat "$root.selftest"
[ "$(grep -c '^FAIL' "$root.selftest")" -eq "$(grep -c '^FAIL *camera' "$root.selftest")" ] ||
    status=1
grep -q '^OK *disk' "$root.selftest" || status=1
say "mazziere selftest, looking at a picture"
inside "$root" mazziere selftest --settings $settings \
    --camera /project/firmware/pictures/table.jpg || status=1
say "mazziere demo ziginette --headless --hands 2"
inside "$root" mazziere demo ziginette --headless --hands 2 || status=1
verdict "the install script in a fresh trixie" $status
