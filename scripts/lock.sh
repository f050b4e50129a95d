#!/bin/sh
# Writes the lock files from pyproject.toml: sh scripts/lock.sh [--upgrade | --upgrade-package NAME]
# What they hold already stays as it is where pyproject.toml allows it. Needs uv, which .venv of ./check has.
set -eu
cd "$(dirname "$0")/.."
PATH=$PWD/.venv/bin:$PATH

lock() {
    file=$1
    shift
    uv pip compile pyproject.toml --group build --universal --python-version 3.11 --generate-hashes --quiet \
        --custom-compile-command "sh scripts/lock.sh" --output-file "$file" "$@" >/dev/null
}

lock requirements-dev.lock --extra dev --extra sigstore "$@"
lock requirements.lock --constraints requirements-dev.lock
