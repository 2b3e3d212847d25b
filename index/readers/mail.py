"""E-mail: who wrote to whom, when and on what, the text, and what was attached.

One message (eml, msg), a mailbox of them (mbox), or a web page that a browser saved as one (mhtml).
"""

import email
import email.policy
import io
import re
from collections.abc import Iterator
from email.message import EmailMessage, MIMEPart
from pathlib import Path
from typing import IO

from veracite.index.documents import Extraction
from veracite.index.errors import ReadError
from veracite.index.readers import Assembly, damage_told, file_bytes
from veracite.index.readers.html import add_page

EXTRACTOR = "mail/5"

_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_PAGES = (".mhtml", ".mht")
"""Whose headers are the browser's."""
_MESSAGE = re.compile(rb"^From .*\r?\n", re.MULTILINE)
_QUOTED = re.compile(r"^(?:> ?)+", re.MULTILINE)


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
            for part in _attached(message, message.get_body(("plain", "html"))):
                payload, held = part.get_payload(decode=True), part.get_payload()
                told = payload if isinstance(payload, bytes) else b"\n".join(map(bytes, held))
                name = part.get_filename() or "message.eml"
                yield f"{number}/{name}" if suffix == ".mbox" else name, io.BytesIO(told)


def _attached(message: MIMEPart, body: object) -> Iterator[MIMEPart]:
    """What was attached, without the text and the pictures that stand in it."""
    for part in message.iter_parts():
        named = part.get_filename() or part.get_content_type() == "message/rfc822"
        shown = part.get_content_maintype() == "image" and part["Content-ID"]
        if named and not shown and part is not body:
            yield part
        elif part.get_content_maintype() == "multipart":
            yield from _attached(part, body)


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
    for part in _texts(message):
        try:
            payload = part.get_payload(decode=True)
            content = payload if isinstance(payload, bytes) else b""
            if part.get_content_subtype() == "html":
                add_page(assembly, content)
                continue
            text = str(part.get_content())
        except (LookupError, KeyError, ValueError, AttributeError):
            text = content.decode("utf-8", "replace")
        assembly.add_paragraphs(_QUOTED.sub("", text))
    names = [name for part in message.walk() if (name := part.get_filename())]
    if names:
        assembly.add("paragraph", f"Attachments: {', '.join(names)}")
    return told["Subject"]


def _header(message: EmailMessage, name: str) -> str | None:
    try:
        value = message[name]
    except Exception:  # the library's parser stumbles over what no standard allows
        return None
    return " ".join(str(value).split()) or None if value is not None else None


def _texts(message: EmailMessage) -> Iterator[MIMEPart]:
    """The parts that are read: of alternatives the plain text, else the page."""
    body = message.get_body(("plain", "html"))
    if body is not None:
        yield body
    mixed = message.iter_parts() if message.get_content_type() == "multipart/mixed" else ()
    for part in message.walk() if body is None else mixed:
        is_text = part.get_content_maintype() == "text" and not part.get_filename()
        if is_text and part is not body:
            yield part


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
        if message.body:
            assembly.add_paragraphs(_QUOTED.sub("", message.body))
        elif message.html_body:
            add_page(assembly, message.html_body.encode())
        names = [attachment.file_name for attachment in message.attachments]
    if any(names):
        assembly.add("paragraph", f"Attachments: {', '.join(filter(None, names))}")
    return message.subject
