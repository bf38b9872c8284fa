"""Tables as others write and read them: boto3 makes the items that move in, and reads those that move out."""
import decimal
import gzip
import json
import os
import subprocess
import tempfile

from boto3.dynamodb.types import TypeDeserializer, TypeSerializer

TABLE = "Todo-abcdefghijklmnopqrstuvwxyz-dev"
SCHEMA = """
type Todo @model @auth(rules: [{allow: public}]) {
  id: ID! name: String done: Boolean rank: Int share: Float tags: [String] meta: AWSJSON note: String
}
"""
ITEMS = [
    {
        "id": f"t{number}", "__typename": "Todo", "name": f'{number}: "quotes", \\ and \n, Köln, 🙂', "done": number % 2 == 0,
        "rank": decimal.Decimal(number - 5), "share": decimal.Decimal(number) / 8, "tags": ["a", None, f"ü{number}"],
        "meta": {"x": decimal.Decimal("1.5"), "deep": {"list": [decimal.Decimal(1), "2", None, True, {}]}}, "note": None,
        "createdAt": "2026-01-02T03:04:05.678Z", "updatedAt": "2026-01-02T03:04:05.678Z",
    }
    for number in range(12)
]


def check_moving(checks, server):
    serialize, deserialize = TypeSerializer().serialize, TypeDeserializer().deserialize
    typed = [{name: serialize(value) for name, value in item.items()} for item in ITEMS]
    with tempfile.TemporaryDirectory() as folder:
        def run(*words):
            done = subprocess.run([server.program, *words], cwd=folder, capture_output=True, text=True, timeout=60)
            checks.that(f"homeport {words[0]}", done.returncode == 0, done.stdout + done.stderr)

        with open(os.path.join(folder, "schema.graphql"), "w") as file:
            file.write(SCHEMA)
        # A scan as the API answers it, in pages.
        for page, start in enumerate(range(0, len(typed), 5)):
            items = typed[start:start + 5]
            content = {"Items": items, "Count": len(items), "ScannedCount": len(items)}
            if start + 5 < len(typed):
                content["LastEvaluatedKey"] = {"id": items[-1]["id"]}
            os.makedirs(os.path.join(folder, "scan"), exist_ok=True)
            with open(os.path.join(folder, "scan", f"{TABLE}.{page}.json"), "w") as file:
                json.dump(content, file, indent=4)
        run("move-in", "--tables", "scan", "--data", "data")
        run("move-out", "away", "--data", "data")
        path = os.path.join(folder, "away", "tables", "Todo", "data", "items.json.gz")
        with gzip.open(path, "rt", encoding="utf-8") as file:
            found = [
                {name: deserialize(value) for name, value in json.loads(line)["Item"].items()} for line in file]
        order = lambda item: item["id"]
        checks.that("boto3 reads what moves out as it was", sorted(found, key=order) == sorted(ITEMS, key=order), found[:1])
