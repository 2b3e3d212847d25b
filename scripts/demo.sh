#!/usr/bin/env bash
# Checks the sample draft against the sample library, and says what is to be seen.
set -euo pipefail
cd "$(dirname "$0")/.."

# Everything that the demo writes stays in this folder of the clone; your own settings do not count.
export VERACITE_CACHE_DIR=$PWD/.demo/cache VERACITE_DATA_DIR=$PWD/.demo/data
export VERACITE_CONFIG=$PWD/.demo/config.toml

say() { printf '%s\n' "$*" >&2; }

say
say "The sample library: a small society's papers (Markdown, PDF, DOCX, HTML, plain text)"
say "The sample draft:   tests/samples/draft.md, with true, false and unfounded sentences"
say
say "\$ veracite check tests/samples/draft.md --against tests/samples/library"
say
code=0
.venv/bin/veracite check tests/samples/draft.md --against tests/samples/library || code=$?
say
case $code in
    1)
        say "Exit code 1: the check has findings, as it should with this draft."
        say "Now yours:   .venv/bin/veracite check DRAFT --against FOLDER"
        ;;
    0)
        say "Exit code 0: the check found nothing to object to, but this draft has false sentences."
        say "Something is wrong here: please report it, with the output of .venv/bin/veracite doctor."
        exit 1
        ;;
    *)
        say "Exit code $code: the check could not be run. .venv/bin/veracite doctor says what is missing."
        exit "$code"
        ;;
esac
