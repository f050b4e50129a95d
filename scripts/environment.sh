# Sourced by ./run and ./check: makes .venv in the checkout, once for each state of pyproject.toml.
# Usage: environment EXTRAS   ("" or "[dev]"); leaves the folder of its programs in $bin.

environment() {
    venv=.venv
    bin=$venv/bin
    stamp=$venv/installed$1
    if [ ! -x "$bin/python" ]; then
        for candidate in python3.13 python3.12 python3.11 python3; do
            if command -v "$candidate" >/dev/null 2>&1 &&
                "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
                python=$candidate
                break
            fi
        done
        if [ -z "${python:-}" ]; then
            echo "batchproof needs Python 3.11 or newer on the PATH, with venv and pip" >&2
            exit 2
        fi
        echo "making a virtual environment in $venv" >&2
        if ! "$python" -m venv "$venv"; then
            rm -rf "$venv"
            echo "'$python -m venv' does not work here: install its venv module (Debian: python3-venv)" >&2
            exit 2
        fi
    fi
    if ! cmp -s pyproject.toml "$stamp"; then
        echo "installing batchproof and what it needs into $venv" >&2
        "$bin/python" -m pip install --quiet --disable-pip-version-check --editable ".$1"
        cp pyproject.toml "$stamp"
    fi
}
