"""``veracite mcp``, spoken to by the SDK's own client over pipes of a real process."""

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from command_line import Commands
from mill import FALSE, TRUE, write_documents

from veracite.engine.errors import InputError
from veracite.engine.libraries import Libraries, Permitted
from veracite.engine.paths import Paths

try:
    from mcp import Client, StdioServerParameters, stdio_client
except ImportError:
    pytest.skip("the MCP SDK (extra mcp) is not installed", allow_module_level=True)

TOOLS = ("check_text", "ask", "search_library", "get_passage", "list_libraries")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents that may be read, a secret beside them that may not, and a library of each."""
    home = tmp_path_factory.mktemp("home")
    write_documents(home / "papers")
    for folder in ("open", "closed", "open/more"):
        (home / folder).mkdir()
        (home / folder / "note.txt").write_text(f"The cook of the {folder} house is Berta Wilm.\n")
    (home / "open" / "way-out").symlink_to(home / "closed")
    program = Commands(home)
    for name in ("open", "closed"):
        assert program("library", "add", home / name, "--name", f"lib-{name}").code == 0
    return home


@asynccontextmanager
async def served(home: Path, *arguments: str) -> AsyncIterator[Client]:
    command = ["-m", "veracite.tui", "mcp", "--against", "papers", *arguments]
    environ = Commands(home).environ
    server = StdioServerParameters(command=sys.executable, args=command, env=environ, cwd=home)
    with open(os.devnull, "w") as nowhere:
        async with Client(stdio_client(server, errlog=nowhere)) as client:
            yield client


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    """What a tool returns."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    told: dict[str, Any] = result.structured_content or {}
    return told.get("result", told)


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """What a tool says that refuses."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return "".join(getattr(part, "text", "") for part in result.content)


async def test_a_client_checks_asks_searches_and_reads(home: Path) -> None:
    async with served(home) as client:
        listed = (await client.list_tools()).tools
        assert {tool.name for tool in listed} == {*TOOLS}
        assert all(tool.description and tool.annotations for tool in listed)
        report = await call(client, "check_text", text=f"{TRUE} {FALSE}")
        assert [claim["label"] for claim in report["claims"]] == ["supported", "contradicted"]
        quote = report["claims"][1]["quotes"][0]
        place = {name: quote[name] for name in ("file", "start", "end")}
        assert await call(client, "get_passage", **place) == quote["quote"]
        answered = await call(client, "ask", question="When did the Harrow mill burn down?")
        assert "1904" in answered["answer"]["text"]
        assert answered["claims"][0]["label"] == "supported"
        (found,) = await call(client, "search_library", query="bees at night", number=1)
        assert found["file"] == str(home / "papers" / "bees.txt")
        assert "Bees sleep" in found["text"]


async def test_what_was_not_named_at_the_start_is_refused(home: Path) -> None:
    query = {"query": "Who is the cook?"}
    async with served(home, "--allow", "open", "--allow", "lib-open") as client:
        may = await call(client, "list_libraries")
        assert may["folders_and_files"] == [str(home / "papers"), str(home / "open")]
        assert may["libraries"] == ["lib-open"]
        assert may["without_documents"] == [str(home / "papers")]
        for name in ("open", "open/more", str(home / "open" / "note.txt"), "lib-open"):
            found = await call(client, "search_library", documents=name, **query)
            assert "Berta Wilm" in found[0]["text"]
            assert not [one for one in found if "closed" in one["text"]]
        away = ("closed", "open/../closed", "open/way-out", "lib-closed", "/etc", "", "~", "a\0b")
        for name in (*away, "never", "default"):
            told = await refused(client, "search_library", documents=name, **query)
            assert "may not be read here" in told
            assert "Berta" not in told
        for file in (home / "closed" / "note.txt", home / "open" / "note.txt", "/etc/passwd"):
            place = {"file": str(file), "start": 0, "end": 100}
            assert "holds no document" in await refused(client, "get_passage", **place)


async def test_what_is_too_large_or_wrong_is_refused_and_the_next_call_works(home: Path) -> None:
    async with served(home) as client:
        await refused(client, "check_text", text="A mill burned down. " * 1_001)
        await refused(client, "check_text", text="")
        await refused(client, "ask", question="Why? " * 500)
        await refused(client, "search_library", query="mill", number=51)
        await refused(client, "get_passage", file="mill.md", start=-1, end=3)
        told = await refused(client, "check_text", text=TRUE, document=str(home))
        assert "no argument 'document'. It takes: text, documents." in told
        assert "empty" in await refused(client, "ask", question="  ")
        (home / "papers" / "long.txt").write_text("The mill wheel turned. " * 1_000)
        (found,) = await call(client, "search_library", query="mill wheel turned", number=1)
        place = {"file": found["file"], "start": 0, "end": 20_000}
        assert len(await call(client, "get_passage", **place)) == 10_000
    (home / "papers" / "long.txt").unlink()


def test_standard_output_is_the_protocol_and_the_end_of_input_the_end(home: Path) -> None:
    client = {"name": "test", "version": "1"}
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
    search = {"name": "search_library", "arguments": {"query": "mill"}}
    with subprocess.Popen(
        [sys.executable, "-m", "veracite.tui", "mcp", "--against", "papers"],
        cwd=home,
        env={**os.environ, **Commands(home).environ},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        for line in (
            {"id": 1, "method": "initialize", "params": hello},
            {"method": "notifications/initialized"},
            {"id": 2, "method": "tools/call", "params": search},
        ):
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **line}) + "\n")
        process.stdin.flush()
        told = [json.loads(process.stdout.readline()) for _ in range(2)]
        rest, _ = process.communicate()
    assert [one["id"] for one in told] == [1, 2]
    assert "structuredContent" in told[1]["result"]
    assert (rest, process.returncode) == ("", 0)


def test_nothing_is_served_that_does_not_exist_or_cannot_be(home: Path) -> None:
    program = Commands(home)
    program("mcp", "--against", home / "nowhere").fails(2, "nowhere")
    program("mcp", "--against", home / "papers", "--allow", "nowhere").fails(2, "nowhere")
    program("mcp").fails(2, "no default library")
    with patch.dict(sys.modules, {"mcp.server": None}):
        program("mcp", "--against", home / "papers").fails(3, "pip install mcp")


def test_a_folder_is_not_read_for_a_library_of_its_name(
    home: Path, tmp_path: Path, paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program = Commands(tmp_path)
    assert program("library", "add", home / "papers").code == 0
    permitted = Permitted((), (), Libraries(paths))
    assert permitted.named("default") is None
    (tmp_path / "default").symlink_to(home / "closed")
    with pytest.raises(InputError, match="may not be read"):
        permitted.named("default")
