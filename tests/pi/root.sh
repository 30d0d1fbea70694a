# Sourced by the scripts next to it: small separate Debian systems, made if they are missing.
#
# Each is in a folder under DEPTHS (/var/tmp/mazziere-depths), is kept for the next run, and takes
# packages from where this machine takes them: its apt sources, its pip index, its certificates.
# Root is needed to enter one; debootstrap and similar tools are installed if missing.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
depths=${DEPTHS:-/var/tmp/mazziere-depths}
began=$(date +%s)
umask 022

say() { echo "== $*"; }

[ "$(id -u)" -eq 0 ] || { echo "as root: sudo sh $0 $*" >&2; exit 2; }

# need PROGRAM PACKAGE: install what this machine lacks for the trial itself.
need() {
    command -v "$1" >/dev/null || {
        say "installing $2"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$2" >/dev/null
    }
}

# Where this machine takes Debian's packages from; empty means debootstrap's own default.
debian_mirror() {
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' 2>/dev/null |
        head -n 1
}

# make_root SUITE FOLDER: a minimal Debian.
make_root() {
    need debootstrap debootstrap
    if [ ! -e "$2/.made" ]; then
        say "making a Debian $1 in $2"
        mkdir -p "$2"
        # shellcheck disable=SC2046 # no mirror means no word
        nice -n 5 debootstrap --variant=minbase "$1" "$2" $(debian_mirror) >"$2.log" 2>&1 ||
            { tail -n 20 "$2.log" >&2; exit 1; }
        echo force-unsafe-io >"$2/etc/dpkg/dpkg.cfg.d/fast"
        touch "$2/.made"
    fi
    connect "$2"
}

# connect FOLDER: names and certificates as on this machine.
connect() {
    cp -L /etc/resolv.conf "$1/etc/resolv.conf"
    mkdir -p "$1/etc/ssl"
    cp -L /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/host.crt"
}

# mount_system FOLDER: mount /proc and /dev inside, and unmount them however it ends.
mount_system() {
    for place in proc dev; do
        mountpoint -q "$1/$place" || mount --bind "/$place" "$1/$place"
    done
    # shellcheck disable=SC2064 # the folder of now
    trap "umount '$1/proc' '$1/dev'" EXIT
}

# The pip settings that apply inside too.
pip_settings="PIP_CERT=/etc/ssl/host.crt PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore"
index=${PIP_INDEX_URL:-$(python3 -m pip config get global.index-url 2>/dev/null || true)}
[ -z "$index" ] || pip_settings="$pip_settings PIP_INDEX_URL=$index"

# inside FOLDER COMMAND…: run in the system without this machine's environment.
inside() {
    folder=$1
    shift
    # shellcheck disable=SC2086 # words
    nice -n 5 chroot "$folder" /usr/bin/env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive $pip_settings "$@"
}

# packages FOLDER NAME…: install by apt, once for each list.
packages() {
    folder=$1
    shift
    stamp=$folder/.packages
    if [ "$(cat "$stamp" 2>/dev/null)" != "$*" ]; then
        say "installing $*"
        inside "$folder" dpkg --configure -a # after a run that was interrupted
        inside "$folder" apt-get update -qq
        inside "$folder" apt-get install -y -qq --no-install-recommends "$@" >"$folder.log" 2>&1 ||
            { tail -n 20 "$folder.log" >&2; exit 1; }
        echo "$*" >"$stamp"
    fi
}

# copy_project FOLDER: copy the program as it is here to /project.
copy_project() {
    rm -rf "$1/project"
    mkdir -p "$1/project"
    for part in pyproject.toml README.md LICENSE constraints.txt firmware vision rules hardware; do
        cp -r "$project/$part" "$1/project/"
    done
    cp -r "$here" "$1/project/pi"
}

# verdict NAME STATUS: the last line of every log.
verdict() {
    took=$(($(date +%s) - began))
    if [ "$2" -eq 0 ]; then say "$1: all is well ($took s)"; else say "$1: FAILED ($took s)"; fi
    exit "$2"
}
