"""Fuzzes what reads strangers' texts and files, for hours if wanted: finds what nobody foresaw.

python scripts/fuzz.py TARGET [CORPUS] [-max_total_time=SECONDS ...]

Targets: claims, marks, markup, report, bundle, or the suffix of a format (md, html, docx, ...).
It needs atheris (`pip install atheris`); what a target stumbles over is written here as
``crash-...``. CORPUS is a folder of inputs to begin with, to which new ones are added.
"""

import importlib
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from veracite.engine.bundles import open_bundle
from veracite.engine.claims.citation_marks import parse, without_marks
from veracite.engine.claims.segmentation import segment
from veracite.engine.display import neutralise
from veracite.engine.errors import USER_ERRORS
from veracite.engine.report import html, json, markdown
from veracite.engine.types import Citation, Claim, Label, Report, Scores, Verdict
from veracite.index.cleaning import clean
from veracite.index.readers import READERS, module_of
from veracite.tui import text_report
from veracite.tui.console import Look
from veracite.tui.service import namer


def claims(content: bytes) -> None:
    """Spans of claims are in order, within the text, and nothing of them is invisible."""
    text, last = _text(content), 0
    for claim in segment(text):
        assert last <= claim.start < claim.end <= len(text)
        assert neutralise(claim.statement) == claim.statement
        last = claim.end


def marks(content: bytes) -> None:
    """What a language model writes is cut into sentences, whatever it writes."""
    for sentence in parse(_text(content)):
        assert all(number >= 0 for number in sentence.citations)
    without_marks(_text(content))


def markup(content: bytes) -> None:
    """Each place of a cleaned text is one of the raw text."""
    raw = _text(content)
    cleaned = clean(raw, "markdown")
    if cleaned.text:
        span = cleaned.to_raw(0, len(cleaned.text))
        assert 0 <= span.start < span.end <= len(raw)


def report(content: bytes) -> None:
    """No report holds what a terminal obeys."""
    text = _text(content) or "a"
    claim = Claim(text, 0, len(text), text, text, None)
    quote = Citation(f"/{text}", 1, 0, 9, text, "contradicts", 0.9, "ab" * 32, text, text)
    verdict = Verdict(claim, Label.CONTRADICTED, 0.9, Scores(0.1, 0.1, 0.8), text, text, (quote,))
    made = Report(text, text, "ab" * 32, (verdict,), 1, (), (text,), {}, {}, (text,))
    name, look = namer(None), Look(False, True, 80)
    shown = html.render(made, name, None), markdown.render(made, name, None)
    for page in (*shown, text_report.render(made, look, name), json.render(made)):
        assert neutralise(page, lines=True) == page


def bundle(content: bytes) -> None:
    """A bundle is opened or refused in words."""
    with _file(content, ".veracite") as path, suppress(*USER_ERRORS), open_bundle(path, "library"):
        pass


def reading(suffix: str) -> Callable[[bytes], None]:
    """The target of a format: a file is read or refused in words."""

    def read(content: bytes) -> None:
        with _file(content, suffix) as path, suppress(*USER_ERRORS, MemoryError, RecursionError):
            found = module_of(path).read(path)
            assert all(0 <= b.start < b.end <= len(found.text) for b in found.blocks)

    return read


TARGETS: dict[str, Callable[[bytes], None]] = {
    **{one.__name__: one for one in (claims, marks, markup, report, bundle)},
    **{suffix[1:]: reading(suffix) for suffix in READERS},
}


def main(words: list[str]) -> int:
    """Fuzz a target until it fails or the time is over."""
    if len(words) < 2 or words[1] not in TARGETS:
        print(f"usage: python scripts/fuzz.py {'|'.join(TARGETS)} [CORPUS] [-max_total_time=S]")
        return 2
    import atheris

    # Anew, with counters: instrumenting all that is loaded would take most of a minute.
    for name in [name for name in sys.modules if name.partition(".")[0] == "veracite"]:
        del sys.modules[name]
    with atheris.instrument_imports(include=["veracite"]):
        target = importlib.import_module("fuzz").TARGETS[words[1]]
        target(b"a")
    atheris.Setup([words[0], *words[2:]], target)
    atheris.Fuzz()
    return 0


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


@contextmanager
def _file(content: bytes, suffix: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="veracite-") as folder:
        path = Path(folder, f"a{suffix}")
        path.write_bytes(content)
        yield path


if __name__ == "__main__":
    sys.exit(main(sys.argv))
