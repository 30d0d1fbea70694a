#!/bin/sh
# Depth 3: our panel on the real gpiozero, the real lgpio and the kernel's GPIO interface, without
# a Pi: a user-mode Linux kernel with simulated lines (gpio-sim) boots as an ordinary process, and
# its lines are pulled up and down as a finger would. As root, on a Debian-like x86-64 machine:
#
#     sudo sh tests/pi/gpio_kernel.sh
#
# Makes a Debian bookworm (Python 3.11, for which lgpio is built) and the kernel in it: five minutes
# on an idle core, JOBS=2 halves that. Kept for the next run, which takes a minute, most of it spent
# holding buttons.
# shellcheck source=tests/pi/root.sh
. "$(dirname "$0")/root.sh"
root=$depths/bookworm-gpio
[ "$(dpkg --print-architecture)" = amd64 ] || { echo "user-mode Linux needs x86-64" >&2; exit 2; }

make_root bookworm "$root"
mount_system "$root"
packages "$root" python3-venv linux-source-6.1 bc bison flex xz-utils make gcc libc6-dev \
    libglib2.0-0 libgl1
copy_project "$root"
if [ ! -e "$root/.venv-made" ]; then
    say "installing gpiozero and lgpio"
    inside "$root" python3 -m venv --clear /venv
    inside "$root" /venv/bin/pip install --quiet --only-binary=:all: \
        --constraint /project/constraints.txt gpiozero 'lgpio>=0.2' numpy opencv-python
    touch "$root/.venv-made"
fi
if [ ! -e "$root/linux" ]; then
    say "building the kernel"
    inside "$root" JOBS="${JOBS:-1}" sh /project/pi/build_kernel.sh >"$root.log" 2>&1 ||
        { tail -n 20 "$root.log" >&2; exit 1; }
fi
umount "$root/proc" "$root/dev"
trap - EXIT

# A freshly started kernel has no entropy, and Python waits for some.
head -c 64 /dev/urandom >"$root/seed"
log=$root.log
# It sleeps most of the time, but a switch bounces in milliseconds: it must wake up in time, whatever
# else the machine does.
chrt --fifo 1 timeout 600 "$root/linux" mem=256M root=none rootfstype=hostfs rootflags="$root" \
    rw quiet init=/project/pi/init.sh con=null ssl=null con0=null,fd:1 </dev/null 2>/dev/null |
    tee "$log"
status=0
grep -q '^all is well' "$log" || status=1
verdict "depth 3, the panel on lgpio and gpio-sim" $status
