"""The console in a real browser: everything that a person does there, once.

    scripts/console-pages PROGRAM [WORD ...]

runs the tests whose names have one of the words, all without one. Pictures of each view, at both widths and in both themes, go to
.build-console/pictures, or to HOMEPORT_PICTURES. Where that is empty, only tests that fail leave pictures. What the page wrote to the browser's console as an error, or ran that came from data, fails the test it was seen in.
"""
import glob
import importlib.util
import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback

from driver import Browser, DriverError
from page import Page

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
START_SECONDS = 60
# Browsers that work beside each other.
WORKERS = int(os.environ.get("HOMEPORT_BROWSERS", min(3, os.cpu_count() or 1)))


# What was started, and is ended when the tests are.
CHILDREN = []


def ended(*_):
    """Told to end, the tests leave nothing behind."""
    for process in CHILDREN:
        if process.poll() is None:
            process.terminate()
    os._exit(128 + signal.SIGTERM)


class Server:
    """The program with the sample blog, an empty database in memory, and whatever belongs to it in a folder of its own."""

    def __init__(self, program, folder, page=None, arguments=(), settings=None):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)
        shutil.copytree(os.path.join(HERE, "project"), folder, dirs_exist_ok=True)
        with open(os.path.join(folder, "homeport.json"), "w") as file:
            json.dump({
                "port": 0, "database": ":memory:", "console": True, "schema": "schema/blog.graphql",
                "auth": {"default": "API_KEY", "additional": ["AMAZON_COGNITO_USER_POOLS", "AWS_IAM"]},
                "eventApi": {"namespaces": {"default": {}}}, **(settings or {}),
            }, file)
        # Settings of whoever runs the tests are none of this server.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("HOMEPORT_")}
        if page:
            environment["HOMEPORT_CONSOLE_PAGE"] = os.path.abspath(page)
        self.log = open(os.path.join(folder, "log"), "w")
        self.process = subprocess.Popen(
            [os.path.abspath(program), "serve", "--config", "homeport.json", *arguments], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=self.log, text=True)
        CHILDREN.append(self.process)
        # Ends what would wait for ever.
        alarm = threading.Timer(START_SECONDS, self.process.kill)
        alarm.start()
        self.lines = []
        self.url = None
        for line in self.process.stdout:
            self.lines.append(line.rstrip())
            found = re.search(r"API\s+(https?://[^/\s]+)", line)
            if found:
                self.url = found.group(1)
            elif line.split()[:1] == ["Console"]:
                break
        alarm.cancel()
        if not self.url:
            with open(os.path.join(folder, "log")) as file:
                raise RuntimeError(f"the server did not start: {' '.join(self.lines)} {file.read()}")

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.process.stdout.close()
        self.log.close()


def tests(words):
    """The tests by files, as `(name, function)` in their order."""
    sys.path.insert(0, HERE)
    for path in sorted(glob.glob(os.path.join(HERE, "tests", "*.py"))):
        room = os.path.basename(path)[:-3]
        specification = importlib.util.spec_from_file_location(f"console_{room}", path)
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        all = [(f"{room}: {name[5:].replace('_', ' ')}", function) for name, function in vars(module).items() if name.startswith("test_")]
        chosen = [(label, function) for label, function in all if not words or any(word.lower() in label.lower() for word in words)]
        if chosen:
            yield chosen


def wrong_in(browser):
    """What the page's console says that is nobody's intention. A refused request is no mistake of the page."""
    return [entry["message"] for entry in browser.log() if entry["level"] == "SEVERE" and "Failed to load resource" not in entry["message"]]


class NoBrowser(Exception):
    """A browser that is here and does not start: no fault of the page."""


class Worker(threading.Thread):
    """A server and a browser of its own, that takes one file of tests after the other."""

    def __init__(self, number, program, folder, pictures, rooms, report):
        super().__init__()
        self.folder = os.path.join(folder, str(number))
        self.program, self.pictures, self.rooms, self.report = program, pictures, rooms, report
        self.broken = None
        self.missing = None

    def run(self):
        try:
            self._work()
        except NoBrowser as error:
            self.missing = str(error)
        except BaseException:
            self.broken = traceback.format_exc()

    def _work(self):
        downloads = os.path.join(self.folder, "downloads")
        os.makedirs(downloads)
        server = Server(self.program, os.path.join(self.folder, "blog"), os.environ.get("HOMEPORT_CONSOLE_PAGE"))
        browser = None
        try:
            try:
                browser = Browser.chromium(os.environ["HOMEPORT_DRIVER"], os.environ["HOMEPORT_BROWSER"], os.path.join(self.folder, "profile"), downloads)
            except (DriverError, OSError) as error:
                raise NoBrowser(error) from error
            CHILDREN.append(browser.process)
            page = Page(browser, server.url, self.pictures if os.environ.get("HOMEPORT_PICTURES") != "" else None, downloads)
            page.program, page.server, page.start, page.folder = self.program, server, Server, self.folder
            page.wide()
            while True:
                try:
                    room = self.rooms.get_nowait()
                except queue.Empty:
                    return
                for label, function in room:
                    self._try(page, browser, label, function)
        finally:
            if browser:
                browser.close()
            server.close()

    def _try(self, page, browser, label, function):
        at = time.monotonic()
        said = self._once(page, browser, label, function)
        if said:
            # On a busy machine a browser can be late; what is wrong is wrong twice.
            print("\n".join([f"tried again: {label}", *(f"    {line}" for line in said)]), flush=True)
            said = self._once(page, browser, label, function)
        self.report(label, said, time.monotonic() - at)

    def _once(self, page, browser, label, function):
        said = []
        try:
            page.fresh()
            function(page)
            assert page.run("return window.pwned === undefined"), "a text from data was run as a script"
            wrong = wrong_in(browser)
            assert not wrong, f"the browser says: {wrong}"
        except Exception as error:
            steps = [step for step in traceback.extract_tb(error.__traceback__) if "/tests/" in step.filename]
            if steps:
                said.append(f"{os.path.relpath(steps[-1].filename, ROOT)}:{steps[-1].lineno}: {steps[-1].line}")
            said.append(f"{type(error).__name__}: {error}")
            said += wrong_in(browser)
            browser.picture(os.path.join(self.pictures, "failed-" + re.sub(r"\W+", "-", label)[:80] + ".png"))
            page.wide()
        return said


def main():
    signal.signal(signal.SIGTERM, ended)
    program, *words = sys.argv[1:]
    pictures = os.environ.get("HOMEPORT_PICTURES") or os.path.join(ROOT, ".build-console", "pictures")
    os.makedirs(pictures, exist_ok=True)
    for path in glob.glob(os.path.join(pictures, "failed-*.png")):
        os.remove(path)
    begin = time.monotonic()
    outcomes = {}
    lock = threading.Lock()

    def report(label, said, seconds):
        with lock:
            outcomes[label] = not said
            if said:
                print(f"failed: {label}")
                print("\n".join(f"    {line}" for line in said), flush=True)
            elif os.environ.get("HOMEPORT_VERBOSE"):
                print(f"  {seconds:5.2f} s  {label}", flush=True)

    rooms = queue.Queue()
    # The longest first: nobody waits for one that was begun last.
    for room in sorted(tests(words), key=len, reverse=True):
        rooms.put(room)
    with tempfile.TemporaryDirectory(prefix="homeport-console-") as folder:
        workers = [Worker(number, program, folder, pictures, rooms, report) for number in range(min(WORKERS, rooms.qsize()))]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    if not outcomes and all(worker.missing for worker in workers):
        print(f"console pages: skipped: the browser does not start: {workers[0].missing}")
        return 0
    broken = [worker.broken for worker in workers if worker.broken]
    for text in broken:
        print(f"console pages: a browser or a server broke down:\n{text}")
    failed = sum(not good for good in outcomes.values())
    print(f"console pages: {len(outcomes) - failed} passed, {failed} failed, {time.monotonic() - begin:.0f} s; pictures in {os.path.relpath(pictures)}")
    return 1 if failed or broken or not outcomes else 0


if __name__ == "__main__":
    sys.exit(main())
