#!/bin/sh
# The command "mazziere" of an installed device: the version in use.
#
# Commands that concern the table use the service's settings and run as its user. Two of them need
# the camera and the panel to themselves; the service pauses for them. "mazziere update FILE" takes
# another version from a file, "mazziere update trust KEY.pub" accepts updates signed with that key
# from then on.
set -eu
home=${MAZZIERE_HOME:-/opt/mazziere}
state=${MAZZIERE_STATE:-/var/lib/mazziere}
python="$home/current/venv/bin/python"

program() { exec "$python" -I -m firmware "$@"; }

case ${1:-} in
    update)
        shift
        case ${1:-} in trust | signers | list | back) ;; *) set -- take "$@" ;; esac
        exec "$home/update" "$@" ;;
    calibrate | pins | secret | selftest | verify) ;;
    *) program "$@" ;;
esac
case " $* " in *" --help "* | *" -h "*) program "$@" ;; esac
case " $* " in *" --settings"*) ;; *) set -- "$@" --settings "$state/mazziere.toml" ;; esac
export LG_WD="$state"  # where the pins' driver may write
[ "$(id -un)" != mazziere ] || program "$@"

run=; [ "$(id -u)" -eq 0 ] || run="sudo --preserve-env=LG_WD"
paused=
case " $* " in
    *" --print-only "*) ;;
    " selftest "* | " calibrate "*)
        if systemctl --quiet is-active mazziere 2>/dev/null; then
            echo "mazziere: the service pauses meanwhile" >&2
            $run systemctl stop mazziere
            paused=yes
        fi ;;
esac
trap : INT  # the program ends by itself, and the service must start again
status=0
$run runuser -u mazziere -- "$python" -I -m firmware "$@" || status=$?
[ -z "$paused" ] || $run systemctl start --no-block mazziere
exit $status
