#!/bin/sh
# Runs our panel on the real gpiozero, the real lgpio and the kernel's GPIO interface, without a
# Pi: a user-mode Linux kernel with simulated GPIO lines boots as an ordinary process, and its
# lines are pulled up and down as a finger would. As root, after virtual_camera.sh has made the
# Debian trixie in FOLDER:
#
#     tests/pi/gpio_kernel.sh [FOLDER]
#
# x86-64 only (user-mode Linux has no arm64). The first run builds the kernel: ten minutes on two
# idle cores; later ones take two minutes, most of them spent holding buttons. Exit status 0 if
# all is well.
set -eu

root=${1:-/var/tmp/mazziere-trixie}
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
kernel=$root/kernel/linux

inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"; }

[ -e "$root/.system" ] || { echo "first run tests/pi/virtual_camera.sh $root" >&2; exit 2; }

if [ ! -e "$root/.kernel-ready" ]; then
    mountpoint -q "$root/proc" || mount --bind /proc "$root/proc"
    mountpoint -q "$root/dev" || mount --bind /dev "$root/dev"
    trap 'umount "$root/proc" "$root/dev"' EXIT
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    inside DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        linux-source-6.12 bc bison flex xz-utils make gcc libc6-dev \
        python3-lgpio python3-gpiozero python3-numpy python3-opencv
    cp "$here/build_kernel.sh" "$root/build_kernel.sh"
    inside JOBS="${JOBS:-1}" sh /build_kernel.sh
    touch "$root/.kernel-ready"
    umount "$root/proc" "$root/dev"
    trap - EXIT
fi

mkdir -p "$root/project"
rm -rf "$root/project/hardware" "$root/project/pi"
cp -r "$project/hardware" "$root/project/hardware"
cp -r "$here" "$root/project/pi"

# A kernel that has just started has no randomness of its own, and Python waits for some.
head -c 64 /dev/urandom >"$root/seed"
log=$root/panel.log
"$kernel" mem=256M root=none rootfstype=hostfs rootflags="$root" rw quiet \
    init=/project/pi/init.sh con=null con0=null,fd:1 </dev/null | tee "$log"
grep -q '^all is well' "$log"
