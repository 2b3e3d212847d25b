#!/usr/bin/env bash
# Builds Veracite's wheel.
#
#   make wheel                  into dist/
#   make wheel OUT=FOLDER       somewhere else
#
# The same sources make the same wheel with the same setuptools, byte for byte: whatever the clock, the umask
# and the files' own modes are.
set -euo pipefail
cd "$(dirname "$0")/.."
umask 022

python=${KIT_PYTHON:-.venv/bin/python}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A copy, so that nothing an earlier build has left here gets into the wheel.
cp -R src engine index models tui docs pyproject.toml MANIFEST.in README.md LICENSE NOTICE "$work/"
rm -rf "$work"/src/*.egg-info
chmod -R u=rwX,go=rX "$work"

. scripts/portable.sh
"$python" -m pip --disable-pip-version-check wheel --quiet --no-deps --wheel-dir "${OUT:-dist}" "$work"
