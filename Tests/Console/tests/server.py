"""Server: charts, configuration, database, audit log."""


def test_the_last_hour_is_drawn_on_one_axis(page):
    page.open("#server")
    page.wait(lambda: len(page.all(".chart")) == 6)
    page.wait(lambda: "now" in page.css(".chart").get_attribute("aria-label"))
    page.run("document.querySelector('.charts').focus()")
    page.keys("END")
    page.wait(lambda: len(page.all(".chart.is-marked")) == 6)
    page.wait(lambda: "Requests a second" in page.css("#polite").get_attribute("textContent"))


def test_each_setting_says_where_it_is_from(page):
    page.open("#server/configuration")
    page.wait(lambda: page.all("tr[data-index]"))
    page.field("Search settings").send_keys("auth.apiKeys")
    page.wait(lambda: len(page.all("tr[data-index]")) >= 1 and "auth.apiKeys" in page.css("tr[data-index]").text)
    assert all(setting["value"] is None for setting in page.api("GET", "/server")["configuration"] if setting["isSecret"])
    page.css("tr[data-index] td").click()
    page.wait(lambda: "default" in page.css(".about").text)


def test_the_database_is_saved_whole(page):
    page.open("#server/database")
    page.wait(lambda: page.button("Save a copy"))
    page.press("Save a copy")
    page.wait(lambda: "was saved" in page.css("#toasts").text)
    assert "Post" in page.css(".tables").text


def test_changes_stand_in_the_audit_log(page):
    page.api("POST", "/change", {"model": "User", "operation": "create", "input": {"name": "<b>Audited</b>"}})
    page.open("#server/audit")
    page.wait(lambda: page.all("tr[data-index]"))
    assert "User" in page.css("tr[data-index]").text


def test_the_log_comes_in_and_is_filtered(page):
    page.open("#server/log")
    page.wait(lambda: page.all(".log-lines"))
    page.wait(lambda: "kept from now on" in page.css(".log-lines").text or page.all(".log-line"))
    page.run("return fetch('/graphql', { method: 'POST', headers: { 'x-api-key': 'da2-fakeApiId123456' }, body: JSON.stringify({ query: '{ listPosts { items { id } } }' }) }).then((answer) => answer.text())")
    page.wait(lambda: "query listPosts" in page.css(".log-lines").text)
    page.field("Only lines with").send_keys("no line has this")
    page.wait(lambda: "No line fits" in page.css(".log-lines").text)


def test_pictures_and_accessibility_of_the_server(page):
    for name, address in (("server", "#server"), ("server-configuration", "#server/configuration"), ("server-database", "#server/database"), ("server-log", "#server/log"), ("server-audit", "#server/audit")):
        page.open(address)
        page.wait(lambda: page.css("[role=tab][aria-selected=true]"))
        page.screenshot(name)
        found = page.problems()
        assert not found, found
