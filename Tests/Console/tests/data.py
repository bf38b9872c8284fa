"""Data: tables, records, relations, filters, transfer, SQL, and what somebody else would see of them."""

import json
import os
import tempfile

from sending import send

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MARKUP = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>'


def make(page, model, **values):
    """A record, made by the administrator; gives its id."""
    answer = page.api("POST", "/change", {"model": model, "operation": "create", "input": values})
    assert not answer["response"].get("errors"), answer["response"]
    return answer["row"]["id"]


def posts(page, number, title="Post"):
    return [make(page, "Post", title=f"{title} {n:03}", content="text", status="PUBLISHED" if n % 3 else "DRAFT") for n in range(number)]


def rows(page):
    return [row.text for row in page.all("table.rows tr[data-index]")]


def choose(page, label, value):
    select = page.field(label)
    page.run("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change', { bubbles: true }))", select, value)


def test_models_stand_with_their_counts_and_a_table_with_its_types(page):
    posts(page, 3)
    page.open("#data/Post")
    page.wait(lambda: len(rows(page)) >= 3)
    page.wait(lambda: "Post" in page.css(".models").text)
    head = page.css("table.rows thead").text
    assert "title" in head and "String!" in head and "PostStatus!" in head
    assert page.css(".models [aria-current]").text.startswith("Post")


def test_a_record_is_made_with_the_words_of_what_is_missing(page):
    page.open("#data/Post?new=1")
    page.wait(lambda: page.field("title"))
    page.press("Create post")
    page.wait(lambda: "title is required" in page.text())
    assert "content is required" in page.text() and "status is required" in page.text()
    page.field("title").send_keys("A made one")
    page.field("content").send_keys("Text")
    choose(page, "status", "PUBLISHED")
    page.field("tags").send_keys("sea\n")
    page.field("tags").send_keys("time\n")
    page.press("Create post")
    page.wait(lambda: "#data/Post/" in page.address())
    page.wait(lambda: any("A made one" in row for row in rows(page)))
    assert "sea" in page.css(".record .chips").text and "time" in page.css(".record .chips").text


def test_a_record_is_changed_and_what_was_typed_survives_a_reload(page):
    key = make(page, "Post", title="Before", content="text", status="DRAFT")
    page.open(f"#data/Post/{key}")
    page.wait(lambda: page.field("title"))
    page.field("title").send_keys(" and after")
    page.wait(lambda: page.button("Save 1 change"))
    page.reload()
    page.wait(lambda: page.field("title").get_attribute("value") == "Before and after")
    page.press("Save 1 change")
    page.wait(lambda: any("Before and after" in row for row in rows(page)))
    assert page.api("POST", "/row", {"model": "Post", "key": {"id": key}})["values"]["title"] == "Before and after"


def test_a_value_that_the_schema_requires_is_not_taken_from_a_record(page):
    post = make(page, "Post", title="With a comment", content="text", status="DRAFT")
    key = make(page, "Comment", postID=post, content="said")
    page.open(f"#data/Comment/{key}")
    page.wait(lambda: page.field("postID"))
    page.run("arguments[0].value = ''; arguments[0].dispatchEvent(new Event('input', { bubbles: true }))", page.field("postID"))
    page.wait(lambda: "postID is required" in page.text())
    assert not page.all("[aria-label='Set postID to null']") and page.all("[aria-label='Set owner to null']")
    page.press("Save 1 change")
    page.wait(lambda: "postID is required" in page.text())
    assert page.api("POST", "/row", {"model": "Comment", "key": {"id": key}})["values"]["postID"] == post


def test_keys_alone_do_all_of_it(page):
    posts(page, 4)
    page.open("#data/Post")
    page.wait(lambda: len(rows(page)) >= 4)
    page.run("document.querySelector('table.rows').focus()")
    page.keys("ARROW_DOWN", "ENTER")
    page.wait(lambda: page.address().count("/") >= 2)
    page.keys("e")
    page.wait(lambda: page.focused().tag_name in ("textarea", "input", "select"))
    page.keys("ESCAPE")
    page.wait(lambda: page.address().startswith("#data/Post?") or page.address() == "#data/Post")
    page.wait(lambda: page.focused().tag_name == "table")
    page.keys("n")
    page.wait(lambda: "new=1" in page.address())
    page.keys("ESCAPE")
    page.wait(lambda: "new=1" not in page.address())
    page.keys("/")
    page.wait(lambda: page.css(".filter-editor"))
    page.keys("ESCAPE")
    page.wait(lambda: not page.all(".filter-editor"))


def test_filters_are_made_from_types_and_stand_in_the_address(page):
    posts(page, 6, "Filtered")
    page.open("#data/Post")
    page.press("+ Filter")
    page.wait(lambda: page.css(".filter-editor"))
    field, comparison = page.all(".filter-editor select")[:2]
    page.run("arguments[0].value = 'status'; arguments[0].dispatchEvent(new Event('change'))", field)
    page.run("const s = document.querySelector('.filter-editor .values select'); s.value = 'DRAFT'")
    page.press("Add filter")
    page.wait(lambda: "status = DRAFT" in page.css(".filters").text)
    page.wait(lambda: rows(page) and all("DRAFT" in row for row in rows(page)))
    assert "filter=" in page.address()
    page.reload()
    page.wait(lambda: rows(page) and all("DRAFT" in row for row in rows(page)))
    page.press("Remove status = DRAFT")
    page.wait(lambda: any("PUBLISHED" in row for row in rows(page)))


def test_a_column_sorts(page):
    posts(page, 5, "Sorted")
    page.open("#data/Post")
    page.wait(lambda: rows(page))
    title = next(button for button in page.all("table.rows th button") if button.text.startswith("title"))
    title.click()
    page.wait(lambda: "sort=title" in page.address())
    page.wait(lambda: [row.split("\n") for row in rows(page)] and page.css("th[aria-sort=ascending]"))
    next(button for button in page.all("table.rows th button") if button.text.startswith("title")).click()
    page.wait(lambda: "sort=-title" in page.address())


def test_what_belongs_to_a_record_opens_beside_it(page):
    post = make(page, "Post", title="With comments", content="text", status="PUBLISHED")
    for word in ("one", "two"):
        make(page, "Comment", content=f"Comment {word}", postID=post)
    page.open(f"#data/Post/{post}")
    page.wait(lambda: page.all("a.relation"))
    next(link for link in page.all("a.relation") if "comments" in link.text).click()
    page.wait(lambda: "Comment one" in page.css(".side").text and "Comment two" in page.css(".side").text)
    page.press("New comment")
    page.wait(lambda: page.field("postID", ".side").get_attribute("value") == post)
    page.field("content", ".side").send_keys("Comment three")
    page.press("Create comment")
    page.wait(lambda: "Comment three" in page.css(".side").text)
    next(cell for cell in page.all(".side td") if cell.text == "Comment three").click()
    page.wait(lambda: page.field("content", ".side").get_attribute("value") == "Comment three")
    page.keys("ESCAPE")
    page.wait(lambda: page.address().split("?")[0].endswith("/comments"))


def test_a_deletion_says_first_what_stays_behind(page):
    post = make(page, "Post", title="To be deleted", content="text", status="PUBLISHED")
    make(page, "Comment", content="left behind", postID=post)
    page.open(f"#data/Post/{post}")
    page.press("Delete", ".record")
    page.wait(lambda: "1 comment" in page.css("dialog").text)
    assert "without their parent" in page.css("dialog").text
    page.press("Delete post")
    page.wait(lambda: "was deleted" in page.css("#toasts").text)
    page.wait(lambda: not any("To be deleted" in row for row in rows(page)))


def test_a_selection_goes_out_and_comes_in(page):
    posts(page, 3, "Chosen")
    page.open("#data/Post?sort=-title")
    page.wait(lambda: len(rows(page)) >= 3)
    page.run("document.querySelector('table.rows').focus()")
    page.keys("HOME", "SPACE", "ARROW_DOWN", "SPACE")
    page.wait(lambda: "2 chosen" in page.css(".chosen").text)
    page.press("Export ▾")
    page.wait(lambda: "2 chosen as JSON" in page.css(".menu").text)
    next(item for item in page.all(".menu [role^=menuitem]") if "2 chosen as JSON" in item.text).click()
    exported = json.loads(page.downloaded("Post.json"))
    assert len(exported) == 2 and all(record["title"] for record in exported)
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "more.csv")
        with open(name, "w") as file:
            file.write('title,content,status\nImported,"with, a comma",DRAFT\n,missing,DRAFT\n')
        page.press("Import")
        page.wait(lambda: page.css("dialog input[type=file]"))
        page.css("dialog input[type=file]").send_keys(name)
        page.wait(lambda: "title, content, status" in page.css("dialog").text)
        page.press("Import posts")
        page.wait(lambda: "1 created, 1 not" in page.css("dialog").text)
    page.keys("ESCAPE")
    page.open("#data/Post?filter=" + page.encoded('[["title","=","Imported"]]'))
    page.wait(lambda: any("with, a comma" in row for row in rows(page)))


def test_what_somebody_else_may_not_see_is_hatched(page):
    post = make(page, "Post", title="Seen by all", content="text", status="PUBLISHED")
    page.open(f"#data/Post/{post}?as=~key")
    page.wait(lambda: "may only read" in page.css(".record").text or page.all(".record .hid"))
    page.open(f"#data/Post/{post}?as=~guest")
    page.wait(lambda: page.all("table.rows td.hid"))
    assert "hidden from" in page.css(".side").text


def test_ten_thousand_rows_scroll(page):
    answer = send(page, "POST", "/import?model=User&format=json", json.dumps([{"name": f"User {n:05}"} for n in range(10000)]), "application/json")
    assert answer["created"] == 10000, answer
    page.open("#data/User")
    page.wait(lambda: rows(page))
    page.run("const s = document.querySelector('.scroller'); s.scrollTop = s.scrollHeight")
    page.wait(lambda: int(page.all("table.rows tr[data-index]")[-1].get_attribute("data-index")) >= 9999, 60)
    assert len(page.all("table.rows tr")) < 120


def test_sql_is_asked_and_cannot_write(page):
    make(page, "Post", title="For SQL", content="text", status="DRAFT")
    page.open("#data/~sql")
    page.wait(lambda: page.field("Statement"))
    page.field("Statement").clear()
    page.field("Statement").send_keys('SELECT title, 1 + 1 AS two FROM "Post" WHERE title = \'For SQL\'')
    page.press("Run ▸")
    page.wait(lambda: any("For SQL" in row for row in rows(page)))
    assert "two" in page.css("table.rows thead").text
    for statement in ("DELETE FROM Post", "ATTACH 'x' AS y", "SELECT readfile('/etc/passwd')", "PRAGMA journal_mode = DELETE"):
        page.run("const e = document.querySelector('.statement textarea'); e.value = arguments[0]; e.dispatchEvent(new Event('input'))", statement)
        page.press("Run ▸")
        page.wait(lambda: page.all(".result .problem"))
        page.run("document.querySelector('.result').replaceChildren()")
    assert page.api("POST", "/rows", {"model": "Post", "filter": [{"field": "title", "is": "=", "value": "For SQL"}], "limit": 10})["rows"]


def test_markup_in_a_record_is_text(page):
    post = make(page, "Post", title=MARKUP, content=MARKUP, status="DRAFT", tags=[MARKUP])
    make(page, "Comment", content=MARKUP, postID=post)
    for address in (f"#data/Post/{post}", f"#data/Post/{post}/comments", "#data/~sql?sql=" + 'SELECT+title+FROM+%22Post%22+WHERE+title+LIKE+%27%3Cimg%25%27'):
        page.open(address)
        page.wait(lambda: "<img src=x" in page.text() or any("<img" in (each.get_attribute("value") or "") for each in page.all("textarea")))
    page.open(f"#data/Post/{post}")
    page.press("Delete", ".record")
    page.wait(lambda: page.css("dialog"))
    page.keys("ESCAPE")
    assert page.run("return window.pwned === undefined && !document.querySelector('main img, main script')")


def test_pictures_and_accessibility_of_data(page):
    post = posts(page, 8, "Pictured")[0]
    for name, address in (("data", "#data/Post"), ("data-record", f"#data/Post/{post}"), ("data-new", "#data/Post?new=1"), ("data-sql", "#data/~sql")):
        page.open(address)
        page.wait(lambda: page.css(".view-data h1"))
        page.screenshot(name)
        found = page.problems()
        assert not found, found


TYPES = {"schema": os.path.join(HERE, "types.graphql")}


def test_a_form_knows_every_type(page):
    with tempfile.TemporaryDirectory() as folder:
        server = page.start(page.program, os.path.join(folder, "types"), os.environ.get("HOMEPORT_CONSOLE_PAGE"), settings=TYPES)
        before, page.url, page.csrf = page.url, server.url, None
        try:
            form_of_types(page)
        finally:
            page.url, page.csrf = before, None
            server.close()


def form_of_types(page):
    page.open("#data/Sample?new=1")
    for label, wrong, words, right in (
        ("whole", "1.5", "Int is a whole number", "42"),
        ("broken", "x", "Float is a number", "2.5"),
        ("day", "2026-02-30", "AWSDate is a date", "2026-02-28"),
        ("moment", "2026-02-28", "AWSDateTime is a date, a time and a zone", "2026-02-28T10:00:00Z"),
        ("clock", "25", "AWSTime is a time", "10:00:00"),
        ("mail", "nobody", "AWSEmail is a mail address", "ann@example.com"),
        ("page", "example", "AWSURL is an address", "https://example.com/a"),
        ("address", "x", "AWSIPAddress is an address", "192.0.2.1"),
        ("json", "{", "This is not JSON", '{"a":[1,2,12345678901234567890]}'),
        ("short", "much too long", "at most five letters", "fits"),
    ):
        field = page.type(label, wrong)
        page.wait(lambda: words in page.text())
        field.clear()
        field.send_keys(right)
        page.wait(lambda: words not in page.text())
    choose(page, "colour", "GREEN")
    choose(page, "isOn", "true")
    page.type("numbers", "1\n2\n")
    page.press("Add place")
    page.type("place street", "Harbour Road")
    page.press("Create sample")
    page.wait(lambda: "place" in page.text() and "city is required" in page.text())
    page.type("place city", "Bergen")
    page.press("Create sample")
    page.wait(lambda: "#data/Sample/" in page.address())
    key = page.address().split("?")[0].split("/")[-1]
    values = page.api("POST", "/row", {"model": "Sample", "key": {"id": key}})["values"]
    assert values["whole"] == 42 and values["broken"] == 2.5 and values["day"] == "2026-02-28" and values["isOn"] is True and values["colour"] == "GREEN", values
    assert values["numbers"] == [1, 2] and values["place"] == {"street": "Harbour Road", "city": "Bergen"} and "12345678901234567890" in values["json"], values
    page.press("Set whole to null")
    page.press("Save 1 change")
    page.wait(lambda: page.api("POST", "/row", {"model": "Sample", "key": {"id": key}})["values"]["whole"] is None)
