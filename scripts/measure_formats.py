"""Prints what became of the files of a folder, format by format, as a table in Markdown.

    python scripts/measure_formats.py FOLDER

Milliseconds are of work with reading and cutting, per file in the middle; megabytes are the most
that a worker had while it read the format.
"""

import argparse
import time
from collections import Counter, defaultdict
from contextlib import suppress
from pathlib import Path
from statistics import median

from veracite.index.errors import ReadError
from veracite.index.readers import known
from veracite.index.reading import Reader


def main() -> None:
    """Read everything; one worker for each format."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    formats: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(given.folder.rglob("*")):
        if path.is_file():
            suffix = path.suffix.lower().lstrip(".") if known(path) else "others"
            formats[suffix].append(path)
    print("| format | files | read | characters | ms | MB | failed |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    for suffix in sorted(formats, key=lambda name: (name == "others", -len(formats[name]))):
        print(_row(suffix, formats[suffix]), flush=True)


def _row(suffix: str, paths: list[Path]) -> str:
    failed: Counter[str] = Counter()
    took: list[float] = []
    characters = most = 0
    with Reader() as reader:
        for path in paths:
            started = time.perf_counter()
            try:
                parts = list(reader.read(path))
            except ReadError as error:
                failed[error.message] += 1
            else:
                characters += sum(len(part.found.text) for part in parts if part.found)
                failed.update(f"in it: {part.reason}" for part in parts if part.reason)
                took.append(1000 * (time.perf_counter() - started))
            most = max(most, _peak(reader.pid))
    reasons = "; ".join(f"{count} {reason}" for reason, count in failed.most_common())
    milliseconds = f"{median(took):.0f}" if took else ""
    megabytes = most // 1024 or ""
    cells = (suffix, len(paths), len(took), f"{characters:,}", milliseconds, megabytes, reasons)
    return f"| {' | '.join(map(str, cells))} |"


def _peak(pid: int | None) -> int:
    """The most memory that a process had, in KB, where the system tells."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0


if __name__ == "__main__":
    main()
