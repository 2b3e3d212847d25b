"""The Ask view as a person uses it: going there, asking, waiting for the answers."""

import asyncio

from screens import join, press, settle
from textual.pilot import Pilot

from veracite.tui.screens.ask import AskScreen
from veracite.tui.widgets.answer import AnswerView, ExchangeView

ASKED = "What became of the mill?"


async def entered(pilot: Pilot[None]) -> AskScreen:
    await press(pilot, "f3")
    assert isinstance(pilot.app.screen, AskScreen)
    return pilot.app.screen


async def begin(pilot: Pilot[None], question: str = ASKED) -> AskScreen:
    """Go to the view and ask."""
    screen = await entered(pilot)
    screen.input.focus()
    screen.input.value = question
    await pilot.press("enter")
    return screen


async def finished(pilot: Pilot[None], screen: AskScreen) -> list[AnswerView]:
    """Wait until every method has answered; the newest exchange's answers."""
    view = list(screen.query(ExchangeView))[-1]
    while not all(answering.over for answering in view.turn.answers):
        await asyncio.to_thread(join, screen.runner)
        await pilot.pause()
    await settle(pilot)
    return view.answers


async def asked(pilot: Pilot[None], question: str = ASKED) -> AnswerView:
    screen = await begin(pilot, question)
    return (await finished(pilot, screen))[-1]


def said(answer: AnswerView) -> str:
    """The sentences and what stands below them, however wide the screen is."""
    return "\n".join(line.plain for line in answer.text.lines)


def story(answer: AnswerView) -> str:
    """How it came about, as far as that was looked at."""
    return str(answer.trace.story.content)
