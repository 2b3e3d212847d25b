"""Archives and messages hold documents of their own, each cited by its place in the file."""

import gzip
import io
import tarfile
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest
from attacks import zipped
from indexing import DirectReader, OpenLibrary, events, synced

from veracite.engine.texts import read_text
from veracite.index import portable
from veracite.index.catalog import Catalog
from veracite.index.documents import Part
from veracite.index.errors import ReadError
from veracite.index.library import Library
from veracite.index.progress import Scanned
from veracite.index.readers import containers
from veracite.index.sources import IGNORE_FILE, Patterns


def tarred(files: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
        link = tarfile.TarInfo("link.txt")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/hostname"
        archive.addfile(link)
    return content.getvalue()


def mail(*attached: tuple[str, str, bytes], border: str = "x") -> bytes:
    parts = [f"--{border}\n{TEXT}\n\nThe lock was paid for.\n".encode()]
    for headers, name, content in attached:
        head = f'--{border}\n{headers}\nContent-Disposition: attachment; filename="{name}"\n\n'
        parts.append(head.encode() + content + b"\n")
    top = "From: ida@example.org\nSubject: Locks\nMIME-Version: 1.0\n"
    top += f"Content-Type: multipart/mixed; boundary={border}\n\n"
    return top.encode() + b"".join(parts) + f"--{border}--\n".encode()


TEXT = "Content-Type: text/plain"
FORWARDED = "Content-Type: message/rfc822"
PICTURE = "Content-Type: image/png\nContent-ID: <a>"
OWL, CAT = b"Owls hoot at night.", b"Cats purr by day."
MESSAGE = mail((TEXT, "owl.txt", OWL), (PICTURE, "logo.png", b"?"))
INNER = zipped({"cat.txt": CAT, "third.zip": zipped({"owl.txt": OWL})})
CONTAINERS: dict[str, tuple[bytes, dict[str, str]]] = {
    "a.zip": (
        zipped({
            "up/../../owl.txt": OWL, "/etc/owl.txt": OWL, "up\\owl.txt": OWL, "up//owl.txt": OWL,
            ".hidden.txt": OWL, "__MACOSX/owl.txt": OWL, "a.exe": b"?", "empty.txt": b"",
            "in.zip": INNER, "m.eml": MESSAGE,
        }),
        {
            "up/owl.txt": "", "etc/owl.txt": "", "up/owl (3).txt": "", "up/owl (4).txt": "",
            "a.exe": "this kind", "empty.txt": "empty", "in.zip": "", "in.zip/cat.txt": "",
            "in.zip/third.zip": "", "in.zip/third.zip/owl.txt": "within an archive",
            "m.eml": "", "m.eml/owl.txt": "",
        },
    ),
    "a.tar.gz": (tarred({"./in/owl.txt": OWL}), {"in/owl.txt": ""}),
    "owl.txt.gz": (gzip.compress(OWL), {"owl.txt": ""}),
    "a.eml": (
        mail((TEXT, "owl.txt", OWL), (FORWARDED, "b.eml", MESSAGE), border="y"),
        {"owl.txt": "", "b.eml": "", "b.eml/owl.txt": ""},
    ),
    "signed.eml": (
        b"Subject: S\nContent-Type: multipart/signed; boundary=z\n\n--z\n" + MESSAGE
        + b"--z\nContent-Type: message/delivery-status; name=d.txt\n\nFailed: yes\n--z--\n",
        {"owl.txt": "", "d.txt": ""},
    ),
    "a.mbox": (
        b"From ida\n" + MESSAGE + b"\nFrom ida\n" + MESSAGE, {"1/owl.txt": "", "2/owl.txt": ""},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CONTAINERS)
def test_what_a_file_holds_is_read_and_named_by_its_place(name: str, tmp_path: Path) -> None:
    content, expected = CONTAINERS[name]
    (tmp_path / name).write_bytes(content)
    with DirectReader() as reader:
        _, *parts = reader.read(tmp_path / name)
        told = {part.name: part.reason for part in parts}
    assert told.keys() == expected.keys()
    for place, reason in expected.items():
        assert reason in told[place]
        assert bool(told[place]) == bool(reason)
    owls = {part.sha256 for part in parts if part.found and part.found.text == OWL.decode()}
    assert len(owls) == 1


def test_an_inner_archive_is_gone_from_the_disk_before_the_next_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    inner = zipped({"owl.txt": OWL})
    (tmp_path / "a.zip").write_bytes(zipped({"one.zip": inner, "two.zip": inner}))
    with DirectReader() as reader:
        unpacked = [len([*tmp_path.rglob("*.members")]) for _ in reader.read(tmp_path / "a.zip")]
    assert max(unpacked) == 1


def test_a_library_follows_what_an_archive_holds(opened: OpenLibrary, tmp_path: Path) -> None:
    folder = tmp_path / "source"
    folder.mkdir()
    box = folder / "box.zip"
    box.write_bytes(
        zipped({"in/owl.txt": OWL, "cat.txt": CAT, "bad.pdf": b"%PDF-?", "film.mp4": b"?"})
    )
    (folder / "box.zip-notes.txt").write_text("Dogs bark.")
    library = opened(folder)
    done = synced(library)
    assert (done.documents, done.failed) == (3, 1)
    assert library.status().others == (f"{box}/film.mp4",)
    (found,) = library.search("hoot", k=1, mode="lexical")
    assert found.passage.document.path == f"{box}/in/owl.txt"
    assert library.raw_text(found.passage.document) == OWL.decode()
    assert str(box / "bad.pdf") in str(library.status().failed)
    again = synced(library)
    assert (again.documents, again.failed) == (3, 1)
    box.write_bytes(zipped({"cat.txt": CAT}))
    assert synced(library).documents == 2
    box.unlink()
    done = synced(library)
    assert (done.documents, done.failed, done.passages) == (1, 0, 1)


@pytest.mark.parametrize(
    ("patterns", "ignored", "read"),
    [
        (Patterns(), "", {"in/owl.txt", "cat.md", "in/b.zip/c.md", "d.txt"}),
        (Patterns(include=("*.md",)), "", {"cat.md", "in/b.zip/c.md"}),
        (Patterns(exclude=("*.md", "/d.txt")), "", {"in/owl.txt"}),
        (Patterns(include=("box.zip",)), "", {"in/owl.txt", "cat.md", "in/b.zip/c.md"}),
        (Patterns(), "in/\n", {"cat.md", "d.txt"}),
    ],
)
def test_patterns_reach_into_archives(
    patterns: Patterns, ignored: str, read: set[str], opened: OpenLibrary, tmp_path: Path
) -> None:
    folder = tmp_path / "source"
    folder.mkdir()
    inner = zipped({"c.md": CAT})
    box = zipped({"in/owl.txt": OWL, "cat.md": CAT, "in/b.zip": inner})
    (folder / "box.zip").write_bytes(box)
    (folder / "d.txt").write_text("Dogs bark.")
    library = opened(folder)

    def held() -> set[str]:
        synced(library)
        paths = [document.path.removeprefix(f"{folder}/") for document in library.documents()]
        return {path.removeprefix("box.zip/") for path in paths}

    everything = held()
    (folder / IGNORE_FILE).write_text(ignored)
    library.choose(patterns)
    assert held() == read
    assert events(library)[0] == Scanned(1 + ("d.txt" in read), 0)
    (folder / IGNORE_FILE).unlink()
    library.choose(Patterns())
    assert held() == everything


def moved(library: Library, box: Path) -> None:
    box.rename(box.with_name("new.zip"))
    assert events(library)[0] == Scanned(1, 0)


def put_into_a_folder_of_its_name(_: Library, box: Path) -> None:
    content = box.read_bytes()
    box.unlink()
    box.mkdir()
    (box / "in.zip").write_bytes(content)


def damaged(library: Library, box: Path) -> None:
    with library._catalog.transaction() as connection:
        connection.execute(
            "UPDATE documents SET text = '' WHERE path = ?", [bytes(box / "cat.txt")]
        )
    (fault,) = library.verify()
    library.mend([fault])


def edited(library: Library, box: Path) -> None:
    box.write_bytes(box.read_bytes() + b"\0")
    (fault,) = library.verify()
    assert fault.document == str(box)


def interrupted(library: Library, box: Path) -> None:
    class Dies(DirectReader):
        def read(self, path: Path) -> Iterator[Part]:
            yield from islice(super().read(path), 2)
            raise KeyboardInterrupt

    box.write_bytes(box.read_bytes() + b"\0")
    library._open_reader = Dies
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("veracite.index.sync.ROUND_SECONDS", 0.0)  # what was read is stored at once
        with pytest.raises(KeyboardInterrupt):
            events(library)
    library._open_reader = DirectReader
    place = box.parent.with_name("copy.db")
    portable.write_copy(library._catalog, place)
    portable.adopt(place)
    with closing(Catalog(place)) as copy:
        assert len(copy.documents()) == 1


@pytest.mark.parametrize(
    "happens", [moved, put_into_a_folder_of_its_name, damaged, edited, interrupted]
)
def test_what_an_archive_holds_stays_with_it(
    happens: Callable[[Library, Path], None], opened: OpenLibrary, tmp_path: Path
) -> None:
    box = tmp_path / "source" / "box.zip"
    box.parent.mkdir()
    box.write_bytes(zipped({"owl.txt": OWL, "cat.txt": CAT}))
    library = opened(box.parent)
    synced(library)
    happens(library, box)
    assert synced(library).passages == 2
    assert [Path(held.path).name for held in library.documents()] == ["cat.txt", "owl.txt"]
    assert library.verify() == []


def test_an_archive_is_a_text_to_check_as_well(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({"owl.txt": OWL, "m.eml": MESSAGE, "empty.txt": b""}))
    found = read_text(path)
    assert OWL.decode() in found.text
    assert "The lock was paid for." in found.text
    assert "1 could not" in str(found.note)


def locked() -> bytes:
    content = bytearray(zipped({"owl.txt": OWL}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + place] |= 1
    return bytes(content)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.zip", locked(), "password"),
        ("a.zip", b"PK\x03\x04 nothing", "not an archive"),
        ("a.tar.gz", tarred({"owl.txt": OWL * 999})[:100], "damaged"),
        ("a.zip", zipped({}), "no files"),
        ("a.zip", zipped({"x.txt": OWL}).replace(b"x.txt", b"\0.txt"), "no files"),
        ("a.zip", zipped({f"{n}.txt": OWL for n in range(9)}), "more than 8 files"),
        ("a.tgz", tarred({"a.txt": OWL * 60_000}), "or 1 MB"),
    ],
    ids=["locked", "no zip", "cut off", "empty", "nameless", "too many", "too large"],
)
def test_an_archive_that_cannot_be_opened_says_why(
    name: str, content: bytes, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(containers, "_MOST_MEMBERS", 8)
    monkeypatch.setattr(containers, "_MOST_BYTES", 1024 * 1024)
    (tmp_path / name).write_bytes(content)
    with DirectReader() as reader, pytest.raises(ReadError, match=reason):
        next(reader.read(tmp_path / name))
