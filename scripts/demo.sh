#!/usr/bin/env bash
# Checks the sample draft against the sample library, and says what is to be seen.
set -euo pipefail
cd "$(dirname "$0")/.."

# Everything that the demo writes stays in this folder of the clone; your own settings do not count.
demo=$PWD/.demo
export VERACITE_CACHE_DIR=$demo/cache VERACITE_DATA_DIR=$demo/data VERACITE_CONFIG=/dev/null
umask 077
mkdir -p "$demo"

check() { .venv/bin/veracite check tests/samples/draft.md --against tests/samples/library "$@"; }
say() { printf '%s\n' "$*" >&2; }
broken() {
    say "$1"
    say ".venv/bin/veracite doctor says what works here and what is missing."
    exit "${2:-1}"
}

say
say "The sample library: a small society's papers (Markdown, PDF, DOCX, HTML, plain text)"
say "The sample draft:   tests/samples/draft.md, with true, false and unfounded sentences"
say
say "\$ veracite check tests/samples/draft.md --against tests/samples/library"
say
code=0
check || code=$?
say
case $code in
    0) broken "Exit code 0, no findings: but this draft has false sentences. Something is wrong." ;;
    1) ;;
    *) broken "Exit code $code: the check could not be run." "$code" ;;
esac

# The second time nothing is read or judged again. It also shows that the 1 above was no crash.
check --format html --fail-on none >"$demo/report.html" || broken "The report could not be written."
say "Exit code 1 means that the check has findings, as it should with this draft."
say "The same report for a browser: .demo/report.html"
say "Your own text:                 .venv/bin/veracite check DRAFT --against FOLDER"
