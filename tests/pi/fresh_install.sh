#!/bin/sh
# Runs the install script to its end in a fresh Debian trixie, and then what a person would try
# first. As root, on any Debian-like x86-64 or arm64 machine:
#
#     sudo sh tests/pi/fresh_install.sh
#
# The Debian is made afresh at every run, 2 GB, and left for inspection. No systemd runs in it, so
# the service is installed but not started.
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
# This machine has no camera: the self-test must say so, and find nothing else wrong. With a picture
# instead of the camera it must find nothing wrong.
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
