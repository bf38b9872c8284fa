"""A browser, driven by the WebDriver protocol: what the tests need of it, over plain HTTP.

Any driver will do that speaks the protocol: chromedriver, WebKitWebDriver, geckodriver. What only Chromium can (metrics of the screen, its
log) is said with it.
"""
import base64
import http.client
import json
import os
import subprocess
import time

# A driver that does not answer for so long has hung.
ANSWER_SECONDS = 90
START_SECONDS = 60

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"

# Keys that have no letter: their places in the protocol's table.
KEYS = {
    "ENTER": "\ue007", "ESCAPE": "\ue00c", "TAB": "\ue004", "BACKSPACE": "\ue003", "DELETE": "\ue017", "SPACE": " ", "HOME": "\ue011", "END": "\ue010",
    "PAGE_UP": "\ue00e", "PAGE_DOWN": "\ue00f", "ARROW_LEFT": "\ue012", "ARROW_UP": "\ue013", "ARROW_RIGHT": "\ue014", "ARROW_DOWN": "\ue015",
    "SHIFT": "\ue008", "CONTROL": "\ue009", "ALT": "\ue00a",
}


class DriverError(Exception):
    """What the driver said instead of an answer."""

    def __init__(self, name, message):
        super().__init__(f"{name}: {message.splitlines()[0] if message else ''}")
        self.name = name


class Element:
    """A node of the page."""

    def __init__(self, browser, identifier):
        self.browser = browser
        self.identifier = identifier

    def _call(self, method, path, body=None):
        return self.browser.call(method, f"/element/{self.identifier}{path}", body)

    @property
    def text(self):
        return self._call("GET", "/text")

    @property
    def tag_name(self):
        return self._call("GET", "/name").lower()

    def click(self):
        self._call("POST", "/click", {})

    def clear(self):
        self._call("POST", "/clear", {})

    def send_keys(self, text):
        self._call("POST", "/value", {"text": text.replace("\n", KEYS["ENTER"])})

    def get_attribute(self, name):
        return self.browser.run("const [node, name] = arguments; return name in node && typeof node[name] !== 'object' ? node[name] : node.getAttribute(name)", self, name)

    def is_displayed(self):
        return self.browser.run("return arguments[0].checkVisibility ? arguments[0].checkVisibility() : arguments[0].offsetParent !== null", self)

    def is_enabled(self):
        return self._call("GET", "/enabled")

    @property
    def rect(self):
        return self._call("GET", "/rect")


class Browser:
    """A headless browser with one window."""

    def __init__(self, driver, capabilities, arguments=()):
        self.process = subprocess.Popen([driver, *arguments, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.session = None
        try:
            self.port = self._port()
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_SECONDS)
            self.session = self._exchange("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})["sessionId"]
        except BaseException:
            self.close()
            raise

    @classmethod
    def chromium(cls, driver, chromium, profile, downloads):
        # What it would keep or begin for later speed costs more here than it saves.
        switches = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions", "--disable-background-networking", "--disable-component-update",
                    "--disable-default-apps", "--disable-sync", "--no-first-run", "--disable-features=SpareRendererForSitePerProcess,BackForwardCache,Translate,OptimizationHints,MediaRouter", "--mute-audio", "--force-device-scale-factor=1", "--window-size=1280,800", f"--user-data-dir={profile}"]
        return cls(driver, {
            "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"binary": chromium, "args": switches, "prefs": {"download.default_directory": downloads, "download.prompt_for_download": False}},
        })

    def _port(self):
        # It says on which port it listens: "was started successfully on port 40341."
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            line = self.process.stdout.readline()
            if not line:
                break
            if "on port" in line and "started" in line.lower():
                return int(line.rsplit("port", 1)[1].strip(" .\n"))
        raise DriverError("no driver", "it did not start")

    def _exchange(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        self.connection.request(method, path, data, {"content-type": "application/json"})
        answer = json.loads(self.connection.getresponse().read())["value"]
        if isinstance(answer, dict) and "error" in answer and "message" in answer:
            raise DriverError(answer["error"], answer["message"])
        return answer

    def call(self, method, path, body=None):
        return self._exchange(method, f"/session/{self.session}{path}", body)

    def _value(self, value):
        """An answer of a script, with nodes as elements."""
        if isinstance(value, dict):
            if ELEMENT in value:
                return Element(self, value[ELEMENT])
            return {name: self._value(each) for name, each in value.items()}
        if isinstance(value, list):
            return [self._value(each) for each in value]
        return value

    def run(self, script, *arguments):
        """Runs a script in the page and gives what it returns; a promise is waited for."""
        given = [{ELEMENT: each.identifier} if isinstance(each, Element) else each for each in arguments]
        return self._value(self.call("POST", "/execute/sync", {"script": script, "args": given}))

    def open(self, url):
        self.call("POST", "/url", {"url": url})

    def reload(self):
        self.call("POST", "/refresh", {})

    def find(self, selector):
        return [Element(self, each[ELEMENT]) for each in self.call("POST", "/elements", {"using": "css selector", "value": selector})]

    def press(self, *chords):
        """Presses keys one after the other; "CONTROL+k" is held together, other words are typed as they are."""
        actions = []
        for chord in chords:
            parts = chord.split("+") if len(chord) > 1 and chord != "+" and all(part in KEYS or len(part) == 1 for part in chord.split("+")) else [chord] if chord in KEYS else list(chord)
            keys = [KEYS.get(part, part) for part in parts]
            if "+" in chord and len(chord) > 1:
                actions += [{"type": "keyDown", "value": key} for key in keys] + [{"type": "keyUp", "value": key} for key in reversed(keys)]
            else:
                for key in keys:
                    actions += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def chromium_call(self, command, **parameters):
        """What Chromium's own protocol can beyond WebDriver."""
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def log(self):
        """What the page wrote to its console since the last look."""
        try:
            return self.call("POST", "/se/log", {"type": "browser"})
        except DriverError:
            return []

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", "/screenshot")))

    def close(self):
        try:
            if self.session:
                self.call("DELETE", "")
        except Exception:
            pass
        finally:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
            self.process.stdout.close()
