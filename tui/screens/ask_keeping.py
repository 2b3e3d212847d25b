"""What becomes of conversations: they are kept, opened again and exported."""

from functools import partial
from pathlib import Path

from veracite.engine.errors import USER_ERRORS
from veracite.tui.conversation import Conversation, Turn
from veracite.tui.documents import described, short_path
from veracite.tui.engine import Against
from veracite.tui.screens import ask_prompts as prompts
from veracite.tui.screens.ask_base import AskBase
from veracite.tui.screens.ask_past import PastConversations
from veracite.tui.worker import apart

__all__ = ["KeepingActions"]


class KeepingActions(AskBase):
    """The part of the Ask room that is about whole conversations."""

    def action_new(self) -> None:
        """Begin a new conversation; the one before is kept."""
        self._show(Conversation())

    def action_past(self) -> None:
        """Choose among the conversations that are kept."""
        self.run_worker(self._offer_past())

    def action_export(self) -> None:
        """Write the conversation to a file."""
        try:
            reports = self.conversation.reports
        except USER_ERRORS as error:
            self.notify(f"{error.message} {error.advice}")
            return
        first = self.conversation.turns[0].asked.question
        self.app.push_screen(prompts.for_export(first, reports), self._exported)

    def _exported(self, path: Path | None) -> None:
        if path is not None:
            self.notify(f"Wrote {short_path(path.absolute())}.", markup=False)

    async def _keep(self, conversation: Conversation, turn: Turn) -> None:
        async with self._keeping:  # one after the other: the first one names the file
            try:
                add = partial(self._kept.add, turn.exchange(), conversation.path)
                conversation.path = await apart(add)
            except USER_ERRORS as error:
                self._complain(error)

    async def _offer_past(self) -> None:
        kept = await apart(self._kept.listed)
        if self.is_current:  # the user may have gone elsewhere meanwhile
            self.app.push_screen(PastConversations(self._kept, kept), self._past_chosen)

    def _past_chosen(self, path: Path | None) -> None:
        if path is not None:
            self.run_worker(self._reopen(path))

    async def _reopen(self, path: Path) -> None:
        try:
            exchanges = await apart(partial(self._kept.read, path))
        except USER_ERRORS as error:
            self._complain(error)
            return
        self._show(Conversation(exchanges, path))
        if documents := self.conversation.documents:
            await self._take_up(documents.against)

    async def _take_up(self, against: Against) -> None:
        """Go on with the documents of the conversation, where they are still there."""
        try:
            await apart(partial(self._engine.require, against))
        except USER_ERRORS:
            instead = f"The next question goes to {described(self.against)}; "
            self.notify(
                f"The documents of this conversation are gone: {described(against)}. "
                f"{instead if self.against != against else ''}Ctrl+L chooses others.",
                severity="warning",
                markup=False,
            )
        else:
            self.against = against

    def _show(self, conversation: Conversation) -> None:
        """Go to another conversation."""
        self.runner.stop()
        self.conversation = conversation
        self.answers.show(conversation)
        self.input.remember(conversation.questions)
        self.input.focus()
