"""Word, Excel and PowerPoint files of before 2007, by LibreOffice where it is installed."""

import tempfile
from dataclasses import replace
from pathlib import Path

from veracite.index.documents import Extraction
from veracite.index.errors import ReadError
from veracite.index.readers import file_bytes, module_of
from veracite.index.readers.programs import found, run

EXTRACTOR = "old_office/1"

_NEW = {".doc": "docx", ".xls": "xlsx", ".ppt": "pptx"}
_PROGRAMS = "soffice libreoffice"


def read(path: Path) -> Extraction:
    """Read an old document; raises ReadError where LibreOffice is missing or cannot read it."""
    file_bytes(path)
    new = _NEW[path.suffix.lower()]
    program = found(_PROGRAMS)
    if program is None:
        raise ReadError(
            "This is an old Office format, which only LibreOffice reads.",
            f"Install LibreOffice, or save the file as {new.upper()}.",
            _PROGRAMS,
        )
    with tempfile.TemporaryDirectory() as scratch:
        profile = f"-env:UserInstallation={Path(scratch, 'profile').as_uri()}"
        command = [program, profile, "--headless", "--convert-to", new, "--outdir", scratch]
        run([*command, str(path)])
        converted = Path(scratch, f"{path.stem}.{new}")
        extraction: Extraction = module_of(converted).read(converted)
        return replace(extraction, extractor=f"{extraction.extractor} with LibreOffice")
