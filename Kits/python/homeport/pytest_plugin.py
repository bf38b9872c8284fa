"""The pytest plugin: `homeport_server` is a server for the session, `homeport` a world of it for one test.

With pytest-xdist, each worker has a server of its own. Within `homeport exec -- pytest` that server is taken.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import pytest

from . import Server, World, connect, start

_SETTINGS = {
    "homeport_schema": "The schema, a file or a folder of them. Without it, the project of the folder is served.",
    "homeport_config": "The configuration file, JSON.",
    "homeport_seed": "A file of JSON lines that each world starts with.",
    "homeport_seed_command": "A command of the shell that fills the server before the first test.",
    "homeport_arguments": "More options of `homeport exec`.",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    for name, text in _SETTINGS.items():
        parser.addini(name, text, default="")


@pytest.fixture(scope="session")
def homeport_server(pytestconfig: pytest.Config) -> Iterator[Server]:
    """A server for all tests of the session. Tests share what is in it; take `homeport` for a world of your own."""
    running = connect()
    if running is not None:
        yield running
        return

    def setting(name: str) -> str | None:
        return str(pytestconfig.getini(f"homeport_{name}")) or None

    server = start(
        schema=setting("schema"), config=setting("config"), seed=setting("seed"), seed_command=setting("seed_command"),
        arguments=shlex.split(setting("arguments") or ""), cwd=pytestconfig.rootpath)
    with server:
        yield server


@pytest.fixture
def homeport(homeport_server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A world for one test: it begins as the server is now, and ends with the test.

    While the test runs, the environment leads AWS's SDKs and Homeport's commands to it.
    """
    with homeport_server.world() as world:
        for name, value in world.variables.items():
            if value is None:
                monkeypatch.delenv(name, raising=False)
            else:
                monkeypatch.setenv(name, value)
        yield world
