"""E-mail: who wrote to whom, when and on what, the text, and what was attached.

One message (eml, msg), a mailbox of them (mbox), or a web page that a browser saved as one (mhtml).
"""

import email
import email.policy
import io
import re
from collections.abc import Container, Iterable, Iterator
from contextlib import nullcontext, suppress
from email.message import EmailMessage, MIMEPart
from pathlib import Path
from typing import IO

from veracite.index.documents import Extraction
from veracite.index.errors import ReadError
from veracite.index.readers import Assembly, damage_told, file_bytes
from veracite.index.readers.html import add_page

EXTRACTOR = "mail/7"

_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_PAGES = (".mhtml", ".mht")
"""Whose headers are the browser's."""
_MESSAGE = re.compile(rb"^From .*\r?\n", re.MULTILINE)
_QUOTED = re.compile(r"^(?:> ?)+", re.MULTILINE)
_NEW = 0.3
"""The share of a block's pairs of words above which it says something new."""


def read(path: Path) -> Extraction:
    """Read messages; raises ReadError where the file is none, or has no text."""
    content, assembly = file_bytes(path), Assembly()
    title = None
    if path.suffix.lower() == ".msg":
        title = _add_outlook(assembly, content)
    else:
        messages = [*_messages(path, content)]
        for message in messages:
            own = _add_message(assembly, message, with_headers=path.suffix.lower() not in _PAGES)
            title = own if len(messages) == 1 else None
    return assembly.whole(
        EXTRACTOR, title, "The file holds no message with text.", "Export it again as EML."
    )


def members(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """Name and content of each attachment; in a mailbox, behind the number of its message."""
    suffix, content = path.suffix.lower(), file_bytes(path)
    if suffix == ".msg":
        from oxmsg import Message

        for attached in Message.load(io.BytesIO(content)).attachments:
            yield attached.file_name or "", io.BytesIO(attached.file_bytes or b"")
    elif suffix not in _PAGES:
        for number, message in enumerate(_messages(path, content), start=1):
            for part in _attached(message, _bodies(message)):
                payload, held = part.get_payload(decode=True), part.get_payload()
                told = payload if isinstance(payload, bytes) else b"\n".join(map(bytes, held))
                name = part.get_filename() or "message.eml"
                yield f"{number}/{name}" if suffix == ".mbox" else name, io.BytesIO(told)


def _attached(message: MIMEPart, bodies: Container[object]) -> Iterator[MIMEPart]:
    """What was attached, without the text and the pictures that stand in it."""
    for part in message.iter_parts():
        named = part.get_filename() or part.get_content_type() == "message/rfc822"
        shown = part.get_content_maintype() == "image" and part["Content-ID"]
        if named and not shown and part not in bodies:
            yield part
        elif part.get_content_maintype() == "multipart":
            yield from _attached(part, bodies)


def _messages(path: Path, content: bytes) -> Iterator[EmailMessage]:
    parts = _MESSAGE.split(content)[1:] if path.suffix.lower() == ".mbox" else [content]
    for part in parts:
        message = email.message_from_bytes(part, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        yield message


def _add_message(assembly: Assembly, message: EmailMessage, *, with_headers: bool) -> str | None:
    told = {name: _header(message, name) for name in _HEADERS}
    if not any(told.values()):
        raise ReadError("The file is damaged or is no e-mail.", "Export the message again.")
    if with_headers:
        _add_headers(assembly, told)
    texts: list[Assembly] = []
    for part in _texts(message):
        texts.append(Assembly())
        try:
            payload = part.get_payload(decode=True)
            content = payload if isinstance(payload, bytes) else b""
            if part.get_content_subtype() == "html":
                # Beside a text, a page that shows nothing is no loss.
                with suppress(ReadError) if len(texts) > 1 else nullcontext():
                    add_page(texts[-1], content)
                continue
            text = str(part.get_content())
        except (LookupError, KeyError, ValueError, AttributeError):
            text = content.decode("utf-8", "replace")
        texts[-1].add_paragraphs(_QUOTED.sub("", text))
    _add_texts(assembly, texts)
    if names := [name for part in message.walk() if (name := part.get_filename())]:
        assembly.add("paragraph", f"Attachments: {', '.join(names)}")
    return told["Subject"]


def _header(message: EmailMessage, name: str) -> str | None:
    try:
        value = message[name]
    except Exception:  # the library's parser stumbles over what no standard allows
        return None
    return " ".join(str(value).split()) or None if value is not None else None


def _bodies(message: EmailMessage) -> list[MIMEPart]:
    """The plain text and the page that say what the message says."""
    return [*filter(None, (message.get_body((kind,)) for kind in ("plain", "html")))]


def _texts(message: EmailMessage) -> Iterator[MIMEPart]:
    """The parts that are read."""
    bodies = _bodies(message)
    yield from bodies
    mixed = message.iter_parts() if message.get_content_type() == "multipart/mixed" else ()
    for part in mixed if bodies else message.walk():
        is_text = part.get_content_maintype() == "text" and not part.get_filename()
        if is_text and part not in bodies:
            yield part


def _add_texts(assembly: Assembly, texts: Iterable[Assembly]) -> None:
    """Add texts of one message, of each later one only what those before it do not say.

    A block was said before if most of its pairs of words were: a page and the plain text that was
    made of it differ by the addresses of links.
    """
    said: set[tuple[str, ...]] = set()
    for text in texts:
        found, before = text.extraction("", None), frozenset(said)
        for block in found.blocks:
            told = found.text[block.start : block.end]
            words = re.findall(r"[^\W_]+", told.casefold())
            pairs = {tuple(words[at : at + 2]) for at in range(max(1, len(words) - 1))}
            if len(pairs - before) > _NEW * len(pairs):
                assembly.add(block.kind, told, block.level)
            said |= pairs


def _add_headers(assembly: Assembly, told: dict[str, str | None]) -> None:
    if subject := told.get("Subject"):
        assembly.add("heading", subject, 1)
    lines = [f"{name}: {value}" for name, value in told.items() if value and name != "Subject"]
    assembly.add("paragraph", "\n".join(lines))


def _add_outlook(assembly: Assembly, content: bytes) -> str | None:
    from oxmsg import Message

    with damage_told(
        "The file is damaged or is not an Outlook message.", "Export it again as EML."
    ):
        message = Message.load(io.BytesIO(content))
        sent = message.sent_date
        _add_headers(
            assembly,
            {
                "Subject": message.subject,
                "From": message.sender,
                "To": ", ".join(f"{r.name} <{r.email_address}>" for r in message.recipients),
                # Where there is no date, the format's own zero is given: the year 1601.
                "Date": sent.isoformat(" ", "minutes") if sent and sent.year > 1601 else None,
            },
        )
        text, page = Assembly(), Assembly()
        text.add_paragraphs(_QUOTED.sub("", message.body or ""))
        if message.html_body:
            with suppress(ReadError) if message.body else nullcontext():
                add_page(page, message.html_body.encode())
        _add_texts(assembly, [text, page])
        names = [attachment.file_name for attachment in message.attachments]
    if any(names):
        assembly.add("paragraph", f"Attachments: {', '.join(filter(None, names))}")
    return message.subject
