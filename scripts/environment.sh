#!/usr/bin/env bash
# Makes the virtual environment .venv and installs Veracite into it (editable: your changes count at once).
#
#   scripts/environment.sh run     what `make demo` needs
#   scripts/environment.sh dev     the same, the runtime for GGUF models, the tools for tests and checks
#
# PYTHON=/path/to/python chooses the interpreter; otherwise the first Python >= 3.11 that is found.
set -euo pipefail
cd "$(dirname "$0")/.."

purpose=${1:?usage: scripts/environment.sh run|dev}
venv=.venv

say() { printf '%s\n' "$*" >&2; }
fail() {
    say "make: $1"
    shift
    for line in "$@"; do say "      $line"; done
    exit 1
}

new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
    local candidate
    for candidate in "${PYTHON:-}" python3 python3.14 python3.13 python3.12 python3.11 python; do
        if [ -n "$candidate" ] && new_enough "$candidate"; then
            printf '%s\n' "$candidate"
            return
        fi
        if [ -n "${PYTHON:-}" ]; then
            fail "PYTHON=$PYTHON is not a Python 3.11 or newer." "Name another one, or leave it out."
        fi
    done
    fail "Veracite needs Python 3.11 or newer, and none was found." \
        "Debian and Ubuntu: sudo apt-get install python3 python3-venv python3-dev" \
        "Or name one: make ${MAKECMDGOALS:-demo} PYTHON=/path/to/python3.12"
}

# hnswlib comes as source: it wants a C++ compiler and Python's headers.
check_compiler() {
    local python=$1 compiler=${CXX:-c++}
    command -v "${compiler%% *}" >/dev/null 2>&1 || fail "No C++ compiler was found ($compiler)." \
        "Debian and Ubuntu: sudo apt-get install g++"
    "$python" - <<'PY' || fail "The header files of $python were not found (Python.h)." \
        "Debian and Ubuntu: sudo apt-get install python3-dev"
import os, sys, sysconfig
sys.exit(not os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")))
PY
}

make_venv() {
    local python=$1
    "$python" -c 'import ensurepip, venv' >/dev/null 2>&1 || fail "$python cannot make virtual environments." \
        "Debian and Ubuntu: sudo apt-get install python3-venv"
    say "Making a virtual environment in $venv with $("$python" --version) ..."
    "$python" -m venv --clear "$venv"
}

if ! { [ -x "$venv/bin/python" ] && new_enough "$venv/bin/python" && "$venv/bin/python" -m pip --version >/dev/null 2>&1; }; then
    python=$(find_python)
    check_compiler "$python"
    make_venv "$python"
fi

case $purpose in
    run) target=. ;;
    dev) target='.[dev,llm]' ;;
    *) fail "scripts/environment.sh takes run or dev, not $purpose." ;;
esac
say "Installing Veracite and its libraries into $venv. The first time this takes a minute or two:"
say "packages are downloaded, and one of them (hnswlib) is compiled ..."
if [ "$purpose" = dev ]; then
    say "A second one (llama-cpp-python) compiles for some five to ten minutes; pip keeps what it made."
fi
. scripts/portable.sh
"$venv/bin/python" -m pip install --disable-pip-version-check --quiet --editable "$target" ||
    fail "The packages could not be installed; pip's message stands above." \
        "Without a network: set up once with one, or point pip at a folder of wheels (PIP_FIND_LINKS)."
