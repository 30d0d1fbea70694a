#!/bin/sh
# Print a checkout's version: the number in pyproject.toml, and the time and hash of its commit.
#     sh firmware/install/version.sh [FOLDER]
# Without a commit (an unpacked folder), the current time takes its place.
set -eu
cd "${1:-"$(dirname "$0")/../.."}"
number=$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml | head -n 1)
# A checkout may belong to a user other than root, who installs it.
git="git -c safe.directory=*"
if commit=$($git rev-parse --short=12 HEAD 2>/dev/null); then
    made=$(TZ=UTC $git log -1 --format=%cd --date=format-local:%Y%m%d%H%M%S)
    echo "$number+$made.g$commit"
else
    echo "$number+$(date -u +%Y%m%d%H%M%S).copy"
fi
