"""The frame: bar, rail, finder, Run as, addresses, keys, themes, and what holds for every view."""

VIEWS = ["explorer", "data", "access", "live", "users", "files", "messages", "schema", "server"]


def test_bar_rail_and_status_say_where_one_is(page):
    page.open("#explorer")
    page.wait(lambda: "schema/blog.graphql" in page.css("#bar").text)
    bar = page.css("#bar").text
    assert "Homeport" in bar and "development" in bar and "Run as" in bar
    rail = page.css("#rail").text
    for name in ["Explorer", "Data", "Access", "Live", "Users", "Files", "Messages", "Schema", "Server"]:
        assert name in rail, rail
    assert page.css("#rail [aria-current=page]").text.startswith("Explorer")
    page.wait(lambda: "Homeport 0." in page.css("#status").text and "model" in page.css("#status").text)


def test_every_view_has_an_address_and_back_comes_back(page):
    page.open("#explorer")
    for name in VIEWS[1:]:
        page.css(f'#rail a[href^="#{name}"]').click()
        page.wait(lambda: page.all(f"section.view-{name}") and page.address().startswith(f"#{name}"))
    page.run("history.back()")
    page.wait(lambda: page.all("section.view-schema"))
    page.reload()
    page.wait(lambda: page.all("section.view-schema"))


def test_an_unknown_address_leads_to_the_explorer(page):
    page.open("#nowhere/at/all?x=%E0%A4%A")
    page.wait(lambda: page.all("section.view-explorer"))


def test_the_finder_finds_views_models_operations_and_actions(page):
    page.open("#live")
    page.keys("CONTROL+k")
    page.wait(lambda: page.focused().get_attribute("role") == "combobox")
    page.keys("post")
    page.wait(lambda: "listPosts" in page.css("dialog").text and "PostEditors" in page.css("dialog").text)
    page.screenshot("finder")
    page.keys(*["BACKSPACE"] * 4, "createPost")
    page.wait(lambda: page.css("dialog [role=option]").text.startswith("createPost"))
    page.keys("ENTER")
    page.wait(lambda: page.all("section.view-explorer") and "createPost(input: $input)" in page.field("Query").get_attribute("value"))
    page.keys("CONTROL+k")
    page.wait(lambda: page.all("dialog[open]"))
    page.keys("ESCAPE")
    page.wait(lambda: not page.all("dialog[open]"))


def test_run_as_is_chosen_by_keys_and_stands_in_the_address(page):
    page.api("POST", "/users", {"username": "bob", "email": None, "phone_number": None, "attributes": {}, "password": "Passw0rd!1", "isPermanent": True, "groups": []}) if not exists(page, "bob") else None
    page.open("#access")
    page.keys("w")
    page.wait(lambda: page.focused().get_attribute("role") == "combobox" and "API key" in page.css("dialog").text)
    page.screenshot("run-as")
    page.keys("bob")
    page.wait(lambda: page.css("dialog [role=option][aria-selected=true]").text.startswith("bob"))
    page.keys("ENTER")
    page.wait(lambda: "as=bob" in page.address() and "bob" in page.css(".who-button").text)
    page.reload()
    page.wait(lambda: "user pool" in page.css(".who-button").text)
    page.keys("g", "l")
    page.wait(lambda: page.address().startswith("#live?as=bob"))


def exists(page, name):
    return any(user["username"] == name for user in page.api("GET", "/users?limit=60")["users"])


def test_every_kind_of_caller_can_be_chosen(page):
    page.open("#access")
    for label, word in [("API key", "~key"), ("Guest", "~guest"), ("IAM, signed in", "~iam:authenticated"), ("Administrator", "~admin")]:
        page.css(".who-button").click()
        page.press(label, "dialog .picks")
        page.wait(lambda: page.run("return new URLSearchParams(location.hash.split('?')[1]).get('as')") == word)


def test_somebody_is_made_up_with_groups_and_claims(page):
    page.open("#access")
    page.css(".who-button").click()
    page.press("Made up")
    page.type("Name", "eve")
    page.type("Groups", "Moderators, Sailors")
    page.press("Add a claim")
    page.type("Claim", "custom:tenant")
    page.type("Value of the claim", "harbour")
    page.screenshot("run-as-made-up")
    page.press("Run as them")
    page.wait(lambda: "eve" in page.css(".who-button").text and "Moderators" in page.css(".who-button").text)
    made = page.run("return JSON.parse(new URLSearchParams(location.hash.split('?')[1]).get('as').slice(6))")
    assert made["groups"] == ["Moderators", "Sailors"] and made["claims"] == {"custom:tenant": "harbour"}, made


def test_a_pasted_token_is_proved_and_comes_into_no_address(page):
    page.open("#access")
    page.css(".who-button").click()
    page.press("Token")
    page.type("Token", "not-a-token")
    page.press("Run as its owner")
    page.wait(lambda: "lets nobody in" in page.css("dialog").text)
    assert "not-a-token" not in page.address()


def test_keys_are_listed_and_reach_every_view(page):
    page.open("#server")
    page.keys("?")
    page.wait(lambda: "Go to" in page.css("dialog").text)
    page.keys("ESCAPE")
    for name, key in zip(VIEWS, "edalufmsv"):
        page.keys("g", key)
        page.wait(lambda: page.all(f"section.view-{name}"))


def test_tab_goes_everywhere_in_order_and_comes_out_again(page):
    for name in VIEWS:
        page.open(f"#{name}")
        page.wait(lambda: page.all(f"section.view-{name} h1, section.view-{name} .tree-row"))
        stops, came_around = page.stops()
        assert came_around, f"{name}: Tab does not come out: {[stop['what'] for stop in stops[-6:]]}"
        assert not [stop["what"] for stop in stops if not stop["seen"] and "skip" not in stop["what"]], f"{name}: the focus is on what nobody sees"
        assert not [stop["what"] for stop in stops if not stop["marked"]], f"{name}: the focus is not to be seen at {[stop['what'] for stop in stops if not stop['marked']]}"
        backwards = [stop["what"] for stop in stops if stop["backwards"]]
        assert not backwards, f"{name}: Tab goes backwards to {backwards}"


def test_rules_of_accessibility_hold_in_the_frame(page):
    page.open("#explorer")
    page.keys("CONTROL+k")
    page.wait(lambda: page.all("dialog [role=option]"))
    assert page.problems() == [], page.problems()
    page.keys("ESCAPE")
    page.css(".who-button").click()
    page.wait(lambda: page.all("dialog [role=option]"))
    assert page.problems() == [], page.problems()
    page.press("Made up")
    assert page.problems() == [], page.problems()


def test_nothing_jumps_while_a_view_comes(page):
    for name in VIEWS:
        page.open(f"#{name}")
        page.wait(lambda: page.all(f"section.view-{name} h1, section.view-explorer .editor"))
        moved = page.run("""return new Promise((done) => {
            let sum = 0;
            const seen = [];
            new PerformanceObserver((list) => { for (const each of list.getEntries()) if (!each.hadRecentInput) { sum += each.value; seen.push(...each.sources.map((one) => one.node?.className ?? one.node?.nodeName)); } }).observe({ type: "layout-shift", buffered: true });
            setTimeout(() => done([sum, seen]), 250);
        })""")
        assert moved[0] < 0.02, f"{name}: what is seen moves by {moved[0]:.3f}: {moved[1][:6]}"


def test_light_and_dark_are_chosen_and_kept(page):
    page.open("#schema")
    page.press("System colours")
    page.press("Light")
    assert page.run("return document.documentElement.dataset.theme") == "dark"
    page.reload()
    assert page.run("return getComputedStyle(document.documentElement).colorScheme") == "dark"


def test_the_page_asks_nobody_else_and_is_small(page):
    page.open("#explorer")
    for name in VIEWS[1:]:
        page.keys("g", "edalufmsv"[VIEWS.index(name)])
        page.wait(lambda: page.all(f"section.view-{name}"))
    entries = page.run("return performance.getEntriesByType('resource').map((each) => [each.name, each.encodedBodySize])")
    assert all(name.startswith(page.url) for name, _ in entries), entries
    assert 0 < sum(size for name, size in entries if "/_homeport/page/" in name) < 200_000, entries
    assert page.run("return performance.getEntriesByType('paint').length") > 0


def test_what_does_not_answer_is_said_and_comes_back(page):
    page.open("#schema")
    page.wait(lambda: "model" in page.css("#status").text)
    page.run("window.realFetch = window.fetch; window.fetch = () => Promise.reject(new TypeError('no'))")
    page.keys("CONTROL+k")
    page.keys("zzz")
    page.wait(lambda: "The server does not answer" in page.css("#status").text)
    page.run("window.fetch = window.realFetch")
    page.keys("BACKSPACE")
    page.wait(lambda: "The server does not answer" not in page.css("#status").text)
