"""The pytest plugin of the wheel, as an app's tests use it. Run by scripts/packages-check."""

import os
import subprocess

import homeport as kit
import pytest

CREATE = "mutation Create($name: String!) { createTodo(input: {name: $name}) { id } }"
LIST = "{ listTodos { items { name } } }"


def names(backend, **options):
    return sorted(item["name"] for item in backend.graphql(LIST, **options)["listTodos"]["items"])


@pytest.mark.parametrize("name", ["a", "b"])
def test_each_test_has_a_world_of_its_own(homeport, name):
    assert names(homeport) == ["seeded"]
    homeport.graphql(CREATE, {"name": name})
    assert names(homeport) == sorted(["seeded", name])


def test_the_environment_leads_to_the_world(homeport):
    assert os.environ["AWS_ENDPOINT_URL"] == homeport.url == os.environ["HOMEPORT_URL"]
    homeport.graphql(CREATE, {"name": "exported"})
    outcome = subprocess.run([kit.find_program(), "export"], capture_output=True, text=True, check=True)
    assert "exported" in outcome.stdout
    assert homeport.outputs["data"]["url"] == homeport.graphql_url


def test_the_server_does_not_see_what_its_worlds_do(homeport, homeport_server):
    homeport.graphql(CREATE, {"name": "mine"})
    assert names(homeport_server) == ["seeded"]
    with homeport_server.world("second") as second:
        assert names(second) == ["seeded"]
    with pytest.raises(kit.HomeportError):
        names(second)


def test_data_goes_back(homeport):
    homeport.snapshot("one")
    homeport.graphql(CREATE, {"name": "two"})
    homeport.restore("one")
    assert names(homeport) == ["seeded"]
    assert homeport.seed([{"type": "Todo", "record": {"id": "x", "name": "x"}}])["imported"] == 1
    homeport.reset()
    assert names(homeport) == ["seeded"]


def test_a_token_is_good_in_its_world_alone(homeport, homeport_server):
    token = homeport.token("ann")
    assert names(homeport, token=token) == ["seeded"]
    assert "not authorized" in homeport_server.graphql(LIST, token=token, check=False)["message"]


def test_faults_time_messages_and_requests(homeport):
    homeport.add_faults({"match": {"field": "listTodos"}, "on": 1, "throttle": True})
    with pytest.raises(kit.HomeportError):
        names(homeport)
    assert names(homeport) == ["seeded"]
    homeport.clear_faults()
    homeport.set_time("2031-01-01T00:00:00Z")
    created = homeport.graphql('mutation { createTodo(input: {name: "t"}) { createdAt } }')["createTodo"]["createdAt"]
    assert created.startswith("2031-01-01")
    homeport.move_time(1000)
    homeport.reset_time()
    assert homeport.messages("nobody@example.com") == []
    assert [request["status"] for request in homeport.requests() if request.get("fields") == ["listTodos"]] == [429, 200]


def test_a_schema_that_is_wrong_is_said(tmp_path):
    (tmp_path / "schema.graphql").write_text("type Todo @model {")
    with pytest.raises(kit.HomeportError, match="before it served"):
        kit.start(cwd=tmp_path)
