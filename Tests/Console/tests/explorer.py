"""The Explorer: writing, checking, completing, running, following, copying."""

MARKUP = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>'


def query(page):
    return page.field("Query").get_attribute("value")


def result(page):
    return page.css(".result").text


def make(page, title="Tides"):
    answer = page.api("POST", "/change", {"model": "Post", "operation": "create", "input": {"title": title, "content": "text", "status": "PUBLISHED", "author": "ann"}})
    assert not answer["response"].get("errors"), answer
    return answer["row"]["id"]


def ready(page):
    page.wait(lambda: page.all(".tree-row"))


def tree_row(page, label):
    return page.run("return [...document.querySelectorAll('.tree-row')].find((row) => row.querySelector('.label').textContent === arguments[0])", label)


def press_row(page, label, part):
    """Presses a part of a row: rows are made anew when ticks change, so that finding and pressing are one step."""
    page.wait(lambda: page.run("const row = [...document.querySelectorAll('.tree-row')].find((row) => row.querySelector('.label').textContent === arguments[0]); row?.querySelector(arguments[1]).click(); return Boolean(row)", label, part))


def test_a_query_is_written_checked_and_run(page):
    make(page)
    page.open("#explorer?as=~admin")
    ready(page)
    page.write("Query", "{ listPosts { items { id titel } } }")
    page.wait(lambda: "Post has no field titel. Did you mean title?" in page.css(".edit").text)
    assert page.all(".layer .bad")
    page.write("Query", "{ listPosts { items { id title } } }")
    page.wait(lambda: "Did you mean" not in page.css(".edit").text)
    page.keys("CONTROL+ENTER")
    page.wait(lambda: "Tides" in result(page) and "ok" in result(page))
    page.press("What happened")
    page.wait(lambda: "SELECT" in result(page))
    page.press("Headers", ".result")
    page.wait(lambda: "content-type" in result(page))


def test_what_can_stand_at_the_caret_is_offered(page):
    page.open("#explorer")
    ready(page)
    page.write("Query", "")
    page.wait(lambda: page.field("Query")).click()
    page.keys("{")
    page.wait(lambda: query(page) == "{}")
    page.keys("listP")
    page.wait(lambda: "listPosts" in page.css(".completions").text)
    page.screenshot("explorer-completion")
    page.keys("ENTER")
    page.wait(lambda: query(page).startswith("{listPosts {"))
    page.wait(lambda: "items" in page.css(".completions").text)
    page.keys("ENTER")
    page.wait(lambda: "items {" in query(page))
    page.keys("ESCAPE")
    page.keys("CONTROL+ ")
    page.wait(lambda: "author" in page.css(".completions").text)
    page.keys("ESCAPE")
    page.wait(lambda: not page.css(".completions").is_displayed())
    page.write("Query", 'mutation { createPost(input: { status: ')
    page.keys("CONTROL+ ")
    page.wait(lambda: "DRAFT" in page.css(".completions").text and "PUBLISHED" in page.css(".completions").text)


def test_fields_are_ticked_in_and_out_of_the_query(page):
    page.open("#explorer")
    ready(page)
    page.write("Query", "")
    press_row(page, "getPost", ".box")
    page.wait(lambda: "query GetPost($id: ID!)" in query(page) and '"id"' in page.field("Variables").get_attribute("value"))
    press_row(page, "getPost", ".label")
    press_row(page, "comments", ".box")
    page.wait(lambda: "comments {" in query(page) and "items {" in query(page))
    assert "Post.comments" in page.css(".docs .about").text
    # By keys: Space takes it out again.
    page.run("document.querySelector('.tree').focus()")
    page.keys("SPACE")
    page.wait(lambda: "comments" not in query(page))


def test_the_schema_is_searched(page):
    page.open("#explorer")
    ready(page)
    page.type("Search the schema", "poststatus")
    page.wait(lambda: tree_row(page, "PostStatus"))
    page.wait(lambda: not tree_row(page, "createComment"))


def test_a_denial_is_explained_and_one_click_makes_it_right(page):
    key = make(page, "Mine")
    page.open(f"#explorer?as={page.encoded('~made:' + '{' + chr(34) + 'username' + chr(34) + ':' + chr(34) + 'bob' + chr(34) + '}')}")
    ready(page)
    page.write("Query", "mutation Change($input: UpdatePostInput!) { updatePost(input: $input) { id title content status } }")
    page.write("Variables", f'{{"input": {{"id": "{key}", "title": "Yours"}}}}')
    page.press("Run ▸")
    page.wait(lambda: "was denied for bob" in result(page))
    text = page.css(".denial").text
    assert "allow: owner" in text and "schema/blog.graphql:" in text and "no" in text, text
    page.screenshot("explorer-denial")
    assert page.problems() == [], page.problems()
    page.run("arguments[0].click()", page.wait(lambda: page.all(".denial button.who")[0]))
    page.wait(lambda: "bob" not in page.css(".who-button").text)
    page.press("Run ▸")
    page.wait(lambda: "was denied" not in result(page) and "Yours" in result(page))


def test_a_denial_names_the_owner_of_the_record(page):
    page.api("POST", "/change", {"model": "Boat", "operation": "create", "input": {"id": "owned", "name": "Argo", "owner": "jason"}})
    page.open("#explorer?as=" + page.encoded('~made:{"username":"bob"}'))
    ready(page)
    page.write("Query", 'mutation { deleteBoat(input: {id: "owned"}) { id } }')
    page.press("Run ▸")
    page.wait(lambda: "was denied for bob" in result(page))
    assert "jason (owner, " in page.css(".denial footer").text, page.css(".denial").text
    button = next(each for each in page.all(".denial button.who") if "jason" in each.text)
    page.run("arguments[0].click()", button)
    page.wait(lambda: "jason" in page.css(".who-button").text)
    page.press("Run ▸")
    page.wait(lambda: "was denied" not in result(page) and "owned" in result(page))


def test_a_hidden_field_is_told_at_the_field(page):
    page.api("POST", "/change", {"model": "Boat", "operation": "create", "input": {"name": "Argo", "secret": "gold", "owner": "ann"}})
    page.open("#explorer?as=" + page.encoded('~made:{"username":"bob"}'))
    ready(page)
    page.write("Query", "{ listBoats(limit: 1) { items { name secret } } }")
    page.press("Run ▸")
    page.wait(lambda: "hidden from bob" in page.css(".json").text and "Boat.secret was denied for bob" in result(page))
    assert "gold" not in result(page)
    page.screenshot("explorer-partial")


def test_variables_are_checked_before_anything_is_sent(page):
    page.open("#explorer")
    ready(page)
    page.write("Query", "query One($id: ID!) { getPost(id: $id) { id } }")
    page.write("Variables", '{"id": ')
    page.press("Run ▸")
    page.wait(lambda: "This is not JSON" in page.css(".edit").text)
    assert page.focused().get_attribute("aria-label") == "Variables"


def test_of_several_operations_one_is_chosen(page):
    make(page)
    page.open("#explorer")
    ready(page)
    page.write("Query", "query Posts { listPosts { items { id } } }\nquery Comments { listComments { items { id } } }")
    page.wait(lambda: page.field("Operation"))
    page.run("arguments[0].value = 'Comments'; arguments[0].dispatchEvent(new Event('change'))", page.field("Operation"))
    page.press("Run ▸")
    page.wait(lambda: "listComments" in result(page))


def test_a_query_is_laid_out(page):
    page.open("#explorer")
    ready(page)
    page.write("Query", "# what there is\nquery A{listPosts(limit:2){items{id title}}}")
    page.press("Prettify")
    page.wait(lambda: query(page) == "# what there is\nquery A {\n  listPosts(limit: 2) {\n    items {\n      id\n      title\n    }\n  }\n}\n")
    page.field("Query").click()
    page.keys("CONTROL+z")
    page.wait(lambda: "query A{" in query(page))


def test_tabs_keep_what_was_typed_over_a_reload(page):
    page.open("#explorer")
    ready(page)
    page.write("Query", "query First { listPosts { items { id } } }")
    page.wait(lambda: "First" in page.css(".edit .tabs").text)
    page.press("New tab")
    page.write("Query", "query Second { listUsers { items { id } } }")
    page.write("Variables", '{"a": 1}')
    page.wait(lambda: "Second" in page.css(".edit .tabs").text)
    page.reload()
    ready(page)
    page.wait(lambda: "Second" in query(page) and "First" in page.css(".edit .tabs").text)
    assert page.field("Variables").get_attribute("value") == '{"a": 1}'
    page.press("First")
    page.wait(lambda: "First" in query(page))
    page.press("Close Second")
    page.wait(lambda: "Second" not in page.css(".edit .tabs").text)


def test_history_is_searched_and_opened(page):
    page.open("#explorer")
    ready(page)
    page.write("Query", "query Remembered { listUsers { items { id } } }")
    page.keys("CONTROL+ENTER")
    page.wait(lambda: "listUsers" in result(page))
    page.write("Query", "query Another { listPosts { items { id } } }")
    page.press("History")
    page.wait(lambda: page.focused().get_attribute("role") == "combobox")
    page.keys("remembered")
    page.wait(lambda: page.css("dialog [role=option]").text.startswith("Remembered"))
    page.keys("ENTER")
    page.wait(lambda: "Remembered" in query(page))


def test_it_is_copied_for_others_without_credentials(page):
    page.open("#explorer?as=~key")
    ready(page)
    page.run("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }")
    page.write("Query", "query It($id: ID!) { getPost(id: $id) { title } }")
    page.write("Variables", '{"id": "it\'s"}')
    for name, wants in [("curl", ["curl 'http", "x-api-key: $API_KEY", "getPost"]), ("Swift", ["GraphQLRequest<JSONValue>", "Amplify.API.query", ".apiKey"]), ("TypeScript", ["generateClient", 'authMode: "apiKey"', "getPost"])]:
        page.run("window.copied = null")
        page.press("Copy as ▾")
        page.press(name, ".menu")
        copied = page.wait(lambda: page.run("return window.copied"))
        for want in wants:
            assert want in copied, copied
        assert "da2-" not in copied
    page.press("Copy as ▾")
    page.press("A link to this query", ".menu")
    link = page.wait(lambda: (lambda text: text if text.startswith("http") else None)(page.run("return window.copied")))
    page.fresh()
    page.open(link.split("/", 3)[3])
    ready(page)
    page.wait(lambda: "query It" in query(page))


def test_a_long_answer_is_folded_and_searched(page):
    for number in range(40):
        make(page, f"Long {number}")
    page.open("#explorer?as=~admin")
    ready(page)
    page.write("Query", "{ listPosts(limit: 500) { items { id title content status author tags createdAt updatedAt } } }")
    page.keys("CONTROL+ENTER")
    page.wait(lambda: "fields }" in result(page))
    page.type("Search in Answer", "Long 37")
    page.wait(lambda: "1 of 1" in result(page) and page.all(".json .hit mark"))


def test_a_subscription_runs_beside_queries(page):
    page.open("#explorer?as=~key")
    ready(page)
    page.write("Query", "subscription Watch { onCreatePost { id title } }")
    page.keys("CONTROL+ENTER")
    page.wait(lambda: "listening" in result(page))
    make(page, "An event " + MARKUP)
    page.wait(lambda: "An event" in result(page) and "1 event" in result(page))
    page.screenshot("explorer-subscription")
    page.press("New tab")
    page.write("Query", "{ listPosts(limit: 1) { items { id } } }")
    page.keys("CONTROL+ENTER")
    page.wait(lambda: "listPosts" in result(page) and "Watch" in page.css(".streams").text)
    make(page, "Another event")
    page.wait(lambda: "Another event" in page.css(".streams").text)
    page.keys("g", "l") if False else page.press("Stop", ".streams")
    page.wait(lambda: not page.css(".streams").is_displayed())


def test_markup_in_queries_answers_and_errors_is_text(page):
    key = make(page, MARKUP)
    page.open("#explorer?as=~admin")
    ready(page)
    page.write("Query", f'{{ getPost(id: "{key}") {{ title }} }}')
    page.keys("CONTROL+ENTER")
    page.wait(lambda: "<script>" in result(page))
    page.write("Query", f'{{ getPost(id: "{MARKUP.replace(chr(34), chr(92) + chr(34))}") {{ id }} }} # {MARKUP}')
    page.keys("CONTROL+ENTER")
    page.wait(lambda: '"getPost": null' in result(page))
    page.write("Query", "{ " + MARKUP + " }")
    page.keys("CONTROL+ENTER")
    page.wait(lambda: page.css(".problem-line").text)
    assert page.run("return document.querySelectorAll('main img, main script').length") == 0


def test_pictures_and_rules_of_the_explorer(page):
    page.open("#explorer")
    ready(page)
    page.write("Query", "query Posts($filter: ModelPostFilterInput) {\n  # the newest ones\n  listPosts(filter: $filter, limit: 20) {\n    items { id title author status comments { items { content } } }\n    nextToken\n  }\n}\n")
    page.write("Variables", '{\n  "filter": { "status": { "eq": "PUBLISHED" } }\n}')
    make(page, "Tides and other clocks")
    page.press("Run ▸")
    page.wait(lambda: "rows read" in result(page) or "row read" in result(page))
    page.screenshot("explorer")
    assert page.problems() == [], page.problems()
    page.press("What happened")
    page.wait(lambda: "SELECT" in result(page))
    page.screenshot("explorer-happened")
    assert page.problems() == [], page.problems()
