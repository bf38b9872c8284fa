"""Files: folders, uploads, previews, links, deletions, who may."""

import os
import tempfile

from sending import send

MARKUP = "<img src=x onerror=window.pwned=1>"


def put(page, key, text="text", type="text/plain"):
    return send(page, "PUT", "/files/content?key=" + page.encoded(key), text, type)


def test_a_file_is_uploaded_shown_and_deleted(page):
    put(page, "public/first.txt")
    page.open("#files/public%2F")
    page.wait(lambda: "first.txt" in page.css("table.rows").text)
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "grüße 1.txt")
        with open(name, "w") as file:
            file.write("Grüße aus dem Hafen\n" * 10)
        page.css("input[type=file]").send_keys(name)
        page.wait(lambda: "grüße 1.txt" in page.css("table.rows").text)
    next(cell for cell in page.all("td") if cell.text == "grüße 1.txt").click()
    page.wait(lambda: "Grüße aus dem Hafen" in page.css(".preview").text)
    page.wait(lambda: "Permissions" in page.css(".side").text)
    page.press("Make a link")
    # Without keys of an administrator a server may make none: then it says so.
    page.wait(lambda: page.all(".side .link-row input, .side .problem"))
    for link in page.all(".link-row input"):
        assert link.get_attribute("value").startswith("http")
    page.press("Delete", ".side")
    page.press("Delete file")
    page.wait(lambda: "grüße" not in page.css("table.rows").text)


def test_folders_are_walked_and_deleted_with_all_in_them(page):
    put(page, "public/deep/er/one.txt")
    put(page, "public/deep/two.txt")
    page.open("#files/public%2F")
    page.wait(lambda: any("deep/" in link.text for link in page.all("a.folder")))
    next(link for link in page.all("a.folder") if "deep/" in link.text).click()
    page.wait(lambda: "two.txt" in page.css("table.rows").text and "er/" in page.css("table.rows").text)
    page.run("document.querySelector('table.rows').focus()")
    page.keys("HOME", "SPACE")
    page.press("Delete with all in it")
    page.press("Delete file")
    page.wait(lambda: "er/" not in page.css("table.rows").text)
    assert page.api("GET", "/files?prefix=public/deep/")["folders"] == []


def test_a_picture_is_shown_and_markup_is_text(page):
    put(page, f"public/{MARKUP}.txt", MARKUP)
    put(page, "public/drawing.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><script>parent.pwned=1</script><rect width="8" height="8"/></svg>', "image/svg+xml")
    page.open("#files/public%2F")
    page.wait(lambda: MARKUP in page.css("table.rows").text)
    next(cell for cell in page.all("td") if MARKUP in cell.text).click()
    page.wait(lambda: MARKUP in page.css(".preview").text)
    page.open("#files/public%2F?file=public/drawing.svg")
    page.wait(lambda: "<svg" in page.css(".preview").text)
    assert page.run("return window.pwned === undefined")


def test_pictures_and_accessibility_of_files(page):
    put(page, "public/seen.txt")
    for name, address in (("files", "#files/public%2F"), ("files-one", "#files/public%2F?file=public/seen.txt")):
        page.open(address)
        page.wait(lambda: "seen.txt" in page.text())
        page.screenshot(name)
        found = page.problems()
        assert not found, found
