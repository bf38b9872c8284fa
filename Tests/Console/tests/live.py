"""Live: what comes, filtered, paused, and one request's story."""

MARKUP = '<img src=x onerror="window.pwned=1">'


def ask(page, query, who=None, variables=None):
    return page.api("POST", "/run", {"as": who or {"kind": "admin"}, "query": query, "operationName": None, "variables": variables or {}, "headers": {}})


def rows(page):
    return page.texts("tr[data-index]")


def press_row(page, index):
    page.wait(lambda: page.all(f"tr[data-index='{index}'] td:nth-child(3)")[0].click() is None)


def watch(page):
    """Waits until the page shows rates: the server notes what comes from then on."""
    page.wait(lambda: page.all("section.view-live table.rows") and "requests/s" in page.css(".bar").text)


def test_requests_come_as_they_happen(page):
    page.open("#live")
    page.wait(lambda: page.all("table.rows"))
    ask(page, "{ listUsers { items { id } } }")
    page.wait(lambda: "listUsers" in rows(page)[0])
    ask(page, 'mutation { createUser(input: {name: "n"}) { id } }')
    page.wait(lambda: any("createUser" in row for row in rows(page)[:2]))
    page.wait(lambda: "requests/s" in page.css(".bar").text)


def test_a_row_opens_its_story_and_is_replayed(page):
    page.open("#live")
    page.wait(lambda: page.all("table.rows"))
    ask(page, "query Told { listUsers { items { id name } } }")
    page.wait(lambda: "listUsers" in rows(page)[0])
    press_row(page, 0)
    page.wait(lambda: "SELECT" in page.css(".side").text and "query Told" in page.css(".side").text)
    assert page.address().startswith("#live/")
    page.screenshot("live-story")
    assert page.problems() == [], page.problems()
    page.press("Replay in Explorer")
    page.wait(lambda: page.all("section.view-explorer") and "query Told" in page.field("Query").get_attribute("value"))


def test_filters_stand_in_the_address(page):
    page.open("#live")
    page.wait(lambda: page.all("table.rows"))
    ask(page, "{ listUsers { items { id } } }")
    ask(page, 'mutation { deletePost(input: {id: "no"}) { id } }', {"kind": "apiKey"})
    page.wait(lambda: any("deletePost" in row for row in rows(page)))
    page.press("errors only")
    page.wait(lambda: "errors=1" in page.address() and rows(page) and not any("listUsers" in row for row in rows(page)))
    page.press("errors only")
    page.type("Filter by any word", "listUsers")
    page.wait(lambda: "search=listUsers" in page.address() and rows(page) and all("listUsers" in row for row in rows(page)))


def test_it_pauses_and_goes_on(page):
    page.open("#live")
    page.wait(lambda: page.all("table.rows"))
    ask(page, "{ listUsers { items { id } } }")
    page.wait(lambda: rows(page))
    page.press("❚❚ Pause")
    before = rows(page)
    ask(page, "{ listComments { items { id } } }")
    page.wait(lambda: "1 new" in page.css(".bar").text)
    assert rows(page) == before
    page.press("▸ Resume")
    page.wait(lambda: "listComments" in rows(page)[0])


def test_an_event_says_who_got_it_and_who_did_not(page):
    page.open("#explorer?as=~key")
    page.wait(lambda: page.all(".tree-row"))
    page.write("Query", 'subscription Watch { onCreatePost(filter: {title: {eq: "wanted"}}) { id title } }')
    page.keys("CONTROL+ENTER")
    page.wait(lambda: "listening" in page.css(".result").text)
    page.keys("TAB")
    page.css('#rail a[href^="#live"]').click()
    watch(page)
    for title in ["wanted", "other"]:
        page.api("POST", "/run", {"as": {"kind": "made", "username": "ann", "groups": [], "claims": {}}, "query": 'mutation M($input: CreatePostInput!) { createPost(input: $input) { id title content status author } }',
                                  "operationName": None, "variables": {"input": {"title": title, "content": "c", "status": "DRAFT"}}, "headers": {}})
    # Each has a row for its event, too.
    page.wait(lambda: sum("mutation createPost" in row for row in rows(page)) >= 2)
    index = next(index for index, row in enumerate(rows(page)) if "mutation createPost" in row)
    press_row(page, index)
    page.wait(lambda: "Not sent to" in page.css(".side").text)


def test_a_publish_to_a_channel_says_who_got_it(page):
    page.open("#live")
    watch(page)
    publish = "return fetch('/event', { method: 'POST', headers: { 'x-api-key': 'da2-fakeApiId123456' }, body: JSON.stringify({ channel: '/default/room', events: ['1'] }) }).then((answer) => answer.status)"
    assert page.run(publish) == 200
    page.wait(lambda: any("/default/room" in row and "0 sent" in row for row in rows(page)))
    page.run("""
        const key = { host: location.host, "x-api-key": "da2-fakeApiId123456" };
        const header = btoa(JSON.stringify(key)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
        window.channel = new WebSocket(`ws://${location.host}/event/realtime`, ["aws-appsync-event-ws", `header-${header}`]);
        return new Promise((done, fail) => {
            channel.onclose = fail;
            channel.onmessage = ({ data }) => {
                const { type } = JSON.parse(data);
                if (type === "connection_ack") channel.send(JSON.stringify({ type: "subscribe", id: "s", channel: "/default/*", authorization: key }));
                if (type === "subscribe_success") done();
            };
        })""")
    assert page.run(publish) == 200
    page.wait(lambda: any("/default/room" in row and "1 sent" in row for row in rows(page)))
    press_row(page, next(index for index, row in enumerate(rows(page)) if "1 sent" in row))
    page.wait(lambda: "Sent to an API key (/default/*)" in page.css(".side").text)
    page.wait(lambda: "1 subscriber" in page.css(".bar").text)
    page.press("1 subscriber")
    page.wait(lambda: "/default/*" in page.css("dialog[open]").text)


def test_markup_in_what_happens_is_text(page):
    page.open("#live")
    page.wait(lambda: page.all("table.rows"))
    ask(page, '{ getUser(id: "%s") { id } }' % MARKUP.replace('"', '\\"'), {"kind": "made", "username": MARKUP, "groups": [MARKUP], "claims": {}})
    page.wait(lambda: any(MARKUP in row for row in rows(page)))
    press_row(page, 0)
    page.wait(lambda: MARKUP.replace('"', '\\"') in page.css(".side").text)
    assert page.run("return document.querySelectorAll('main img').length") == 0


def test_pictures_and_rules_of_live(page):
    page.open("#live")
    page.wait(lambda: page.all("table.rows"))
    for _ in range(6):
        ask(page, "{ listPosts(limit: 3) { items { id title } } }", {"kind": "apiKey"})
        ask(page, 'mutation { deletePost(input: {id: "no"}) { id } }', {"kind": "apiKey"})
    page.wait(lambda: len(rows(page)) >= 12)
    page.screenshot("live")
    assert page.problems() == [], page.problems()


def test_without_a_place_for_a_stream_it_is_asked_again_and_again(page):
    page.open("#server")
    # As if four other tabs of this browser had a stream each.
    page.run("for (let index = 0; index < 4; index += 1) navigator.locks.request(`homeport-stream-${index}`, () => new Promise(() => {}))")
    page.go("#live")
    page.wait(lambda: page.all("table.rows"))
    page.wait(lambda: page.api("GET", "/live/recent")["epoch"])
    ask(page, "query Polled { listUsers { items { id } } }")
    page.wait(lambda: rows(page) and "listUsers" in rows(page)[0])
    taken = page.run("return performance.getEntriesByType('resource').some((entry) => new URL(entry.name).pathname.endsWith('/live'))")
    assert not taken
    page.go("#explorer")
    page.wait(lambda: page.all(".tree-row"))
    page.write("Query", "subscription Full { onCreatePost { id } }")
    page.keys("CONTROL+ENTER")
    page.wait(lambda: "streams are open already" in page.css("#toasts").text)


def test_a_page_that_nobody_sees_gives_its_stream_back(page):
    page.open("#live")
    page.wait(lambda: page.all("table.rows"))
    held = "const all = await navigator.locks.query(); return all.held.filter((lock) => lock.name.startsWith('homeport-stream-')).length"
    count = lambda: page.run(f"return (async () => {{ {held} }})()")
    page.wait(lambda: count() == 1)
    hide = "Object.defineProperty(document, 'hidden', {{ configurable: true, value: {} }}); document.dispatchEvent(new Event('visibilitychange'))"
    page.run(hide.format("true"))
    page.wait(lambda: count() == 0)
    ask(page, "query Unseen { listComments { items { id } } }")
    page.run(hide.format("false"))
    page.wait(lambda: count() == 1)
    page.wait(lambda: "listComments" in rows(page)[0])
    assert sum("listComments" in row for row in rows(page)[:3]) == 1


def test_failures_are_failures_and_come_from_before_anybody_looked(page):
    page.open("#explorer")
    page.run("""return Promise.all([
        fetch("/graphql", { method: "POST", headers: { "x-api-key": "da2-fakeApiId123456" }, body: JSON.stringify({ query: "{ nope }" }) }),
        fetch("/graphql", { method: "POST", headers: { "x-api-key": "da2-wrong" }, body: JSON.stringify({ query: "{ listPosts { items { id } } }" }) }),
        fetch("/", { method: "POST", headers: { "x-amz-target": "AWSCognitoIdentityProviderService.InitiateAuth", "content-type": "application/x-amz-json-1.1" }, body: "{}" }),
    ]).then((all) => all.map((one) => one.status))""")
    page.open("#live?errors=1")
    page.wait(lambda: any("InitiateAuth" in row for row in rows(page)))
    page.wait(lambda: any("nope" in row and "error" in row for row in rows(page)))
    page.wait(lambda: any("UnauthorizedException" in row for row in rows(page)))
    page.screenshot("live-failures")
    assert page.problems() == [], page.problems()
    index = next(index for index, row in enumerate(rows(page)) if "InitiateAuth" in row)
    press_row(page, index)
    page.wait(lambda: "Only requests of the API have steps" in page.css(".side").text)
