#!/bin/sh
# Runs a trial of INSTALL.md's section "Tests without a Pi" and keeps its output, without what is
# peculiar to this machine, in tests/pi/logs. One command each, all but the first as root:
#
#     sh tests/pi/logged.sh mock_pins
#     sudo sh tests/pi/logged.sh virtual_camera
#     sudo sh tests/pi/logged.sh gpio_kernel
#     sudo sh tests/pi/logged.sh arm64
#     sudo sh tests/pi/logged.sh fresh_install
set -eu
cd "$(dirname "$0")/../.."

trial=${1:-}
[ $# -eq 0 ] || shift
case $trial in
mock_pins) command="sh firmware/install/test.sh tests/test_hardware_*.py" ;;
virtual_camera | gpio_kernel | arm64 | fresh_install) command="sh tests/pi/$trial.sh" ;;
*) sed -n '2,9s/^# *//p' "$0" >&2; exit 2 ;;
esac

# Removes remarks by pip, the emulated processor and apt about this machine, and made-up PINs,
# addresses and folders.
trimmed() {
    sed -u -E -e '/is ignored: it is neither|cpuinfo|CPU EP performance|posix_openpt/d' \
        -e '/^(PIN|Console:) /d' -e "s,${DEPTHS:-/var/tmp/mazziere-depths},DEPTHS,g" \
        -e "s,$PWD,.,g"
}

mkdir -p tests/pi/logs
log=tests/pi/logs/$trial.txt
new=$(mktemp)
trap 'rm -f "$new" "$new.status"' EXIT
if [ "$trial" = mock_pins ]; then shown="$command"; else shown="sudo $command"; fi
{
    echo "\$ $shown${*:+ $*}"
    echo "$(date -u +%Y-%m-%d), $(. /etc/os-release && echo "$PRETTY_NAME"), $(uname -m)," \
        "commit $(git log -1 --format=%h -- . ':!tests/pi/logs' 2>/dev/null || echo unknown)"
    echo
} >"$new"
# shellcheck disable=SC2086 # words, and the tests' names
{ status=0; $command "$@" 2>&1 || status=$?; echo $status >"$new.status"; } | trimmed | tee -a "$new"
cp "$new" "$log"
chmod 644 "$log"
exit "$(cat "$new.status")"
