"""Sign-in: an operator's server, from the link that it prints to signing in again."""
import os
import re

from page import Page

PASSWORD = "harbour master 7"


def operators(page, run):
    """A server that others can reach, with a page of its own in the same browser."""
    page.browser.open("about:blank")
    server = page.start(page.program, os.path.join(page.folder, "operator"), os.environ.get("HOMEPORT_CONSOLE_PAGE"), settings={
        "host": "0.0.0.0", "allowedHosts": ["127.0.0.1"], "database": "data.sqlite",
        "auth": {"apiKeys": [{"key": "da2-abcdefabcdefabcdefabcdefab"}], "default": "API_KEY", "additional": ["AMAZON_COGNITO_USER_POOLS", "AWS_IAM"]},
    })
    try:
        run(Page(page.browser, server.url, page.pictures, page.downloads), "\n".join(server.lines))
    finally:
        page.browser.open("about:blank")
        server.close()


def test_the_first_password_is_made_and_asked_for_from_then_on(page):
    def run(there, lines):
        token = re.search(r"#setup=([\w-]+)", lines).group(1)
        there.open("#explorer")
        there.wait(lambda: "No password has been made yet" in there.text())
        there.open(f"#setup={token}")
        there.wait(lambda: there.field("New password"))
        assert token not in there.run("return location.href")
        there.screenshot("sign-in-first")
        assert there.problems() == [], there.problems()
        there.type("New password", "short")
        there.type("Once more", "short")
        there.press("Make it and sign in")
        there.wait(lambda: "12 are needed" in there.text())
        for label in ("New password", "Once more"):
            there.field(label).clear()
            there.type(label, PASSWORD)
        there.press("Make it and sign in")
        there.wait(lambda: there.all("section.view-explorer") and "production" in there.css("#bar").text)
        there.screenshot("production")
        assert there.problems() == [], there.problems()
        there.reload()
        there.wait(lambda: there.all(".tree-row"))
        there.press("Sign out")
        there.wait(lambda: there.field("Administrator's password"))
        there.screenshot("sign-in")
        assert there.problems() == [], there.problems()
        there.type("Administrator's password", "something else\n")
        there.wait(lambda: there.css("dialog .error").text)
        there.field("Administrator's password").clear()
        there.type("Administrator's password", PASSWORD + "\n")
        there.wait(lambda: there.all("section.view-explorer"))

    operators(page, run)
