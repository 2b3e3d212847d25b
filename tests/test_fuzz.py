"""The targets of ``scripts/fuzz.py`` hold for what chance makes of notation and real files."""

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
from command_line import process
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = sorted((ROOT / "tests" / "samples" / "library").rglob("*.*"))
PIECES = (
    *("[1]", "[1, 2](#a)", "[^a]: ", "](", "**", "`", "<b>", "<!--", "&#x0;", "|", "\n\n", "\n- "),
    *("# ", "> ", "$", "\\", "Owls hoot. ", "In 1904 ", "“", "\x1b[2J", "\u202e", "\0", "\ud7ff"),
    *("{", "}", '{"a":', "* ", "\\begin{a}", "--\n", "From a\n"),
    *("1\n00:00:01,000 --> ", ".. a::\n"),
)
TEXT = st.lists(st.sampled_from(PIECES) | st.text(max_size=9), max_size=25).map("".join)
TARGETS = ("claims", "marks", "markup", "report", "bundle", "md", "html", "xml", "json", "rtf",
           "rst", "org", "csv", "eml", "srt", "ipynb", "txt", "zip")  # fmt: skip


@pytest.fixture(scope="module")
def fuzz() -> ModuleType:
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        return importlib.import_module("fuzz")
    finally:
        sys.path.pop(0)


@pytest.mark.parametrize("target", TARGETS)
def test_a_target_holds_for_notation(target: str, fuzz: ModuleType) -> None:
    @settings(max_examples=settings().max_examples // 2)
    @given(TEXT.map(lambda text: text.encode("utf-8", "surrogatepass")) | st.binary(max_size=200))
    def holds(content: bytes) -> None:
        fuzz.TARGETS[target](content)

    holds()


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_a_real_file_of_which_bytes_are_changed_is_read_or_refused(
    sample: Path, fuzz: ModuleType
) -> None:
    whole = sample.read_bytes()
    change = st.tuples(st.integers(0, len(whole) - 1), st.binary(min_size=1, max_size=4))

    @settings(max_examples=settings().max_examples // 4, suppress_health_check=[*HealthCheck])
    @given(st.lists(change, min_size=1, max_size=4), st.integers(0, 3))
    def holds(changes: list[tuple[int, bytes]], cut: int) -> None:
        made = bytearray(whole)
        for place, new in changes:
            made[place : place + len(new)] = new
        fuzz.TARGETS[sample.suffix[1:]](bytes(made[: len(made) - cut * len(made) // 4]))

    holds()


@pytest.mark.long
@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris is not installed")
@pytest.mark.parametrize("target", TARGETS[:5])
def test_a_few_seconds_of_coverage_guided_fuzzing_find_nothing(target: str, tmp_path: Path) -> None:
    words = (ROOT / "scripts" / "fuzz.py", target, "-max_total_time=5", "-rss_limit_mb=4096")
    done = process(sys.executable, *words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]
