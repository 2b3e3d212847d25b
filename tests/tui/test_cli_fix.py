"""``veracite fix``: what changes and why; the text itself only if it is asked for."""

import codecs
import json
import stat
from pathlib import Path

import pytest
from command_line import Commands, interrupted
from mill import FALSE, TRUE, UNFOUNDED
from reports import valid

DRAFT = f"# The mill\n\n{FALSE} {UNFOUNDED}\n\n- Bees sleep at night.\n"
MENDED = DRAFT.replace(FALSE, TRUE)


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    path = tmp_path / "draft.md"
    path.write_text(DRAFT)
    return path


def test_the_difference_is_shown_and_the_text_stays(kept: Commands, draft: Path) -> None:
    ran = kept("fix", draft, "-a", kept.documents)
    assert ran.code == 1
    assert draft.read_text() == DRAFT
    assert "\x1b" not in ran.out
    assert ran.out.startswith(
        f"--- {draft}\n+++ {draft}\n@@ -1,5 +1,5 @@\n # The mill\n \n"
        f"-{FALSE} {UNFOUNDED}\n+{TRUE} {UNFOUNDED}\n \n - Bees sleep at night.\n\nChanged:\n"
    )
    changed, left = ran.out.split("\nNot changed:\n")
    assert f"\n  - {FALSE}\n  + {TRUE}\n" in changed
    assert "“1904”, not “1911”" in changed
    assert f"\n    “{TRUE}”\n      supports it:" in changed
    assert f"\n  {UNFOUNDED}\n" in left
    assert "\n      nearest:" in left
    assert "1 of 2 unsupported claims was mended." in left
    assert "4 claims: 2 supported, 1 not found, 1 not checkable." in left


def test_nothing_unsupported_left_is_exit_code_0(kept: Commands, draft: Path) -> None:
    draft.write_text(FALSE)
    shown = kept("fix", draft, "-a", kept.documents, terminal=True)
    assert shown.code == 0
    assert f"\x1b[31m-{FALSE}\x1b[0m\n" in shown.out
    assert f"\x1b[32m+{TRUE}\x1b[0m\n" in shown.out
    draft.write_text(TRUE)
    ran = kept("fix", draft, "-a", kept.documents)
    assert ran.code == 0
    assert ran.out.startswith("Nothing had to be mended.\n")


def test_settings_reach_the_method_and_json_its_schema(kept: Commands, draft: Path) -> None:
    sets = ("--set", "remove=true", "--set", "T=1")
    ran = kept("fix", draft, "-a", kept.documents, "--json", "-k", "3", *sets)
    found = valid(ran.out)
    given = {"k": 3, "fix.remove": True, "fix.T": 1}
    assert found["settings"].items() >= given.items()
    assert found["fix"]["text"] == MENDED.replace(f" {UNFOUNDED}", "")
    assert [change["kept"] for change in found["fix"]["changes"]] == [True, True]
    assert ran.code == 0


@pytest.mark.parametrize(("encoding", "mark"), [("utf-8", codecs.BOM_UTF8), ("cp1252", b"")])
def test_output_has_the_form_of_the_text(
    kept: Commands, draft: Path, tmp_path: Path, encoding: str, mark: bytes
) -> None:
    """With a byte order mark or another encoding, CRLF, and no line break at the end."""
    text = DRAFT.replace("The mill\n", "Café “The mill”\n").replace("\n", "\r\n").rstrip()
    given, wanted = (mark + one.encode(encoding) for one in (text, text.replace(FALSE, TRUE)))
    draft.write_bytes(given)
    other = tmp_path / "other.md"
    kept("fix", draft, "-a", kept.documents, "-o", other)
    assert other.read_bytes() == wanted
    assert stat.S_IMODE(other.stat().st_mode) == 0o600
    assert draft.read_bytes() == given


def test_write_writes_over_the_text(kept: Commands, draft: Path, tmp_path: Path) -> None:
    draft.write_bytes(codecs.BOM_UTF16_LE + DRAFT.encode("utf-16-le"))
    draft.chmod(0o640)
    link = tmp_path / "link.md"
    link.symlink_to(draft)
    ran = kept("fix", link, "-a", kept.documents, "--write", "--json")
    assert json.loads(ran.out)["fix"]["text"] == MENDED
    assert ran.err == f"The mended text is in {link}.\n"
    assert draft.read_bytes() == codecs.BOM_UTF16_LE + MENDED.encode("utf-16-le")
    assert stat.S_IMODE(draft.stat().st_mode) == 0o640
    assert link.is_symlink()
    assert sorted(path.name for path in tmp_path.glob("*.md")) == ["draft.md", "link.md"]


def test_a_text_from_standard_input_and_one_from_a_page(kept: Commands, tmp_path: Path) -> None:
    piped = kept(
        "fix", "-", "-a", kept.documents, "--set", "mend=contradicted", stdin=DRAFT.encode()
    )
    assert piped.out.startswith("--- standard input \n+++ standard input \n@@ ")
    assert "Not changed:" not in piped.out
    assert f"  {UNFOUNDED}\n" in piped.out.partition("\nAlso unsupported:\n")[2]
    page, text = tmp_path / "page.html", tmp_path / "page.txt"
    page.write_text(f"<p>{FALSE}</p>")
    ran = kept("fix", page, "-a", kept.documents, "-o", text)
    assert (ran.code, text.read_text().strip()) == (0, TRUE)
    assert "Note: Positions of claims refer to the text that html" in ran.out
    assert page.read_text() == f"<p>{FALSE}</p>"


def test_ctrl_c_leaves_the_text_as_it_is(tmp_path: Path, draft: Path, documents: Path) -> None:
    text = "\n\n".join([FALSE, *(f"The Harrow mill had {n} wheels." for n in range(2, 12))])
    draft.write_text(text)
    ran = interrupted(Commands(tmp_path), "Proposed", "fix", draft, "-a", documents, "--write")
    assert ran.code == 130
    assert draft.read_text() == text
    assert f"\n+{TRUE}\n" in ran.out
    assert "Interrupted before everything was done." in ran.out
    assert ran.err == "Interrupted, so nothing was written.\n"
