#!/bin/sh
# Writes the lock files from pyproject.toml: sh scripts/lock.sh [--upgrade | --upgrade-package NAME]
# What they hold already stays as it is where pyproject.toml allows it. Needs uv, which .venv of ./check has.
# requirements-dev.lock has no line of requirements.lock, which it builds on: so all is locked as one, and then parted.
set -eu
cd "$(dirname "$0")/.."
PATH=$PWD/.venv/bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

lock() {
    file=$1
    shift
    (cd "$work" && uv pip compile pyproject.toml --group build --universal --python-version 3.11 --generate-hashes --quiet \
        --custom-compile-command "sh scripts/lock.sh" --output-file "$file" "$@" >/dev/null)
}

cp pyproject.toml requirements.lock "$work"
grep -v '^-r ' requirements-dev.lock | cat requirements.lock - >"$work/requirements-dev.lock"
lock requirements-dev.lock --extra dev --extra sigstore "$@"
lock requirements.lock --constraints requirements-dev.lock
cp "$work/requirements.lock" .
awk '
    NR == FNR { if (/^[a-z0-9]/) locked[$0]; next }
    FNR <= 2 { print; if (FNR == 2) print "-r requirements.lock"; next }
    /^[a-z0-9]/ { more = !($0 in locked) }
    more
' requirements.lock "$work/requirements-dev.lock" >requirements-dev.lock
