#!/bin/sh
# Install Mazziere as a service that starts with the machine, on a fresh Raspberry Pi OS or Debian
# (Bookworm or Trixie, 64 bit, with or without a desktop):
#
#     sudo sh firmware/install/install.sh [GAME] [--signer KEY.pub]
#
# Run again, it installs a newer version next to the old one, and returns to the old one if the new
# one does not start. It sets up: packages by apt; a user "mazziere"; the program under
# /opt/mazziere; the command mazziere; settings, journal and PINs in /var/lib/mazziere; the service.
# From then on only updates signed with KEY are accepted; pip's packages are verified by hash.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
[ "$(id -u)" -eq 0 ] || exec sudo sh "$0" "$@"
game=
signer=
while [ $# -gt 0 ]; do
    case $1 in
        --signer) signer=$(realpath "${2:?which key?}"); shift ;;
        *) game=$1 ;;
    esac
    shift
done
# The drivers belong to the system's own Python: another one in somebody's PATH, such as pyenv's in
# root's home, could neither load them nor be started by the service's user.
PATH=/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/bin
export PATH
home=/opt/mazziere
state=/var/lib/mazziere

say() { echo "mazziere: $*"; }
die() { say "$*" >&2; exit 1; }

command -v apt-get >/dev/null || die "this script supports only Debian and Raspberry Pi OS"
case $(dpkg --print-architecture) in
    arm64 | amd64) ;;
    *) die "this needs a 64-bit system; this one is $(dpkg --print-architecture)" ;;
esac

# 1. Packages. The camera's and the pins' drivers come with the system and match its kernel.
export DEBIAN_FRONTEND=noninteractive
say "asking the distribution for its packages"
apt-get update -qq
offered() { [ -n "$(apt-cache madison "$1" 2>/dev/null)" ]; }
packages="python3 python3-venv ca-certificates openssh-client espeak-ng alsa-utils"
packages="$packages fonts-dejavu-core libgl1"
if offered libglib2.0-0t64; then packages="$packages libglib2.0-0t64"
else packages="$packages libglib2.0-0"; fi
missing=
for optional in python3-lgpio python3-gpiozero python3-picamera2; do
    if offered "$optional"; then packages="$packages $optional"
    else missing="$missing $optional"; fi
done
say "installing $packages"
# shellcheck disable=SC2086 # a list
apt-get install -y -qq --no-install-recommends $packages >/dev/null
for one in $missing; do
    case $one in
        python3-picamera2)
            say "this distribution has no $one: ribbon cameras cannot be used, any camera that" \
                "Linux shows as /dev/videoN (V4L2) can: camera.source = \"0\"" ;;
        *) say "this distribution has no $one: the panel's pins are simulated" ;;
    esac
done
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    die "this needs Python 3.11 or newer; found $(python3 --version)"

# 2. Its own user, in the groups that may use the devices.
if ! getent passwd mazziere >/dev/null; then
    useradd --system --user-group --home-dir "$state" --shell /usr/sbin/nologin mazziere
fi
for group in gpio video audio render i2c; do
    if getent group "$group" >/dev/null; then usermod --append --groups "$group" mazziere; fi
done
install -d -o mazziere -g mazziere -m 0750 "$state"

# 3. The program, in its own environment, which sees the system's drivers.
name=$(sh "$here/version.sh")
say "making version $name"
install -d "$home/versions"
install -m 0755 "$here/shelf.py" "$home/update"
new="$home/versions/.$name"
trap 'rm -rf "$new"' EXIT
python3 -m venv --system-site-packages "$new/venv"
# Built from a copy: the checkout may be on a read-only stick.
work=$(mktemp -d)
trap 'rm -rf "$new" "$work"' EXIT
for part in pyproject.toml README.md LICENSE constraints.txt firmware vision rules hardware; do
    cp -r "$source/$part" "$work/"
done
sed -i "s/^version = .*/version = \"$name\"/" "$work/pyproject.toml"
pip="$new/venv/bin/python -I -m pip install --quiet --disable-pip-version-check --no-deps"
$pip --only-binary=:all: --require-hashes -r "$here/requirements.txt"
$pip --no-index --no-build-isolation "$work"
if ! "$new/venv/bin/python" -I -m firmware.install.updating; then
    die "the program does not start: see above"
fi
if "$new/venv/bin/python" -I -c 'import picamera2' 2>/dev/null; then
    say "picamera2 and numpy work together"
elif offered python3-picamera2; then
    die "picamera2 cannot be imported: $("$new/venv/bin/python" -I -c 'import picamera2' 2>&1 | tail -n 1)"
fi
[ ! -e "$home/versions/$name" ] || name="$name.$(date -u +%Y%m%d%H%M%S)"  # the same commit again
mv "$new" "$home/versions/$name"
"$home/update" adopt "$name"

[ -z "$signer" ] || "$home/update" trust "$signer"
say "updates are taken if they are signed with one of these keys:"
"$home/update" signers

install -m 0755 "$here/command.sh" /usr/local/bin/mazziere

# 4. Settings, unless there are some.
as_user() { (cd "$state" && runuser -u mazziere -- "$@"); }
if [ ! -e "$state/mazziere.toml" ]; then
    # What is played is asked at the table, by touch, unless it was named here. Bets are not tracked
    # until somebody wants that: then a hand needs neither press nor key.
    {
        echo '[table]'
        [ -z "$game" ] || printf 'game = "%s"\n' "$game"
        echo 'level = "none"'
        # Without a ribbon camera, the first webcam; without either, one is looked for later.
        if [ -e /dev/video0 ] &&
            ! "$home/current/venv/bin/python" -I -c 'import picamera2' 2>/dev/null; then
            printf '\n[camera]\nsource = "0"\n'
        fi
    } | as_user sh -c 'umask 077 && cat >mazziere.toml'
    say "settings: $state/mazziere.toml (${game:-the game is asked for at the table})"
fi

# 5. The self-test, while nothing else holds the camera and the panel.
if ! systemctl --quiet is-active mazziere 2>/dev/null; then
    say "testing board, panel, voice and camera"
    as_user mazziere selftest ||
        say "once that is fixed, try again: mazziere selftest"
fi

# 6. The PINs of the console, on the screen and as a sheet.
if [ ! -e "$state/mazziere.access" ]; then
    as_user mazziere pins --sheet pins.html
    say "to print: $state/pins.html, or later from the console (Access)"
fi

# 7. The service.
install -m 0644 "$here/mazziere.service" /etc/systemd/system/mazziere.service
if command -v systemctl >/dev/null; then
    systemctl enable --quiet mazziere.service
    if [ -d /run/systemd/system ]; then
        systemctl daemon-reload
        systemctl restart --no-block mazziere.service
        say "the service is starting; see: systemctl status mazziere"
    else
        say "the service will start with the machine"
    fi
else
    say "there is no systemd here: start it with: mazziere run --settings $state/mazziere.toml"
fi
say "done. Open the address above on a phone in the same network"
