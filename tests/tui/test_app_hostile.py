"""Whatever a text, a document or a file name holds, the screen shows it and obeys none of it."""

from dataclasses import replace
from pathlib import Path

import pytest
import reports
from ask_view import asked
from check_view import checked, checking
from reports import HOSTILE
from screens import press
from scripted import Script
from textual.pilot import Pilot
from textual.widgets import Input

from veracite.engine.surroundings import Surroundings
from veracite.engine.types import Change, Citation, Claim, Label, Verdict
from veracite.index.documents import FailedDocument
from veracite.index.progress import FileFailed, FileRead
from veracite.tui.app import VeraciteApp

MARKUP = "[red]ink[/red] [@click=app.quit]here[/] [/] [bold"
WIDE = "漢字 ｗｉｄｅ 👩‍👩‍👧 é̂̂̂"
CORPUS = " ".join([MARKUP, WIDE.replace("\u200d", ""), *HOSTILE.values()])
CLAIM = f"The mill {CORPUS} burned in 1904"
TEXT = f"{CLAIM}. Another claim."
NAME = f"/papers/{CORPUS.replace('/', '')}.pdf"
LONG = "a" * 100_000


def judged(claim: Claim) -> Verdict:
    """Contradicted by a document that is as hostile as the claim."""
    quote = reports.citation(
        f"It burned {CORPUS} in 1905.",
        "contradicts",
        file=NAME,
        heading=CORPUS,
        context=f"{CORPUS} It burned {CORPUS} in 1905. {CORPUS}",
    )
    other = replace(quote, quote=f"It burned {CORPUS} in 1904.", relation="supports")
    found = reports.verdict("Who paid?", Label.CONTRADICTED, quote, other)
    return replace(found, claim=claim, explanation=f"Because {CORPUS}.")


class Hostile(Script):
    """Everything that it finds is hostile."""

    def around(self, citation: Citation, against: object) -> Surroundings:
        text = f"{CORPUS}\n\n{citation.quote}\n\n{CORPUS}"
        start = text.index(citation.quote)
        return Surroundings(text, start, start + len(citation.quote), ((0, 2),))


def require_harmless(pilot: Pilot[None]) -> str:
    """All that is on the screen: nothing to obey, and no line wider than the terminal."""
    strips = pilot.app.screen._compositor.render_strips()
    for strip in strips:
        assert strip.text.isprintable(), ascii(strip.text)
        assert strip.cell_length == pilot.app.size.width, strip.text
    return "\n".join(strip.text for strip in strips)


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Hostile:
    monkeypatch.setattr("scripted.FAILED", FailedDocument(NAME, CORPUS))
    return Hostile(judge=judged, notes=(CORPUS,), mended={})


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_every_place_of_the_check_view(script: Hostile, size: tuple[int, int]) -> None:
    async with checking(script, TEXT, size=size, notifications=True) as (pilot, screen):
        require_harmless(pilot)
        pilot.app.clear_notifications()
        screen.status.follow(FileRead(NAME, 4, 1, 2))
        await pilot.pause()
        assert "[red]ink" in require_harmless(pilot)
        screen.status.follow(FileFailed(NAME, CORPUS, 1, 2))
        await press(pilot, "right")
        assert "[red]ink[/red]" in require_harmless(pilot)
        for _ in range(12):
            await press(pilot, "space")
            require_harmless(pilot)
        for key in ("enter", "f8", "v", "f9", "f1"):
            await press(pilot, key)
            shown = require_harmless(pilot)
            assert key in ("f1",) or "[red]ink" in shown, key
            await pilot.press("escape")
        await press(pilot, "slash", *"[red]", "escape", "e")
        require_harmless(pilot)


async def test_what_is_asked_and_answered(script: Hostile) -> None:
    script.answer = TEXT
    async with VeraciteApp(script).run_test(size=(100, 40)) as pilot:
        await asked(pilot, CORPUS)
        await press(pilot, "ctrl+up", "enter", "f8")
        assert "[red]ink[/red]" in require_harmless(pilot)


async def test_what_is_proposed(script: Hostile) -> None:
    async with VeraciteApp(script).run_test(size=(100, 40)) as pilot:
        await checked(pilot, TEXT)
        await press(pilot, "f")
        from veracite.tui.screens.fix import FixScreen

        fixing = pilot.app.screen
        assert isinstance(fixing, FixScreen)
        claim = Claim(CLAIM, 0, len(CLAIM), CLAIM, CLAIM)
        fixing.proposals.propose(Change(judged(claim), f"{CORPUS}!", True, CORPUS))
        await pilot.pause()
        assert "[red]ink" in require_harmless(pilot)


async def test_names_of_files_that_are_completed(
    script: Hostile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for number, what in enumerate([MARKUP.replace("/", ""), *HOSTILE.values()]):
        if "\x00" not in what:
            (tmp_path / f"{number}{what}").touch()
    async with VeraciteApp(script).run_test(size=(100, 40)) as pilot:
        await pilot.press("ctrl+o")
        pilot.app.screen.query_one(Input).value = "./0"
        await press(pilot, "end", "tab")
        assert "[red]ink" in require_harmless(pilot)
        await press(pilot, "enter")
        require_harmless(pilot)


async def test_a_line_of_a_hundred_thousand_characters_is_wrapped() -> None:
    text = f"One claim. {LONG} is long. The end."
    async with checking(Script(), text, size=(80, 24)) as (pilot, screen):
        await press(pilot, "left")
        require_harmless(pilot)
        assert screen.text.reader.wrapped_document.height > len(LONG) / 80
        assert screen.text.reader.scroll_y > 100
