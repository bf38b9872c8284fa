"""Users and messages: who there is, what is done with them, and the codes that were sent."""

# Names have no spaces; markup needs none.
MARKUP = '<b>x</b><img/src=x/onerror="window.pwned=1">'


def make(page, name, **more):
    return page.api("POST", "/users", {"username": name, "email": None, "phone_number": None, "attributes": {}, "password": "Passw0rd!1", "isPermanent": True, "groups": [], **more})


def test_a_user_is_made_with_the_words_of_the_pool(page):
    page.open("#users?new=1")
    page.wait(lambda: page.field("Name"))
    page.field("Name").send_keys("nina")
    page.field("Mail").send_keys("nina@example.com")
    page.field("Password").send_keys("abc\n")
    page.wait(lambda: "Password did not conform with policy" in page.css(".side").text)
    page.field("Password").clear()
    page.field("Password").send_keys("Passw0rd!1\n")
    page.wait(lambda: page.address().startswith("#users/nina"))
    page.wait(lambda: "confirmed" in page.css(".side").text)
    assert "nina" in page.css("table.rows").text


def test_groups_states_and_sessions_change_in_place(page):
    make(page, "oskar")
    page.api("POST", "/groups", {"name": "Editors", "description": None})
    page.open("#users/oskar")
    page.wait(lambda: page.all(".side select"))
    select = page.css(".side select")
    page.run("arguments[0].value = 'Editors'; arguments[0].dispatchEvent(new Event('change'))", select)
    page.wait(lambda: page.button("Remove from Editors"))
    assert page.api("GET", "/users/oskar")["groups"] == ["Editors"]
    page.press("Remove from Editors")
    page.wait(lambda: page.api("GET", "/users/oskar")["groups"] == [])
    page.press("Disable")
    page.wait(lambda: page.button("Enable") and "disabled" in page.css(".side").text)
    page.press("Enable")
    page.wait(lambda: page.button("Disable"))
    page.press("Set password")
    page.wait(lambda: page.field("New password"))
    page.field("New password").send_keys("x\n")
    page.wait(lambda: "Password did not conform" in page.css("dialog").text)
    page.field("New password").clear()
    page.field("New password").send_keys("An0ther!pass\n")
    page.wait(lambda: not page.all("dialog"))


def test_somebody_is_found_and_deleted(page):
    make(page, "petra")
    page.open("#users")
    page.field("Search users").send_keys("petr")
    page.wait(lambda: "search=petr" in page.address() and len(page.all("tr[data-index]")) == 1 and page.css("tr[data-index]").text.startswith("petra"))
    page.css("tr[data-index] td").click()
    page.wait(lambda: page.button("Delete", ".side"))
    page.press("Delete", ".side")
    page.wait(lambda: page.button("Delete user"))
    page.press("Delete user")
    page.wait(lambda: "Nobody is called petr" in page.text())


def test_a_code_is_copied_with_one_click(page):
    make(page, "quin", email="quin@example.com")
    page.open("#users/quin")
    page.wait(lambda: page.button("Reset password"))
    page.press("Reset password")
    page.wait(lambda: "has to reset" in page.css(".side").text)
    page.open("#messages?to=quin")
    page.wait(lambda: page.all("button.code"))
    code = page.css("button.code").text
    assert code.isdigit()
    page.css("button.code").click()
    page.wait(lambda: page.css("button.code").text == "copied")
    page.css("tr[data-index] td:nth-child(2)").click()
    page.wait(lambda: code in page.css(".side").text and "quin@example.com" in page.css(".side").text)


def test_markup_in_names_and_messages_is_text(page):
    make(page, MARKUP, email="markup@example.com", attributes={"nickname": MARKUP})
    page.open("#users")
    page.wait(lambda: "<b>x</b>" in page.css("table.rows").text)
    next(cell for cell in page.all("td") if "<b>x</b>" in cell.text).click()
    page.wait(lambda: page.button("Reset password"))
    page.press("Reset password")
    page.open("#messages")
    page.wait(lambda: page.all("tr[data-index]"))
    page.css("tr[data-index] td:nth-child(2)").click()
    page.wait(lambda: page.css(".side dl"))
    assert page.run("return window.pwned === undefined && !document.querySelector('main img')")


def test_pictures_and_accessibility_of_users_and_messages(page):
    make(page, "rosa", email="rosa@example.com")
    for name, address in (("users", "#users"), ("users-one", "#users/rosa"), ("users-new", "#users?new=1"), ("messages", "#messages")):
        page.open(address)
        page.wait(lambda: page.css(".bar h1"))
        page.screenshot(name)
        found = page.problems()
        assert not found, found
