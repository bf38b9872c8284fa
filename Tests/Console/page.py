"""The console's page as a person uses it: by names of buttons, labels of fields, keys and what can be read."""
import json
import os
import time
import urllib.parse

from driver import DriverError, Element

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = [(1280, 800), (390, 844)]
THEMES = ["light", "dark"]

# So long something may take until it is seen; machines that build beside are slow.
PATIENCE_SECONDS = 60
LOOK_SECONDS = 0.05

with open(os.path.join(HERE, "accessibility.js")) as file:
    RULES = file.read()

# Finds controls by what a person calls them.
FIND = """
const [kind, name, within] = arguments;
const shown = (node) => node.checkVisibility ? node.checkVisibility({ visibilityProperty: true }) : node.offsetParent !== null;
const dialogs = document.querySelectorAll("dialog[open]");
const root = within ? document.querySelector(within) : dialogs.length ? dialogs[dialogs.length - 1] : document;
if (!root) return null;
const words = (node) => (node.getAttribute("aria-label") ?? node.textContent).replace(/\\s+/g, " ").trim();
const fits = (text) => text === name || text.toLowerCase() === name.toLowerCase();
if (kind === "button") {
    const all = [...root.querySelectorAll("button, a, [role=tab], [role^=menuitem], [role=option], summary")].filter(shown);
    return all.find((node) => fits(words(node))) ?? all.find((node) => words(node).startsWith(name)) ?? null;
}
const all = [...root.querySelectorAll("input, select, textarea")].filter(shown);
const labels = (node) => [node.getAttribute("aria-label"), ...[...(node.labels ?? [])].flatMap((label) => [label.querySelector("span")?.textContent, label.textContent])].filter(Boolean).map((text) => text.replace(/\\s+/g, " ").trim());
return all.find((node) => labels(node).some(fits)) ?? all.find((node) => labels(node).some((text) => text.startsWith(name))) ?? null;
"""


class Page:
    """A browser's window with the console in it."""

    def __init__(self, browser, url, pictures, downloads):
        self.browser = browser
        self.url = url
        self.pictures = pictures
        self.downloads = downloads
        self.csrf = None

    # Going somewhere

    def fresh(self):
        """As somebody who has never been here: nothing typed, nothing chosen. It stays on the server's address, where the browser goes on
        with the process that it has: a new one is half a second of a core."""
        # A page that is left keeps what was typed: it is cleared from a place where none is open.
        self.browser.open(self.url + "/health")
        self.browser.run("localStorage.clear(); sessionStorage.clear()")
        self.browser.log()

    def open(self, address):
        """A whole new page at an address: `#data/Post?as=bob`."""
        before = self.browser.run("return location.origin + location.pathname")
        self.browser.open(f"{self.url}/{address}")
        if before == f"{self.url}/":
            # Only the fragment is another: the page would not be loaded anew.
            self.browser.reload()
        self.wait(lambda: self.browser.run("return Boolean(document.querySelector('#main > section.view, #main > .problem, dialog[open]'))"))

    def reload(self):
        self.browser.reload()
        self.wait(lambda: self.browser.run("return Boolean(document.querySelector('#main > section.view, dialog[open]'))"))

    def go(self, address):
        """Another address in the same page, as a link would."""
        self.run("location.hash = arguments[0]", address)

    def address(self):
        return self.run("return location.hash")

    # Looking

    def wait(self, look, seconds=PATIENCE_SECONDS):
        """Waits until something is so, and gives it; says what stood there when it never was."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                value = look()
                if value:
                    return value
                last = None
            except (DriverError, AssertionError, AttributeError, IndexError, KeyError, StopIteration, TypeError) as error:
                last = error
            if time.monotonic() > deadline:
                raise AssertionError(f"it never was so{f' ({last})' if last else ''}; the address is {self.address()}, the page says: {self.text()[:600]!r}")
            time.sleep(LOOK_SECONDS)

    def run(self, script, *arguments):
        return self.browser.run(script, *arguments)

    def css(self, selector):
        found = self.browser.find(selector)
        if not found:
            raise AssertionError(f"nothing is {selector}")
        return found[0]

    def all(self, selector):
        return self.browser.find(selector)

    def button(self, name, within=None):
        return self.run(FIND, "button", name, within)

    def field(self, label, within=None):
        return self.run(FIND, "field", label, within)

    def text(self):
        return self.run("return document.body.innerText")

    def texts(self, selector):
        """What stands in each of them, at one moment: rows may come and go between two looks."""
        return self.run("return [...document.querySelectorAll(arguments[0])].map((node) => node.innerText.replace(/\\s+/g, ' ').trim())", selector)

    def focused(self):
        return self.run("return document.activeElement")

    # Doing

    def press(self, name, within=None):
        """Waits for a button, and presses it: its place may be drawn anew between the two, and then nothing was pressed."""
        self.wait(lambda: self.button(name, within).click() is None)

    def keys(self, *names):
        self.browser.press(*names)

    def type(self, label, text, within=None):
        field = self.wait(lambda: self.field(label, within))
        field.send_keys(text)
        return field

    def write(self, label, text):
        """Puts a text into an editor in the place of what stands there, as pasting does."""
        box = self.wait(lambda: self.field(label))
        self.run("arguments[0].focus(); arguments[0].select(); document.execCommand('insertText', false, arguments[1])", box, text)
        return box

    # The server, past the page

    def api(self, method, path, body=None):
        """Asks the console's API, as the page would."""
        answer = self.run("""
            const [method, path, body] = arguments;
            const session = await (await fetch("/_homeport/v1/session")).json();
            const response = await fetch("/_homeport/v1" + path, { method, headers: { "content-type": "application/json", "x-homeport-csrf": session.csrf ?? "" }, body: body === null || method === "GET" ? undefined : JSON.stringify(body) });
            return { status: response.status, text: await response.text() };""", method, path, body) if self._isThere() else self._apiElsewhere(method, path, body)
        value = json.loads(answer["text"]) if answer["text"] else {}
        if answer["status"] >= 400:
            raise AssertionError(f"{method} {path}: {answer['status']} {answer['text'][:300]}")
        return value

    def _isThere(self):
        return (self.run("return location.origin") or "") == self.url

    def _apiElsewhere(self, method, path, body):
        import urllib.request
        headers = {"content-type": "application/json", "origin": self.url}
        if self.csrf is None:
            with urllib.request.urlopen(f"{self.url}/_homeport/v1/session") as answer:
                self.csrf = json.load(answer)["csrf"] or ""
        headers["x-homeport-csrf"] = self.csrf
        request = urllib.request.Request(f"{self.url}/_homeport/v1{path}", method=method, headers=headers, data=None if body is None or method == "GET" else json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request) as answer:
                return {"status": answer.status, "text": answer.read().decode()}
        except urllib.error.HTTPError as error:
            return {"status": error.code, "text": error.read().decode()}

    def downloaded(self, name, seconds=PATIENCE_SECONDS):
        """The bytes of a file that the browser saved."""
        path = os.path.join(self.downloads, name)
        deadline = time.monotonic() + seconds
        while not os.path.exists(path):
            if time.monotonic() > deadline:
                raise AssertionError(f"{name} was not saved; there are {os.listdir(self.downloads)}")
            time.sleep(LOOK_SECONDS)
        with open(path, "rb") as file:
            return file.read()

    @staticmethod
    def encoded(text):
        return urllib.parse.quote(text, safe="")

    # Pictures and rules

    def _screen(self, width, height, theme):
        self.browser.chromium_call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.browser.chromium_call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}, {"name": "prefers-reduced-motion", "value": "reduce"}])

    def wide(self):
        self._screen(*SIZES[0], "light")

    def narrow(self):
        self._screen(*SIZES[1], "light")

    def _settle(self):
        self.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def screenshot(self, name):
        """Pictures of what is seen, at both widths and in both themes, for a person to look at; none where nobody will."""
        if not self.pictures:
            return
        for width, height in SIZES:
            for theme in THEMES:
                self._screen(width, height, theme)
                self._settle()
                self.browser.picture(os.path.join(self.pictures, f"{name}-{width}-{theme}.png"))
        self.wide()

    def problems(self):
        """What the rules of accessibility find, in both themes and at both widths."""
        found = []
        for width, height in SIZES:
            for theme in THEMES:
                self._screen(width, height, theme)
                self._settle()
                found += [f"{width} {theme}: {each}" for each in self.run(RULES)]
                wider = self.run("return document.documentElement.scrollWidth > innerWidth ? document.documentElement.scrollWidth : 0")
                if wider:
                    found.append(f"{width} {theme}: the page is {wider} px wide")
        self.wide()
        return found

    def stops(self, number=140):
        """Where Tab goes, from the beginning of the page: descriptions of what has the focus, until it leaves or comes around."""
        self.run("""
            document.activeElement?.blur();
            window.stops = [];
            window.stopNodes = [];
            document.addEventListener("focusin", window.stopListener = (event) => {
                const node = event.target;
                const style = getComputedStyle(node);
                const box = node.getBoundingClientRect();
                const active = document.getElementById(node.getAttribute("aria-activedescendant") ?? "");
                window.stops.push({
                    what: `${node.tagName.toLowerCase()}.${typeof node.className === "string" ? node.className : ""} ${(node.getAttribute("aria-label") ?? node.textContent).trim().slice(0, 30)}`,
                    seen: box.width > 0 && box.height > 0,
                    marked: (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none" || Boolean(active) || Boolean(node.closest(".editor, .picker")) || node.matches("main, .card"),
                    again: window.stopNodes.includes(node),
                    backwards: window.stopNodes.length > 0 && !(window.stopNodes.at(-1).compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING),
                });
                window.stopNodes.push(node);
            });""")
        for _ in range(0, number, 20):
            self.keys(*["TAB"] * 20)
            stops = self.run("return window.stops")
            if any(stop["again"] for stop in stops):
                break
        self.run("document.removeEventListener('focusin', window.stopListener)")
        first = next((index for index, stop in enumerate(stops) if stop["again"]), len(stops))
        return stops[:first], first < len(stops)


__all__ = ["Page", "Element"]
