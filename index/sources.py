"""The files and folders that a library follows, and which files they hold; none is opened.

A place that cannot be looked at is not an empty place: a drive may be unplugged, a share offline.
What was read below it before stays in the library and in use, and the place is listed as failed.

A library that was imported has sources *elsewhere*, on another machine. Nothing is looked for at
their paths here, where something else may lie. What was read from them stays until the source is
removed, or added again, which means the place of that name on this machine.
"""

import os
import re
import stat
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import shorten

from veracite.index.documents import FailedDocument
from veracite.index.errors import SourceError
from veracite.index.readers import NOT_REGULAR, READERS, holds_files, is_left_out, known, whole

IGNORE_FILE = ".veraciteignore"
"""Says in gitignore's language what is left out of its folder and those below."""

_Place = tuple[int, int]

_SYSTEM = tuple(map(Path, ("/proc", "/sys", "/dev")))
"""Folders that hold no files, only what the system says of itself."""

_WATCH_STARTS = 200
_STAR = re.compile(
    r"\[\^/\]\*((?:(?!\[\^/\]\*)(?:\[\^/\]|\[(?!\^)(?:\\.|[^\]\\])+\]|\\.|[^/()\[\\|*+?]))*)(?=\[\^/\]\*)"
)
"""In pathspec's regular expressions a star with what stands before the next one of the same name.
Its first place is as good as any later one; trying them all takes time without an end."""
_MOST_STARS = 3
"""That are tried at all of their places, in one pattern."""
_NO_TARGET = (
    "This is a link to a file that does not exist.",
    "Restore the file, or remove the link.",
)
_OUTSIDE = (
    "This is a link to a folder outside of the folders that are read.",
    "Name the folder that it leads to as well, if it is to be read.",
)
_NOT_FOLLOWED = "The link cannot be followed ({}).", "Remove it, or name what it leads to instead."
_NO_PATTERNS = f"The patterns in this {IGNORE_FILE} cannot be read ({{}}).", "Correct them."


def is_below(path: str | Path, places: Iterable[Path]) -> bool:
    """Whether a path is one of some places or lies below one."""
    return any(Path(path).is_relative_to(place) for place in places)


@dataclass(frozen=True, slots=True)
class Patterns:
    """Which files of folders are read, in gitignore's language, relative to each source."""

    include: tuple[str, ...] = ()
    """Only files that one of them fits; none means all."""
    exclude: tuple[str, ...] = ()
    """Files and folders that are left out, whatever a ``.veraciteignore`` says."""

    def require_valid(self) -> None:
        """Raises SourceError if one of them cannot be understood."""
        for pattern in (*self.include, *self.exclude):
            try:
                _ignored([pattern])
            except ValueError as error:
                raise SourceError(
                    f"The pattern {pattern!r} cannot be read ({error}).",
                    "Write it as in a .gitignore file, such as '*.log' or 'drafts/'.",
                ) from error


@dataclass(frozen=True, slots=True)
class Holder:
    """A file that holds others, such as an archive, under patterns."""

    admits: Callable[[str], bool]
    """Whether what it holds under this name is to be read."""
    version: str
    """Changes with the patterns."""


@dataclass(slots=True)
class Listing:
    """What a scan found."""

    files: dict[str, os.stat_result] = field(default_factory=dict)
    """Files to read by absolute path, in order of sources and, within one, of names."""
    others: list[str] = field(default_factory=list)
    """Files of kinds that are not read."""
    unreached: dict[str, str] = field(default_factory=dict)
    """Sources and folders that cannot be looked at, each with the operating system's reason."""
    failed: list[FailedDocument] = field(default_factory=list)
    """Files that are no files to read, such as links that lead nowhere."""
    mounted: list[str] = field(default_factory=list)
    """Folders where a drive is mounted, or was and nothing is now."""
    left_out: int = 0
    """How many files and folders patterns leave out."""
    holders: dict[str, Holder] = field(default_factory=dict)
    """Of those files that hold others and of which patterns speak."""


def scan(
    sources: Iterable[Path], leave_out: Path, patterns: Patterns, mounted: Collection[str]
) -> Listing:
    """List the sources' files.

    A file that is a source itself is always listed. Within folders, hidden files and folders, what
    patterns leave out and formats that cannot be read are not; links to files are followed; links
    to folders are where they stay within the sources, after all real folders, and no folder is
    entered twice, so that a loop of links ends.

    Args:
        sources: Absolute paths of files and folders.
        leave_out: The library's own folder.
        patterns: Which files of folders are read.
        mounted: As an earlier listing has it: an empty folder where a drive was mounted is out of
            reach.
    """
    return _Scan(tuple(sources), leave_out, patterns, mounted).listing


def watched(sources: Sequence[Path], leave_out: Path) -> Iterator[None]:
    """Yields once it watches the sources, and then whenever files of theirs have changed.

    Args:
        sources: As ``scan``; those that cannot be reached are not watched.
        leave_out: As ``scan``.

    Raises:
        SourceError: There is nothing to watch, or the system does not allow it.
    """
    from watchfiles import watch

    def counts(_: object, path: str) -> bool:
        below = next((s for s in sources if is_below(path, [s])), Path(path))
        parts = (*Path(path).relative_to(below).parent.parts, os.path.basename(path))
        ignored = path.endswith(IGNORE_FILE)
        return ignored or not (is_below(path, [leave_out]) or any(map(is_left_out, parts)))

    there = [source for source in sources if source.exists()]
    if not there:
        raise SourceError(
            "There is nothing to watch: no file or folder of the library can be reached.",
            "Add one, or connect the drive that they are on.",
        )
    started = False
    try:
        # Without a result after so many milliseconds it is known to be watching.
        for changes in watch(
            *there, watch_filter=counts, yield_on_timeout=True, rust_timeout=_WATCH_STARTS
        ):
            if changes or not started:
                started = True
                yield
    except OSError as error:
        raise SourceError(
            f"The files and folders cannot be watched ({error.strerror or error}).",
            "Allow more of fs.inotify.max_user_watches, or sync from time to time instead.",
        ) from error


def chosen(globs: Sequence[str], sources: Sequence[Path]) -> Callable[[str], bool]:
    """Says of documents whether patterns in gitignore's language fit them.

    Paths are taken relative to the source, and with the source's own name before them, as they
    are shown.

    Args:
        globs: The patterns; none fits everything.
        sources: Absolute paths of files and folders.

    Raises:
        SourceError: A pattern cannot be understood.
    """
    Patterns(include=tuple(globs)).require_valid()
    fits = _ignored(globs)
    bases = [str(base) for source in sources for base in (source, source.parent)]

    def says(path: str) -> bool:
        near = [base for base in bases if is_below(path, [Path(base)])]
        return not globs or any(fits(os.path.relpath(path, base)) for base in near)

    return says


class _Scan:
    def __init__(
        self,
        sources: tuple[Path, ...],
        leave_out: Path,
        patterns: Patterns,
        mounted: Collection[str],
    ) -> None:
        self.listing = Listing()
        self._mounted = mounted
        self._roots = [Path(os.path.realpath(source)) for source in sources]
        self._patterns = patterns
        self._entered: set[_Place] = {_place(os.stat(leave_out))} if leave_out.exists() else set()
        for source, root in zip(sources, self._roots, strict=True):
            try:
                status = os.stat(source)
            except OSError as error:
                self.listing.unreached[str(source)] = error.strerror or "no reason given"
                continue
            if is_below(root, _SYSTEM):
                self._fail(str(source), NOT_REGULAR)
            elif stat.S_ISDIR(status.st_mode):
                self._walk(source)
            elif stat.S_ISREG(status.st_mode):
                self._list(str(source), status, _Rules(source, self._patterns))
            else:
                self._fail(str(source), NOT_REGULAR)

    def _fail(self, path: str, why: tuple[str, str], *detail: str | None) -> None:
        reason, advice = why
        self.listing.failed.append(FailedDocument(path, reason.format(*detail), advice))

    def _list(self, path: str, found: os.stat_result, rules: "_Rules") -> None:
        if path in self.listing.files:
            return
        self.listing.files[path] = found
        if holds_files(path) and (holder := rules.holder(path)):
            self.listing.holders[path] = holder

    def _walk(self, source: Path) -> None:
        def cannot_list(error: OSError) -> None:
            # A folder below a source that has just gone is gone; a source is only out of reach.
            if error.filename == str(source) or not isinstance(
                error, FileNotFoundError | NotADirectoryError
            ):
                self.listing.unreached[error.filename] = error.strerror or "no reason given"

        tops, rules = [str(source)], _Rules(source, self._patterns)
        for top in tops:
            for folder, folders, names in os.walk(top, onerror=cannot_list):
                try:
                    place = _place(os.stat(folder))
                    is_mounted = os.stat(os.path.join(folder, "..")).st_dev != place[0]
                except OSError:  # it has just gone
                    continue
                if place in self._entered or is_below(folder, _SYSTEM):
                    folders.clear()
                    continue
                self._entered.add(place)
                if is_mounted or (folder in self._mounted and not folders + names):
                    self.listing.mounted.append(folder)
                    if not is_mounted:
                        self.listing.unreached[folder] = "no drive is mounted there any more"
                if IGNORE_FILE in names:
                    self._obey(os.path.join(folder, IGNORE_FILE), rules)
                folders[:] = sorted(name for name in folders if not is_left_out(name))
                seen = len(folders)
                folders[:] = [n for n in folders if rules.admit(os.path.join(folder, n), True)]
                self.listing.left_out += seen - len(folders)
                for path in (os.path.join(folder, name) for name in folders):
                    if os.path.islink(path):
                        if is_below(os.path.realpath(path), self._roots):
                            tops.append(path)
                        else:
                            self._fail(path, _OUTSIDE)
                for name in sorted(name for name in names if not is_left_out(name)):
                    path = os.path.join(folder, name)
                    if not rules.admit(path, False):
                        self.listing.left_out += 1
                    elif (found := self._file(path)) is not None:
                        self._list(path, found, rules)

    def _obey(self, path: str, rules: "_Rules") -> None:
        try:
            if not stat.S_ISREG(os.stat(path).st_mode):
                raise ValueError("it is no regular file")
            rules.add(os.path.dirname(path), whole(Path(path)).decode("utf-8"))
        except (OSError, ValueError) as error:
            self._fail(path, _NO_PATTERNS, str(error))

    def _file(self, path: str) -> os.stat_result | None:
        """What a file within a folder is, if it is to be read."""
        try:
            found = os.stat(path)
        except OSError as error:
            # A file that has just gone is no failure; a link that is there is.
            if known(Path(path)) and os.path.islink(path):
                gone = isinstance(error, FileNotFoundError)
                self._fail(path, _NO_TARGET if gone else _NOT_FOLLOWED, error.strerror)
            return None
        if not known(Path(path)):
            self.listing.others.append(path)
        elif not stat.S_ISREG(found.st_mode):
            self._fail(path, NOT_REGULAR)
        else:
            return found
        return None


class _Rules:
    """What patterns and the files ``.veraciteignore`` of one source leave out."""

    def __init__(self, source: Path, patterns: Patterns) -> None:
        self._of_folder: dict[str, Callable[[str], bool | None]] = {}
        self._lines: dict[str, str] = {}
        self._patterns = patterns
        self._source = str(source)
        self._include = _ignored(patterns.include) if patterns.include else None
        self._exclude = _ignored(patterns.exclude) if patterns.exclude else None

    def add(self, folder: str, lines: str) -> None:
        """Take what a file says about the folder that it lies in."""
        self._of_folder[folder] = _ignored(lines.splitlines())
        self._lines[folder] = lines

    def admit(self, path: str, is_folder: bool) -> bool:
        """Whether a file is to be read, or a folder to be entered."""

        def says(rule: Callable[[str], bool | None], folder: str) -> bool | None:
            return rule(os.path.relpath(path, folder) + ("/" if is_folder else ""))

        if self._exclude and says(self._exclude, self._source):
            return False
        # An archive is a folder of which each file has to fit.
        is_single = not is_folder and READERS.get(Path(path).suffix.lower()) != "containers"
        if self._include and is_single and not says(self._include, self._source):
            return False
        # As in git, what the file that is nearest says counts.
        for folder in map(str, Path(path).parents if self._of_folder else ()):
            rule = self._of_folder.get(folder)
            if rule and (ignored := says(rule, folder)) is not None:
                return not ignored
        return True

    def holder(self, path: str) -> Holder | None:
        """What is said of what a file holds; None if nothing is."""
        said = {str(place): self._lines.get(str(place)) for place in Path(path).parents}
        if not any(said.values()) and self._patterns == Patterns():
            return None
        told = repr((os.path.relpath(path, self._source), self._patterns, *said.items()))
        version = f" {zlib.crc32(told.encode('utf-8', 'surrogatepass')):x}"
        return Holder(lambda name: self.admit(f"{path}/{name}", False), version)


def _ignored(lines: Iterable[str]) -> Callable[[str], bool | None]:
    """Says of a path whether lines in gitignore's language leave it out; None if none speaks of it.

    Raises:
        ValueError: A line cannot be understood.
    """
    from pathspec import GitIgnoreSpec

    try:
        spec = GitIgnoreSpec.from_lines(lines)
    except re.error as error:  # a range such as [z-a]
        raise ValueError(error) from error
    for pattern in spec.patterns:
        line = str(getattr(pattern, "pattern", "")).strip()
        if pattern.regex is None and line and not line.startswith("#"):
            raise ValueError(f"nothing can fit {line!r}")
        if pattern.regex is not None:
            quick = _STAR.sub(r"(?>[^/]*?\1)", pattern.regex.pattern)
            if quick.count("[^/]*") - quick.count("(?>") + line.count("**") > _MOST_STARS:
                raise ValueError(f"{shorten(line, 60)!r} has too many stars")
            pattern.regex = re.compile(quick)
    return lambda path: spec.check_file(path).include


def _place(status: os.stat_result) -> _Place:
    return status.st_dev, status.st_ino
