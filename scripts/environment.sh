# Sourced by ./run and ./check: makes .venv in the checkout, once for each state of its lock file.
# Usage: environment LOCKFILE   leaves the folder of its programs in $bin.

environment() {
    lock=$1
    venv=.venv
    bin=$venv/bin
    stamp=$venv/installed-$lock
    of="pyproject.toml $(sed -n 's/^-r //p' "$lock") $lock"  # a lock file can build on another
    if [ ! -x "$bin/python" ]; then
        for candidate in python3.13 python3.12 python3.11 python3.14 python3; do
            if command -v "$candidate" >/dev/null 2>&1 &&
                "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null; then
                python=$candidate
                break
            fi
        done
        if [ -z "${python:-}" ]; then
            echo "batchproof needs Python 3.11, 3.12, 3.13 or 3.14 on the PATH, with venv and pip" >&2
            exit 2
        fi
        echo "making a virtual environment in $venv" >&2
        if ! "$python" -m venv "$venv"; then
            rm -rf "$venv"
            echo "'$python -m venv' does not work here: install its venv module (Debian: python3-venv)" >&2
            exit 2
        fi
    fi
    # shellcheck disable=SC2086 # a word for each
    if ! cat $of | cmp -s - "$stamp"; then
        echo "installing batchproof and what it needs into $venv" >&2
        # Only wheels: what builds a source distribution would come unpinned. Where uv is pinned too, it installs the
        # rest: that takes seconds, pip takes a minute of the processor.
        wheels="--quiet --require-hashes --only-binary :all: --requirement"
        sed -n '/^uv==/,/^ *#/p' "$lock" >"$venv/uv.lock"
        if [ -s "$venv/uv.lock" ]; then
            "$bin/python" -m pip install --disable-pip-version-check $wheels "$venv/uv.lock"
            "$bin/uv" pip install --python "$bin/python" $wheels "$lock"
        else
            "$bin/python" -m pip install --disable-pip-version-check $wheels "$lock"
        fi
        "$bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
        # shellcheck disable=SC2086
        cat $of >"$stamp"
    fi
}
