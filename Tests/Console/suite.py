"""The console in a real browser: everything that a person does there, once.

    scripts/console-pages PROGRAM [WORD ...]

runs the tests whose names have one of the words, all without one. Pictures of each view, at both widths and in both themes, go to
.build-console/pictures. What the page wrote to the browser's console as an error, or ran that came from data, fails the test it was seen in.
"""
import glob
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

from driver import Browser
from page import Page

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
START_SECONDS = 30


class Server:
    """The program with the sample blog, an empty database in memory, and whatever belongs to it in a folder of its own."""

    def __init__(self, program, folder, page=None, arguments=(), settings=None):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)
        shutil.copytree(os.path.join(HERE, "project"), folder, dirs_exist_ok=True)
        with open(os.path.join(folder, "homeport.json"), "w") as file:
            json.dump({
                "port": 0, "database": ":memory:", "console": True, "schema": "schema/blog.graphql",
                "auth": {"default": "API_KEY", "additional": ["AMAZON_COGNITO_USER_POOLS", "AWS_IAM"]}, **(settings or {}),
            }, file)
        environment = dict(os.environ)
        if page:
            environment["HOMEPORT_CONSOLE_PAGE"] = page
        self.log = open(os.path.join(folder, "log"), "w")
        self.process = subprocess.Popen(
            [os.path.abspath(program), "serve", "--config", "homeport.json", *arguments], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.lines = []
        deadline = time.monotonic() + START_SECONDS
        self.url = None
        for line in self.process.stdout:
            self.lines.append(line.rstrip())
            found = re.search(r"API\s+(https?://[^/\s]+)", line)
            if found:
                self.url = found.group(1)
            if "Data " in line or time.monotonic() > deadline:
                break
        if not self.url:
            with open(os.path.join(folder, "log")) as file:
                raise SystemExit(f"console pages: the server did not start: {' '.join(self.lines)} {file.read()}")

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.process.stdout.close()
        self.log.close()


def tests(words):
    """`(name, function)` of each test, by files and their order in them."""
    sys.path.insert(0, HERE)
    for path in sorted(glob.glob(os.path.join(HERE, "tests", "*.py"))):
        room = os.path.basename(path)[:-3]
        specification = importlib.util.spec_from_file_location(f"console_{room}", path)
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        for name, function in vars(module).items():
            label = f"{room}: {name[5:].replace('_', ' ')}"
            if name.startswith("test_") and (not words or any(word.lower() in label.lower() for word in words)):
                yield label, function


def wrong_in(browser):
    """What the page's console says that is nobody's intention. A refused request is no mistake of the page."""
    return [entry["message"] for entry in browser.log() if entry["level"] == "SEVERE" and "Failed to load resource" not in entry["message"] and "icon-of-nothing" not in entry["message"]]


def main():
    program, *words = sys.argv[1:]
    driver, chromium = os.environ["HOMEPORT_DRIVER"], os.environ["HOMEPORT_BROWSER"]
    pictures = os.environ.get("HOMEPORT_PICTURES", os.path.join(ROOT, ".build-console", "pictures"))
    os.makedirs(pictures, exist_ok=True)
    begin = time.monotonic()
    failed, passed = [], 0
    with tempfile.TemporaryDirectory(prefix="homeport-console-") as folder:
        downloads = os.path.join(folder, "downloads")
        os.makedirs(downloads)
        server = Server(program, os.path.join(folder, "blog"), os.environ.get("HOMEPORT_CONSOLE_PAGE"))
        browser = None
        try:
            browser = Browser.chromium(driver, chromium, os.path.join(folder, "profile"), downloads)
            page = Page(browser, server.url, pictures, downloads)
            page.program, page.server, page.start = program, server, Server
            page.wide()
            for label, function in tests(words):
                at = time.monotonic()
                try:
                    page.fresh()
                    function(page)
                    assert page.run("return window.pwned === undefined"), "a text from data was run as a script"
                    wrong = wrong_in(browser)
                    assert not wrong, f"the browser says: {wrong}"
                    passed += 1
                    if os.environ.get("HOMEPORT_VERBOSE"):
                        print(f"  {time.monotonic() - at:5.2f} s  {label}", flush=True)
                except Exception as error:
                    failed.append(label)
                    print(f"failed: {label}")
                    steps = [step for step in traceback.extract_tb(error.__traceback__) if "/tests/" in step.filename]
                    if steps:
                        print(f"    {os.path.relpath(steps[-1].filename, ROOT)}:{steps[-1].lineno}: {steps[-1].line}")
                    print(f"    {type(error).__name__}: {error}", flush=True)
                    if not isinstance(error, AssertionError):
                        print("".join(f"    {line}" for line in wrong_in(browser)))
                    browser.picture(os.path.join(pictures, "failed-" + re.sub(r"\W+", "-", label)[:80] + ".png"))
                    page.wide()
        finally:
            if browser:
                browser.close()
            server.close()
    print(f"console pages: {passed} passed, {len(failed)} failed, {time.monotonic() - begin:.0f} s; pictures in {os.path.relpath(pictures)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
