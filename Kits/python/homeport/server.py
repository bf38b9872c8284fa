"""Servers and worlds, with nothing but the standard library."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sysconfig
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable, Mapping
from typing import Any

START_SECONDS = 60.0
STOP_SECONDS = 20.0
REQUEST_SECONDS = 120.0
GREETING_BYTES_MAX = 8 << 20

# A server is on this machine: no proxy is asked for it.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class HomeportError(Exception):
    """A server that does not start, or does not do what it is asked."""


def find_program() -> str:
    """The program: the one that HOMEPORT_PROGRAM names, the one of this package, or the one on the path."""
    named = os.environ.get("HOMEPORT_PROGRAM")
    if named:
        return named
    own = os.path.join(sysconfig.get_path("scripts"), "homeport")
    if os.access(own, os.X_OK):
        return own
    found = shutil.which("homeport")
    if found is None:
        raise HomeportError(f"there is no program {own}, and none called homeport on the path: set HOMEPORT_PROGRAM")
    return found


class Backend:
    """A server or a world, with what a test may do with it."""

    def __init__(self, description: Mapping[str, Any]) -> None:
        #: The address, without a path.
        self.url: str = description["url"]
        #: The key for what is below `/_homeport`.
        self.test_key: str | None = description.get("testKey")
        #: A key of the API; None where it has none.
        self.api_key: str | None = description.get("apiKey")
        #: The content of `amplify_outputs.json`; None where the API has no such file.
        self.outputs: dict[str, Any] | None = description.get("outputs")
        #: The environment variables of a program that should use it. One with None should not be set.
        self.variables: dict[str, str | None] = dict(description.get("variables") or {})

    @property
    def graphql_url(self) -> str:
        return f"{self.url}/graphql"

    def environment(self, base: Mapping[str, str] | None = None) -> dict[str, str]:
        """The environment of a program that should use it."""
        result = dict(os.environ if base is None else base)
        for name, value in self.variables.items():
            if value is None:
                result.pop(name, None)
            else:
                result[name] = value
        return result

    def graphql(
        self, query: str, variables: Mapping[str, Any] | None = None, *, token: str | None = None, check: bool = True
    ) -> dict[str, Any]:
        """Runs an operation with the API key, or with a user's token, and returns its data.

        With check=False, the whole answer, errors included.
        """
        headers = {"content-type": "application/json"}
        if token is not None:
            headers["authorization"] = token
        elif self.api_key is not None:
            headers["x-api-key"] = self.api_key
        body = {"query": query, "variables": dict(variables or {})}
        answer = self._send("POST", "/graphql", json.dumps(body).encode(), headers, raises=False)
        if not check:
            return answer
        if answer.get("errors"):
            raise HomeportError(f"{answer['errors'][0].get('message')}: {json.dumps(answer['errors'])}")
        return answer["data"]

    def token(self, username: str, *, groups: Iterable[str] = ()) -> str:
        """An ID token of a user of the pool, or of anybody else of that name."""
        words = [find_program(), "token", "--username", username]
        for group in groups:
            words += ["--group", group]
        outcome = subprocess.run(words, env=self.environment(), capture_output=True, text=True, check=False)
        if outcome.returncode != 0:
            raise HomeportError(outcome.stderr.strip())
        return outcome.stdout.strip()

    # Data

    def reset(self) -> None:
        """Puts all data back to the start."""
        self.control("POST", "reset")

    def snapshot(self, name: str) -> None:
        """Keeps the present state under a name."""
        self.control("POST", f"snapshot/{name}")

    def restore(self, name: str) -> None:
        """Puts all data back to a snapshot."""
        self.control("POST", f"restore/{name}")

    def seed(self, records: Iterable[Mapping[str, Any]], *, replace: bool = False) -> dict[str, Any]:
        """Adds records, each as `{"type": "Todo", "record": {…}}`."""
        lines = "\n".join(json.dumps(record) for record in records)
        return self.control("POST", f"seed?replace={'true' if replace else 'false'}", lines.encode())

    # Time, faults, messages, requests

    def set_time(self, moment: str | int) -> None:
        """Sets the clock, to `2030-01-01T00:00:00Z` or to milliseconds since 1970."""
        self.control("POST", "time", {"set": moment})

    def move_time(self, milliseconds: int) -> None:
        self.control("POST", "time", {"moveMilliseconds": milliseconds})

    def reset_time(self) -> None:
        self.control("POST", "time", {"reset": True})

    def add_faults(self, *rules: Mapping[str, Any]) -> None:
        """Has requests fail, by rules as in docs/testing.md."""
        self.control("POST", "faults", list(rules))

    def clear_faults(self) -> None:
        self.control("DELETE", "faults")

    def messages(self, to: str | None = None, *, wait_milliseconds: int = 0) -> list[dict[str, Any]]:
        """The mails and text messages that were sent, the newest last."""
        query = {"waitMilliseconds": str(wait_milliseconds)}
        if to is not None:
            query["to"] = to
        return self.control("GET", "outbox?" + urllib.parse.urlencode(query, quote_via=urllib.parse.quote))["messages"]

    def requests(self) -> list[dict[str, Any]]:
        """The requests that were received."""
        return self.control("GET", "requests")["requests"]

    def control(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        """Asks for something below `/_homeport`."""
        if self.test_key is None:
            raise HomeportError("this server takes no orders of tests: start it with --test-control")
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        return self._send(method, f"/_homeport/{path}", data, {"x-homeport-test-key": self.test_key})

    def _send(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], raises: bool = True
    ) -> dict[str, Any]:
        request = urllib.request.Request(self.url + path, data=body, headers=dict(headers), method=method)
        try:
            with _opener.open(request, timeout=REQUEST_SECONDS) as answer:
                return json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as error:
            with error:
                text = error.read().decode(errors="replace")
            try:
                content = json.loads(text)
            except ValueError:
                content = None
            if not isinstance(content, dict):
                raise HomeportError(f"{method} {path}: {error.code} {text[:200]}") from None
            if not raises:
                return content
            raise HomeportError(content.get("message") or text) from None
        except urllib.error.URLError as error:
            raise HomeportError(f"{method} {self.url}{path}: {error.reason}") from None


class World(Backend):
    """A world: it began with a copy of its server's state, and nothing else sees it."""

    def __init__(self, server: Server, description: Mapping[str, Any]) -> None:
        super().__init__(description)
        self.name: str = description["name"]
        self._server = server
        self._is_over = False

    def end(self) -> None:
        """Ends it, with all that it has."""
        if not self._is_over:
            self._is_over = True
            self._server.control("DELETE", f"worlds/{self.name}")

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


class Server(Backend):
    """A server, which ends with this process, however that ends."""

    def __init__(self, description: Mapping[str, Any], process: subprocess.Popen[bytes] | None = None) -> None:
        super().__init__(description)
        self._process = process

    def world(
        self, name: str | None = None, *, snapshot: str | None = None, start: bool = False,
        idle_seconds: int | None = None,
    ) -> World:
        """A world with a copy of the present state, of a snapshot, or of the start."""
        wish: dict[str, Any] = {}
        if name is not None:
            wish["name"] = name
        if snapshot is not None:
            wish["from"] = {"snapshot": snapshot}
        elif start:
            wish["from"] = "start"
        if idle_seconds is not None:
            wish["idleSeconds"] = idle_seconds
        return World(self, self.control("POST", "worlds", wish))

    def stop(self) -> None:
        """Ends it, if this process has started it."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def connect(environment: Mapping[str, str] | None = None) -> Server | None:
    """The server of `homeport exec` in which this process runs; None where there is none."""
    variables = os.environ if environment is None else environment
    url, key = variables.get("HOMEPORT_URL"), variables.get("HOMEPORT_TEST_KEY")
    if not url or not key:
        return None
    outputs = None
    path = variables.get("AMPLIFY_OUTPUTS")
    if path and os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            outputs = json.load(file)
    return Server({"url": url, "testKey": key, "apiKey": variables.get("HOMEPORT_API_KEY"), "outputs": outputs})


def start(
    *, schema: str | os.PathLike[str] | None = None, config: str | os.PathLike[str] | None = None,
    seed: str | os.PathLike[str] | None = None, seed_command: str | None = None, arguments: Iterable[str] = (),
    cwd: str | os.PathLike[str] | None = None, program: str | None = None,
) -> Server:
    """Starts a server for tests: on a free port, with an empty database in memory.

    Without a schema, it serves the project in the folder.
    """
    words = [program or find_program(), "exec", "--stdio"]
    for name, value in (("schema", schema), ("config", config), ("seed", seed), ("seed-command", seed_command)):
        if value is not None:
            words += [f"--{name}", os.fspath(value)]
    words += arguments
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=cwd)
    try:
        return Server(_greeting(process), process)
    except BaseException:
        process.kill()
        process.wait()
        raise


def _greeting(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert process.stdout is not None
    descriptor = process.stdout.fileno()
    text, deadline = b"", time.monotonic() + START_SECONDS
    while not text.endswith(b"\n") and len(text) <= GREETING_BYTES_MAX:
        ready, _, _ = select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            raise HomeportError(f"homeport did not start within {START_SECONDS:.0f} seconds")
        part = os.read(descriptor, 65536)
        if not part:
            raise HomeportError(f"homeport ended with {process.wait()} before it served: its output says why")
        text += part
    return json.loads(text)
