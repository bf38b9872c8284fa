"""Schema: the diagram, the text beside it, the API, warnings."""


def card(page, name):
    return page.run("return document.querySelector(`.card[data-model='${arguments[0]}']`)", name)


def test_models_are_cards_and_relations_lines(page):
    page.open("#schema")
    page.wait(lambda: card(page, "Post") and card(page, "Comment"))
    assert page.run("return [...document.querySelectorAll('.line title')].some((title) => title.textContent.includes('Post.comments') && title.textContent.includes('one to many Comment'))")
    overlaps = page.run("""
        const boxes = [...document.querySelectorAll('.card')].map((card) => card.getBoundingClientRect());
        return boxes.some((a, i) => boxes.some((b, j) => i < j && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));""")
    assert not overlaps


def test_a_card_shows_its_source_and_its_rules(page):
    page.open("#schema")
    page.wait(lambda: card(page, "Comment"))
    page.run("arguments[0].dispatchEvent(new MouseEvent('click', { bubbles: true }))", card(page, "Comment"))
    page.wait(lambda: page.address().startswith("#schema/types/Comment") and "type Comment" in page.css(".text-view .marked").text)
    assert "allow: owner" in page.css(".about-model").text
    page.screenshot("schema-model")
    assert page.problems() == [], page.problems()


def test_cards_are_reached_by_keys(page):
    page.open("#schema")
    page.wait(lambda: card(page, "Post"))
    page.run("document.querySelector('.card[tabindex=\"0\"]').focus()")
    first = page.focused().get_attribute("aria-label")
    page.keys("ARROW_RIGHT")
    page.wait(lambda: page.focused().get_attribute("aria-label") != first)
    page.keys("ENTER")
    page.wait(lambda: page.address().startswith("#schema/types/"))


def test_it_is_zoomed_and_fitted(page):
    page.open("#schema")
    page.wait(lambda: card(page, "Post"))
    page.press("Larger")
    page.wait(lambda: "125 %" in page.css(".bar").text)
    page.press("Fit")
    page.wait(lambda: "125 %" not in page.css(".bar").text)
    assert page.run("const node = document.querySelector('.diagram'); return node.scrollWidth <= node.clientWidth + 1")


def test_the_api_and_the_warnings_stand_beside(page):
    page.open("#schema/api")
    page.wait(lambda: "type Post" in page.css(".beside").text)
    page.open("#schema/warnings")
    page.wait(lambda: "arnings" in page.css(".beside").text)
    page.open("#schema/text/schema%2Fblog.graphql?line=9")
    page.wait(lambda: page.css(".text-view .marked").text.startswith("9"))


def test_pictures_and_rules_of_the_schema(page):
    page.open("#schema")
    page.wait(lambda: card(page, "Post"))
    page.screenshot("schema")
    assert page.problems() == [], page.problems()
