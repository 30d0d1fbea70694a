#!/bin/sh
# Make an update file for devices without a network, to be copied to a USB stick:
#     sh firmware/install/bundle.sh FILE [all]
# On the device: sudo mazziere update FILE. With "all", everything the program needs from pip is
# included; run it then on a machine of the device's kind. The file holds the newest commit, and is
# signed with the key KEY, or with your own, which is made when it is first needed.
set -eu
cd "$(dirname "$0")/../.."
file=${1:?which file?}
python=${PYTHON:-.venv/bin/python}
key=${KEY:-${XDG_CONFIG_HOME:-$HOME/.config}/mazziere/update-key}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ ! -e "$key" ]; then
    mkdir -p "$(dirname "$key")"
    ssh-keygen -q -t ed25519 -N "" -C mazziere-update -f "$key"
    echo "a key was made; each device has to trust it once: sudo mazziere update trust $key.pub"
fi

[ -z "$(git status --porcelain)" ] || echo "uncommitted changes are left out" >&2
version=$(sh firmware/install/version.sh)
mkdir "$work/source" "$work/wheels"
git archive HEAD | tar -x -C "$work/source"
sed -i "s/^version = .*/version = \"$version\"/" "$work/source/pyproject.toml"
lock=firmware/install/requirements.txt
pip="$python -m pip --quiet --disable-pip-version-check"
if ! "$python" -c 'import setuptools' 2>/dev/null; then  # it builds the wheel
    sed -n '/^setuptools==/,/[^\\]$/p' "$lock" >"$work/builder.txt"
    $pip install --target "$work/builder" --no-deps --require-hashes -r "$work/builder.txt"
    export PYTHONPATH="$work/builder"
fi
$pip wheel --no-deps --no-build-isolation --wheel-dir "$work/wheels" "$work/source"
[ "${2:-}" != all ] || $pip download --no-deps --only-binary=:all: --require-hashes \
    --dest "$work/wheels" -r "$lock"
"$python" -m firmware.install.packing "$work/wheels" "$file" "$key"
