"""Word, Excel and PowerPoint files of before 2007, by LibreOffice where it is installed."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from veracite.index.documents import Extraction
from veracite.index.errors import ReadError
from veracite.index.readers import file_bytes, reader_of

EXTRACTOR = "old_office/1"

_NEW = {".doc": "docx", ".xls": "xlsx", ".ppt": "pptx"}
_SECONDS = 100
_PROGRAMS = ("soffice", "libreoffice")


def read(path: Path) -> Extraction:
    """Read an old document; raises ReadError where LibreOffice is missing or cannot read it."""
    file_bytes(path)
    new = _NEW[path.suffix.lower()]
    program = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    if program is None:
        raise ReadError(
            "This is an old Office format, which only LibreOffice reads.",
            f"Install LibreOffice, or save the file as {new.upper()}.",
        )
    with tempfile.TemporaryDirectory() as scratch:
        profile = f"-env:UserInstallation={Path(scratch, 'profile').as_uri()}"
        command = [program, profile, "--headless", "--convert-to", new, "--outdir", scratch]
        try:
            subprocess.run([*command, str(path)], capture_output=True, timeout=_SECONDS, check=True)
        except (OSError, subprocess.SubprocessError) as error:
            raise ReadError(
                "LibreOffice could not read this file.", f"Save it as {new.upper()}."
            ) from error
        converted = Path(scratch, f"{path.stem}.{new}")
        return reader_of(converted)(converted)
