"""The line at the bottom of the Library room: how far a sync is, and how long it will take."""

from veracite.engine.events import Event
from veracite.index.progress import Encoded, FileFailed, FileRead, FileRemoved, Scanned, Synced
from veracite.tui.library_sheets import counted
from veracite.tui.widgets.status_line import StatusLine

__all__ = ["LibraryStatus"]


class LibraryStatus(StatusLine):
    """One line."""

    def follow(self, event: Event) -> None:
        """Say how far the work has come with this event."""
        match event:
            case Scanned(files=files, to_read=0):
                self.say(f"Looked through {files:,} files: none is new or changed …")
            case Scanned(to_read=to_read):
                self._progress("Reading", 0, to_read)
            case FileRemoved(path=path):
                self.say(f"Forgot {path.rpartition('/')[2]}")
            case Synced(documents=documents, failed=failed, passages=passages):
                lost = f", {failed:,} failed" if failed else ""
                read, cut = counted(documents, "document"), counted(passages, "passage")
                self.say(f"Up to date: {read}{lost}, {cut}.")
            case FileRead() | FileFailed() | Encoded():
                super().follow(event)
