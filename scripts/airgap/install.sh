#!/bin/sh
# Installs Veracite from this folder: sh install.sh [FOLDER]
# Needs Python 3.11 or newer; everything else is done by install.py.
here=$(CDPATH='' cd -- "${0%/*}" 2>/dev/null && pwd) || here=.
[ -f "$here/install.py" ] || here=.

# The Python that the kit is for comes first, then whatever there is, which may be the same.
for python in "${PYTHON:-}" python3 python3.11 python3.12 python3.13 python3.14 python; do
    [ -n "$python" ] || continue
    if "$python" -I "$here/install.py" --fits >/dev/null 2>&1; then
        exec "$python" -I "$here/install.py" "$@"
    fi
done
for python in "${PYTHON:-}" python3 python; do
    [ -n "$python" ] || continue
    if "$python" -c '' >/dev/null 2>&1; then
        exec "$python" -I "$here/install.py" "$@" # says what does not fit
    fi
done
echo "Error: No Python was found. Veracite needs Python 3.11 or newer; kit.json says which." >&2
echo "Install it, or name it: PYTHON=/path/to/python3 sh install.sh" >&2
exit 3
