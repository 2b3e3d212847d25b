"""Attacks, made on the spot: texts and names, files of every format, places, config files."""

import bz2
import contextlib
import gzip
import io
import json
import lzma
import os
import socket
import struct
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from reports import HOSTILE

INJECTED: list[str] = json.loads(
    (Path(__file__).parents[1] / "engine" / "skills" / "hostile.json").read_text("utf-8")
)
MARKUP = (
    "<script>alert(1)</script> </style><script>alert(1)</script> <svg/onload=alert(1)>"
    " <img/src=x/onerror=alert(1)> \"onmouseover=alert(1)// '-alert(1)-' javascript:alert(1)"
    " </title><iframe/srcdoc=x> <style>*{a:url(//evil.example)}</style> {{7*7}} {%raw%} ${7*7}"
    " <!--#exec--> ]]> &#60;script&#62; <base/href=//evil.example> <a/href=javascript:x>"
).split()
TEXTS = [
    *HOSTILE.values(),
    *INJECTED,
    *"\x1b]8;;http://evil.example\x07click\x1b]8;;\x07 \x1bP+q544e\x1b\\ \x1b[8mhidden \x1b[?1049h"
    " \x1bc \x9d0;x\x9c \x1b]52;c;aGk=\x07".split(" "),
    *MARKUP,
    *"[click](javascript:alert(1)) ![](https://evil.example/p.png) https://evil.example/ |a|b|"
    " `code` <b>x</b> [a]:x ~~~ $$x$$ [^1] ***".split(" "),
    *"=HYPERLINK('http://evil.example') =cmd|'/c+calc'!A0 +1+cmd|x @SUM(1) -2+3 \t=1".split(" "),
]  # fmt: skip


def named(text: str) -> str:
    """A file's name made of an attack: what no name can have is left out."""
    plain = text.replace("/", "").replace("\0", "")
    try:
        return os.fsdecode(os.fsencode(plain)[:150])
    except UnicodeEncodeError:  # a half of a pair, which no file system has
        return plain.encode("utf-8", "replace")[:150].decode()


def zipped(entries: Mapping[str, bytes | str]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, held in entries.items():
            archive.writestr(zipfile.ZipInfo(name), held, zipfile.ZIP_DEFLATED)
    return content.getvalue()


def tarred(
    name: str, kind: bytes = tarfile.REGTYPE, link: str = "", size: int | None = None
) -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        info = tarfile.TarInfo(name)
        info.type, info.linkname, info.size = kind, link, 4
        archive.addfile(info, io.BytesIO(b"Owl."))
    made = bytearray(content.getvalue())
    if size is not None:
        made[124:136] = b"\x80" + size.to_bytes(11, "big")
        made[148:156] = b" " * 8
        made[148:156] = b"%06o\0 " % sum(made[:512])
    return bytes(made)


ZEROS = bytes(64 * 1024**2)
ENTITIES = {
    "laughs": '<!ENTITY a "ha"><!ENTITY b "{}"><!ENTITY s "{}">'.format("&a;" * 99, "&b;" * 99),
    "file": '<!ENTITY s SYSTEM "file:///etc/hostname">',
    "network": '<!ENTITY s SYSTEM "http://192.0.2.1/x">',
    "parameter": '<!ENTITY % p SYSTEM "file:///etc/hostname"> %p; <!ENTITY s "x">',
    "itself": '<!ENTITY s "&s;">',
}
ODT = (
    '<o:document-content xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:t='
    '"urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:b="urn:oasis:names:tc:opendocument:'
    'xmlns:table:1.0"><o:body><o:{0}>{1}</o:{0}></o:body></o:document-content>'
)
FB2 = "<FictionBook><body><section><p>{}</p></section></body></FictionBook>"
UPWARDS = [
    *("../../up.txt", "/etc/up.txt", "a/../../../up.txt", "..\\..\\up.txt", "C:\\up.txt"),
    *("~/up.txt", "\x1b[2J.txt", "a\nb.txt", "\u202etxt.a.txt", ".veraciteignore"),
    *("a" * 5000 + ".txt", "./" * 900 + "a.txt"),
]
DEEP = 50_000


def _nested(content: bytes, levels: int) -> bytes:
    for level in range(levels):
        content = zipped({f"{level}.zip": content})
    return content


def _message(levels: int) -> bytes:
    parts = [f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(levels)]
    return ("From: a@example.org\nSubject: S\n" + "".join(parts) + "\nOwl.\n").encode()


def _sheet(cells: str, start: str = "") -> bytes:
    from openpyxl import Workbook

    content = io.BytesIO()
    book = Workbook()
    book.active.append(["Boat", "Fee"])
    book.save(content)
    with zipfile.ZipFile(content) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    parts["xl/worksheets/sheet1.xml"] = (
        f'{start}<worksheet xmlns="{main}">{cells}</worksheet>'.encode()
    )
    return zipped(parts)


def _outlook() -> bytes:
    """An Outlook message whose list of small streams has 4 GB, for it goes in a circle."""
    end, none = 0xFFFFFFFE, 0xFFFFFFFF
    header = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16)
    header += struct.pack("<5H10x", 62, 3, 0xFFFE, 9, 6)
    header += struct.pack("<9I", 1, 1, 0, 4096, 2, 2**23, end, 0, 0)
    entries = [
        f"{name}\0".encode("utf-16-le").ljust(64, b"\0")
        + struct.pack("<HBB3I36xIQ", 2 * len(name) + 2, kind, 1, none, none, below, 0, 64)
        for name, kind, below in (("Root Entry", 5, 1), ("__properties_version1.0", 2, end))
    ]
    sectors = struct.pack("<3I", end - 1, end, 2)
    whole = b"".join([header.ljust(512, b"\xff"), sectors.ljust(512, b"\xff"), *entries])
    return whole.ljust(2560, b"\0")


def files() -> dict[str, bytes]:
    """Hostile files, by their names."""
    made: dict[str, bytes] = {
        "bomb.zip": zipped({"a.txt": ZEROS}),
        "bomb.gz": gzip.compress(ZEROS),
        "bomb.txt.bz2": bz2.compress(ZEROS),
        "bomb.txt.xz": lzma.compress(ZEROS, preset=0),
        "bomb.tar.gz": gzip.compress(tarred("a.txt", size=2**40)),
        **{f"bomb.{kind}": zipped({part: ZEROS}) for kind, part in PARTS.items()},
        "nested-3.zip": _nested(b"PK", 3),
        "nested-60.zip": _nested(zipped({"a.txt": b"Owl."}), 60),
        "many.zip": zipped({f"{n}.txt": b"" for n in range(20_000)}),
        "declared.tar": tarred("a.txt", size=2**62),
    }
    for number, name in enumerate(UPWARDS):
        made[f"place-{number}.zip"] = zipped({name: b"Owl."})
        made[f"place-{number}.tar"] = tarred(name)
    for kind, target in (
        (tarfile.SYMTYPE, "/etc/passwd"),
        (tarfile.LNKTYPE, "../../up.txt"),
        (tarfile.CHRTYPE, ""),
        (tarfile.BLKTYPE, ""),
        (tarfile.FIFOTYPE, ""),
        (tarfile.DIRTYPE, ""),
    ):
        made[f"kind-{ord(kind)}.tar"] = tarred("link.txt", kind, target)
    for name, told in ENTITIES.items():
        start = f"<!DOCTYPE r [{told}]>"
        made[f"entity-{name}.xml"] = f"{start}<r><p>Before &s; after.</p></r>".encode()
        made[f"entity-{name}.fb2"] = (start + FB2.format("Before &s; after.")).encode()
        odt = start + ODT.format("text", "<t:p>Before &s; after.</t:p>")
        made[f"entity-{name}.odt"] = zipped({"content.xml": odt.encode()})
        made[f"entity-{name}.xlsx"] = _sheet("<sheetData/>&s;", start.replace(" r ", " worksheet "))
        made[f"entity-{name}.html"] = f"{start}<p>Before &s; after.</p>".encode()
        made[f"entity-{name}-16.xml"] = (
            '<?xml version="1.0" encoding="utf-16"?>' + start + "<r><p>Before &s;.</p></r>"
        ).encode("utf-16")
    times = '{}-repeated="2147483647"'.format
    row = (
        f"<b:table><b:table-row b:number-{times('rows')}><b:table-cell b:number-columns-repeated="
        '"900"><t:p>Owl</t:p></b:table-cell></b:table-row></b:table>'
    )
    far = (
        '<dimension ref="A1:XFD1048576"/><sheetData><row r="1048576"><c r="XFD1048576"'
        ' t="inlineStr"><is><t>Owl</t></is></c></row></sheetData>'
    )
    made |= {
        "size.ods": zipped({"content.xml": ODT.format("spreadsheet", row).encode()}),
        "columns.ods": zipped(
            {"content.xml": ODT.format("spreadsheet", row.replace("900", "9" * 10)).encode()}
        ),
        "size.xlsx": _sheet(far),
        "size.html": b"<table><tr><td colspan=999999999 rowspan=999999999>Owl</td></tr></table>",
        "size.csv": b"," * 200_000 + b"Owl",
        "size.json": b'{"a": ' + b"9" * 100_000 + b', "b": 1e999, "c": -Infinity}',
        "size.rtf": rb"{\rtf1 \bin999999999 Owl}",
        "size.pdf": b"%PDF-1.7\n1 0 obj<</Length 9223372036854775807>>stream\nx\nendstream\n",
        "size.ipynb": b'{"cells": [{"cell_type": "markdown", "source": 7}], "nbformat": 1e99}',
        "size.eml": b"Subject: S\nContent-Type: text/plain; charset=" + b"x" * 99_999 + b"\n\nOwl.",
        "size.srt": b"1\n99999999999:00:00,000 --> 99999999999:00:01,000\nOwl.\n",
        "size.tex": rb"\newcommand{\a}{\a\a}\a Owl.",
        "size.md": b"|" * 50_000 + b"\n" + b"|-" * 50_000 + b"|\nOwl.",
        "size.txt": b"Owl " * 300_000,
        "line.txt": b"a" * 1_000_000 + b".",
        "size.mbox": b"From a\n" * 30_000,
        "size.msg": _outlook(),
    }
    deep = {
        "json": (b"[", b"]"), "xml": (b"<a>", b"</a>"), "html": (b"<div>", b"</div>"),
        "md": (b"> ", b""), "tex": (b"{", b"}"), "rtf": (b"{\\rtf1 ", b"}"),
        "rst": (b"* ", b""), "ipynb": (b'{"cells":[', b"]}"),
        "txt": (b"(", b")"), "csv": (b'"', b""),
        "fb2": (b"<section>", b"</section>"), "vtt": (b"<b>", b""), "yaml": (b"- ", b""),
    }  # fmt: skip
    made |= {f"deep.{kind}": a * DEEP + b"Owl." + b * DEEP for kind, (a, b) in deep.items()}
    made |= {
        "deep.org": b"* " * 5_000,
        "deep-links.md": b"[" * DEEP,
        "deep-images.md": b"![](" * DEEP,
        "deep.eml": _message(2_000),
        "deep-stars.md": b"*a " * DEEP,
        "deep-tags.html": b"<b><i>" * DEEP,
        "deep-lists.md": b"".join(b" " * n + b"- a\n" for n in range(900)),
        "deep-quotes.md": b"".join(b">" * n + b" a\n" for n in range(600)),
    }
    return made


PARTS = {
    "docx": "word/document.xml", "xlsx": "xl/workbook.xml", "pptx": "ppt/presentation.xml",
    "odt": "content.xml", "epub": "META-INF/container.xml",
}  # fmt: skip


LINKS = {
    "device": "/dev/zero", "loop": "loop.txt", "gone": "none", "system": "/proc/self/mem",
    "outside": "..", "terminal": "/dev/tty",
}  # fmt: skip


def put(name: str, folder: Path) -> None:
    """Put a thing that is no file into a folder, as ``NAME.txt``."""
    place = folder / f"{name}.txt"
    if name == "pipe":
        os.mkfifo(place)
    elif name == "socket":
        # A socket's path must be short.
        with socket.socket(socket.AF_UNIX) as one, contextlib.chdir(folder):
            one.bind(place.name)
    else:
        place.symlink_to(LINKS[name])


IGNORED: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "folder": Path.mkdir,
    "stars": lambda path: path.write_text("*a" * 40 + "b"),
    "folders": lambda path: path.write_text("a/" + "**/b/" * 40 + "c"),
    "classes": lambda path: path.write_text("*[!b]" * 40),
    "upwards": lambda path: path.write_text("../../*\n!/etc/*\n"),
    "lines": lambda path: path.write_text("x\n" * 20_000),
    "bracket": lambda path: path.write_text("[" * 10_000),
}
