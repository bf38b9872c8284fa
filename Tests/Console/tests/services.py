"""Functions and services: lists, calls, output, a call of one's own; queues, workflows, events and tables in the same form."""
import os
import sys
import tempfile

FLOW = '{"StartAt": "A", "States": {"A": {"Type": "Pass", "Result": {"done": true}, "End": true}}}'
PROGRAM = """
import json, os, urllib.request
base = "http://" + os.environ["AWS_LAMBDA_RUNTIME_API"] + "/2018-06-01/runtime/invocation/"
while True:
    with urllib.request.urlopen(base + "next") as answer:
        name, event = answer.headers["Lambda-Runtime-Aws-Request-Id"], json.load(answer)
    print("an event came", flush=True)
    failed = event.get("fail")
    body = {"errorType": "Wanted", "errorMessage": "it fails"} if failed else {"said": event.get("say")}
    urllib.request.urlopen(urllib.request.Request(base + name + ("/error" if failed else "/response"), json.dumps(body).encode(), method="POST")).read()
"""


def served(page, run):
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "function.py")
        with open(program, "w") as file:
            file.write(PROGRAM)
        server = page.start(page.program, os.path.join(folder, "services"), os.environ.get("HOMEPORT_CONSOLE_PAGE"), settings={
            "queues": {"jobs": {}}, "stateMachines": {"checkout": {"text": FLOW}},
            "events": {"rules": {"paid": {"pattern": '{"source": ["till"]}', "targets": [{"queue": "jobs"}]}}},
            "functions": {"say-hello": {"command": [sys.executable, program], "timeout": 20}},
        })
        before, page.url, page.csrf = page.url, server.url, None
        try:
            run(page)
        finally:
            page.url, page.csrf = before, None
            page.browser.open("about:blank")
            server.close()


def test_a_function_is_called_and_its_calls_and_lines_are_shown(page):
    def run(page):
        page.open("#functions")
        page.wait(lambda: "say-hello" in page.css("tr[data-index]").text)
        page.wait(lambda: page.css("tr[data-index] td").click() is None and page.address().startswith("#functions/say-hello"))
        page.wait(lambda: page.field("Event"))
        page.write("Event", '{"say": "<b>hi</b>"}')
        page.press("Invoke")
        page.wait(lambda: '"said": "<b>hi</b>"' in page.css(".result").text)
        page.wait(lambda: page.all(".call") and "an event came" in page.css(".lines").text)
        page.write("Event", '{"fail": true}')
        page.press("Invoke")
        page.wait(lambda: any("Wanted: it fails" in text for text in page.texts(".call")))
        page.wait(lambda: "1" in page.css("tr[data-index] .chip.no").text)
        page.write("Event", "{")
        page.press("Invoke")
        page.wait(lambda: "The event is no JSON" in page.css(".side form").text)
        page.screenshot("functions")
        assert page.problems() == [], page.problems()
    served(page, run)


def test_queues_workflows_events_and_tables_have_the_same_form(page):
    def run(page):
        page.open("#services/queues/jobs")
        page.wait(lambda: page.field("Message"))
        page.write("Message", '{"job": 1}')
        page.press("Send message")
        page.wait(lambda: "1" in page.texts("tr[data-index] td")[1])
        page.screenshot("services-queues")
        assert page.problems() == [], page.problems()
        page.go("#services/events/default")
        page.wait(lambda: page.field("Source"))
        page.write("Source", "till")
        page.press("Send event")
        page.wait(lambda: "is on default" in page.css("#toasts").text)
        page.screenshot("services-events")
        page.go("#services/queues/jobs")
        page.wait(lambda: "2" in page.texts("tr[data-index] td")[1])
        page.go("#services/workflows/checkout")
        page.wait(lambda: page.field("Input"))
        page.press("Start execution")
        page.wait(lambda: page.all(".run"))
        page.wait(lambda: page.css(".run summary").click() is None and "done" in page.css(".run").text)
        page.screenshot("services-workflows")
        assert page.problems() == [], page.problems()
        page.api("POST", "/change", {"model": "User", "operation": "create", "input": {"name": "Ursula"}})
        name = next(name for name in page.api("POST", "/services/tables/ListTables", {})["TableNames"] if name.startswith("User"))
        page.go(f"#services/tables/{name}")
        page.wait(lambda: "Ursula" in page.css(".side").text)
        page.screenshot("services-tables")
        assert page.problems() == [], page.problems()
    served(page, run)


def test_a_project_without_them_has_no_entry_in_the_rail(page):
    page.open("#explorer")
    page.wait(lambda: page.all("#rail a"))
    shown = "return [...document.querySelectorAll('#rail a')].filter((node) => node.checkVisibility()).map((node) => node.textContent)"
    page.wait(lambda: any("Schema" in text for text in page.run(shown)))
    assert not any("Functions" in text or "Services" in text for text in page.run(shown)), page.run(shown)
