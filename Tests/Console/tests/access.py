"""Access: the matrix, a cell's reasons, who can see a record."""

MARKUP = '<img src=x onerror="window.pwned=1">'


def cell(page, model, operation, who):
    return page.run("return [...document.querySelectorAll('button.cell')].find((node) => node.getAttribute('aria-label').startsWith(arguments[0]))", f"{model} {operation}, {who}:")


def test_the_matrix_says_who_may_do_what(page):
    page.open("#access?as=~admin")
    said = lambda *place: cell(page, *place).get_attribute("aria-label")
    page.wait(lambda: "may, for every record" in said("Post", "read", "API key"))
    assert "may not" in said("Post", "create", "API key")
    assert "own" in said("Post", "update", "Owner")
    assert "every record" in said("Post", "delete", "Moderators")


def test_a_cell_opens_its_rules_and_leads_on(page):
    page.open("#access?as=~admin")
    page.wait(lambda: cell(page, "Post", "update", "Owner").click() is None)
    page.wait(lambda: "allow: owner" in page.css(".side").text and "schema/blog.graphql:" in page.css(".side").text)
    assert page.address().startswith("#access/Post/update/owner")
    page.screenshot("access-cell")
    assert page.problems() == [], page.problems()
    page.reload()
    page.wait(lambda: "allow: owner" in page.css(".side").text)
    page.press("Open updatePost as Owner")
    page.wait(lambda: page.all("section.view-explorer") and "updatePost" in page.field("Query").get_attribute("value"))


def test_the_one_who_is_run_as_has_a_column(page):
    page.open("#access?as=" + page.encoded('~made:{"username":"mia","groups":["Moderators"]}'))
    page.wait(lambda: cell(page, "Post", "delete", "mia"))
    assert "every record" in cell(page, "Post", "delete", "mia").get_attribute("aria-label")


def test_who_can_see_a_record(page):
    answer = page.api("POST", "/change", {"model": "Boat", "operation": "create", "as": {"kind": "made", "username": "ann", "groups": [], "claims": {}}, "input": {"name": "Argo", "secret": "gold"}})
    key = answer["row"]["id"]
    page.open("#access?as=~admin")
    page.wait(lambda: page.all("button.cell"))
    page.press("Who can see this record?")
    page.wait(lambda: page.field("Model"))
    page.run("arguments[0].value = 'Boat'; arguments[0].dispatchEvent(new Event('change'))", page.field("Model"))
    page.type("id", key + "\n")
    page.wait(lambda: "sees" in page.css(".side .answer").text)
    assert page.address().startswith(f"#access/record/Boat/{key}")
    page.css(".side details summary").click()
    page.wait(lambda: "Run as" in page.css(".side details").text)
    page.screenshot("access-record")
    assert page.problems() == [], page.problems()


def test_cells_are_reached_by_keys(page):
    page.open("#access?as=~admin")
    page.wait(lambda: page.all("button.cell"))
    page.run("document.querySelector('table.rows').focus()")
    page.keys("ARROW_RIGHT", "ARROW_RIGHT", "ENTER")
    page.wait(lambda: page.address().startswith("#access/Post/read/"))
    page.keys("ESCAPE")
    page.wait(lambda: page.address().startswith("#access?"))


def test_markup_in_callers_is_text(page):
    page.open("#access?as=" + page.encoded('~made:{"username":"%s","groups":["%s"]}' % (MARKUP.replace('"', '\\"'), MARKUP.replace('"', '\\"'))))
    page.wait(lambda: MARKUP in page.css("#bar").text)
    page.wait(lambda: page.all("button.cell"))
    assert page.run("return document.querySelectorAll('body img').length") == 0


def test_pictures_and_rules_of_access(page):
    page.open("#access?as=~admin")
    page.wait(lambda: page.all("button.cell"))
    page.screenshot("access")
    assert page.problems() == [], page.problems()


def test_a_caller_has_a_cell_in_each_row_and_their_groups_in_the_menu(page):
    page.api("POST", "/users", {"username": "mia", "password": "Passw0rd!", "isPermanent": True})
    page.api("POST", "/groups", {"name": "Moderators", "description": ""})
    page.api("POST", "/users/mia/groups", {"groups": ["Moderators"]})
    page.open("#access?as=mia")
    page.wait(lambda: page.all("button.cell"))
    page.wait(lambda: any("read, mia: may, for every record" in label for label in page.run("return [...document.querySelectorAll('button.cell')].map((node) => node.getAttribute('aria-label'))")))
    page.keys("w")
    page.wait(lambda: any("mia" in text and "Moderators" in text for text in page.texts("dialog [role=option]")))
    page.keys("ESCAPE")
    page.api("DELETE", "/users/mia")
