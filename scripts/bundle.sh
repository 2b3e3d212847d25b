#!/usr/bin/env bash
# Writes the air-gap kit: one folder that installs Veracite on a machine without network or compiler.
#
#   make bundle                                 into dist/
#   make bundle OUT=/media/stick/veracite       somewhere else; the folder must not exist
#   make bundle MODELS="qwen3-1.7b small"       with models of `veracite models list`, in the store here
#   make bundle LLM=no                          without the runtime for language models, which compiles for
#                                               some ten minutes the first time
#   make bundle EVAL=no                         without what `veracite eval` needs (scikit-learn, matplotlib ...)
#   make bundle EXTRAS=cluster                  with what libraries that several machines share need (Ray, Lance)
#
# What pip has compiled before, it takes from its cache: PIP_NO_CACHE_DIR=1 has it compiled anew, should that
# have been done for this very processor alone (scripts/environment.sh does not).
# The kit is for this kind of machine and this version of Python; its README.txt says which.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${KIT_PYTHON:-.venv/bin/python}
models=${MODELS:-}
llm=${LLM:-yes}
eval=${EVAL:-yes}

say() { printf '%s\n' "$*" >&2; }
fail() {
    say "make bundle: $1"
    shift
    for line in "$@"; do say "             $line"; done
    exit 1
}

case $llm in yes | no) ;; *) fail "LLM is yes or no, not $llm." ;; esac
case $eval in yes | no) ;; *) fail "EVAL is yes or no, not $eval." ;; esac
case ${EXTRAS:-} in '' | cluster) ;; *) fail "EXTRAS is cluster or nothing, not $EXTRAS." ;; esac
extra=${EXTRAS:-}
[ "$eval" = no ] || extra=${extra:+$extra,}eval
[ "$llm" = no ] || extra=${extra:+$extra,}llm
extra=${extra:+[$extra]}

name=$("$python" -c 'import platform, sys
from veracite.engine.version import __version__
print(f"veracite-{__version__}-{platform.system()}-{platform.machine()}".lower(), end="")
print(f"-python{sys.version_info[0]}.{sys.version_info[1]}")')
out=${OUT:-dist/$name}
[ ! -e "$out" ] || fail "$out is there already." "Remove it, or name another folder: make bundle OUT=FOLDER"
mkdir -p "$(dirname "$out")" || fail "The folder $(dirname "$out") cannot be made." "Name another one: make bundle OUT=FOLDER"

work=$(mktemp -d "$(dirname "$out")/.veracite-kit.XXXXXX")
trap 'rm -rf "$work"' EXIT
kit=$work/kit
mkdir "$kit"

if [ -n "$models" ]; then
    say "Packing the models $models ..."
    mkdir "$kit/models"
    # shellcheck disable=SC2086  # several names
    "$python" -m veracite.tui models export $models --output "$kit/models/models.veracite" >&2 ||
        fail "The models could not be packed; the reason stands above." \
            "MODELS names models of the store: see \`veracite models list\`, and pull or import what is missing."
fi

. scripts/portable.sh
pip() { "$python" -m pip --disable-pip-version-check "$@"; }
say "Collecting the libraries as wheels; what comes as source is compiled ..."
# The versions that are used here; pip freeze would name files of this machine.
pip list --format=freeze --exclude-editable >"$work/versions.txt"
# Our own wheel goes by its path: an index may have something else under our name.
KIT_PYTHON=$python OUT=$kit/wheels scripts/wheel.sh &&
    pip wheel --quiet --constraint "$work/versions.txt" --wheel-dir "$kit/wheels" "$(echo "$kit"/wheels/veracite-*.whl)$extra" ||
    fail "The libraries could not be collected; pip's message stands above." \
        "Without a network, point pip at a folder of wheels (PIP_FIND_LINKS, PIP_NO_INDEX)."

cp scripts/airgap/install.sh scripts/airgap/install.py scripts/airgap/README.txt "$kit/"
cp LICENSE NOTICE "$kit/"
"$python" scripts/airgap/seal.py "$kit" "$extra"
mv "$kit" "$out"
say "The kit is in $out ($(du -sh "$out" | cut -f1))."
say "Carry it to the other machine whole, and run there: sh install.sh"
