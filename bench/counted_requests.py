"""The requests that `bench/instructions` counts, and the server that answers them."""
import base64
import datetime
import hashlib
import hmac
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import socket
import struct

FOLDER = pathlib.Path(__file__).resolve().parent
HOST, REGION = "127.0.0.1", "us-east-1"
ACCESS_KEY, SECRET = "local", "local"
PATIENCE_SECONDS = 60
POSTS = 250
SUBSCRIBERS = 1000
USER, PASSWORD, CLIENT_NUMBER = "ann", "Str0ng!Passw0rd", 0x5EED << 200 | 1


def module(name):
    """Another program of this folder."""
    loader = importlib.machinery.SourceFileLoader(name, str(FOLDER / name))
    made = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(made)
    return made


models = module("models")
N = module("existence.py").N

SCHEMA = models.SCHEMA + """
type Note @model @auth(rules: [{ allow: public }]) {
  id: ID!
  text: String
}
"""
CONFIGURATION = {
    "schema": "schema.graphql", "host": HOST, "port": 0, "data": "data", "eventLoops": 1, "watch": False, "queues": {"jobs": {}},
    "auth": {
        "default": "API_KEY", "additional": ["AMAZON_COGNITO_USER_POOLS"], "apiKeys": [{"key": models.KEY}],
        "iam": {"credentials": [{"accessKeyId": ACCESS_KEY, "secretAccessKey": SECRET, "role": "admin"}]}},
    "files": {"buckets": [{"name": "bench", "bucketName": "bench", "paths": {"media/*": {"guest": ["read"]}}}]},
}
LIST = (
    "query List($category: String!, $limit: Int) { postsByCategory(category: $category, limit: $limit, sortDirection: DESC) "
    "{ items { " + models.FIELDS + " %s} nextToken } }")
UPDATE = "mutation Update($input: UpdatePostInput!) { updatePost(input: $input) { " + models.FIELDS + " } }"
NOTE = "mutation Note($input: CreateNoteInput!) { createNote(input: $input) { id text } }"


def write_project(folder):
    """The project, its records and its user."""
    path = pathlib.Path(folder)
    (path / "schema.graphql").write_text(SCHEMA)
    (path / "config.json").write_text(json.dumps(CONFIGURATION))
    (path / "records.jsonl").write_text("".join(
        json.dumps({"type": model, "record": record}) + "\n" for model, record in models.records(POSTS)))


class Link:
    """A connection that is kept: a request is one write."""

    def __init__(self, port):
        self.port = port
        self.socket = socket.create_connection((HOST, port), PATIENCE_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.waiting = b""

    def ask(self, method, path, fields, body=b""):
        """The answer's body. Any other status than 200 ends the measurement."""
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in {"host": f"{HOST}:{self.port}", **fields}.items())]
        lines += [f"content-length: {len(body)}"] if method != "GET" else []
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode() + body)
        head = self.until(b"\r\n\r\n").decode()
        length = re.search(r"\r\ncontent-length: *(\d+)", head, re.IGNORECASE)
        answer = self.exactly(int(length[1])) if length else b""
        if " 200 " not in head.partition("\r\n")[0]:
            raise SystemExit(f"{method} {path} is answered: {head.splitlines()[0]} {answer[:400]!r}")
        return answer

    def until(self, mark):
        while mark not in self.waiting:
            self.more()
        found, _, self.waiting = self.waiting.partition(mark)
        return found

    def exactly(self, count):
        while len(self.waiting) < count:
            self.more()
        found, self.waiting = self.waiting[:count], self.waiting[count:]
        return found

    def more(self):
        bytes = self.socket.recv(1 << 16)
        if not bytes:
            raise SystemExit("the server closed a connection")
        self.waiting += bytes


def signature(scope, text):
    key = ("AWS4" + SECRET).encode()
    for part in scope.split("/"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def signed(service, method, path, fields, body):
    """The fields of a signed request. (Signature Version 4)"""
    moment = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    digest = hashlib.sha256(body).hexdigest()
    fields = {**fields, "x-amz-content-sha256": digest, "x-amz-date": moment}
    names = ";".join(sorted(fields))
    canonical = "\n".join([method, path, "", *(f"{name}:{fields[name]}" for name in sorted(fields)), "", names, digest])
    scope = f"{moment[:8]}/{REGION}/{service}/aws4_request"
    text = "\n".join(["AWS4-HMAC-SHA256", moment, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    return {**fields, "authorization":
            f"AWS4-HMAC-SHA256 Credential={ACCESS_KEY}/{scope}, SignedHeaders={names}, Signature={signature(scope, text)}"}


class Requests:
    """The rows of one server: each method sends the request of that number and checks its answer."""

    def __init__(self, port, names):
        self.port, self.names = port, names
        self.link = Link(port)
        self.subscribers = []

    def graphql(self, query, variables, expected):
        body = json.dumps({"query": query, "variables": variables}, separators=(",", ":")).encode()
        answer = self.link.ask("POST", "/graphql", models.HEADERS, body)
        if b'"errors"' in answer or answer.count(expected) < 1:
            raise SystemExit(f"an unexpected answer: {answer[:400]!r}")
        return json.loads(answer)["data"]

    def service(self, service, target, content, kind="application/x-amz-json-1.0"):
        body = json.dumps(content, separators=(",", ":")).encode()
        fields = {"host": f"{HOST}:{self.port}", "content-type": kind, "x-amz-target": target}
        return json.loads(self.link.ask("POST", "/", signed(service, "POST", "/", fields, body), body))

    def get(self, number):
        self.graphql(models.QUERIES["get"], {"id": models.identifier("8", number)}, b'"title"')

    def list(self, number):
        self.page(LIST % "", 100)

    def nested(self, number):
        self.page(LIST % models.COMMENT_LIST, 10)

    def page(self, query, limit):
        data = self.graphql(query, {"category": "category-000", "limit": limit}, b'"items"')
        if len(data["postsByCategory"]["items"]) != limit:
            raise SystemExit(f"a page of {limit} has {len(data['postsByCategory']['items'])} records")

    def create(self, number):
        self.graphql(models.QUERIES["create"], {"input": {
            "id": models.identifier("b", number), "title": "A post that somebody has just written", "rating": 5, "category": "category-new",
            "content": models.TEXT, "createdAt": "2026-11-23T10:00:00.000Z"}}, b'"createPost"')

    def update(self, number):
        self.graphql(UPDATE, {"input": {"id": models.identifier("8", 7), "title": f"The title number {number:06d}"}}, b'"updatePost"')

    def deliver(self, number):
        """A change that a thousand subscribers hear of."""
        self.graphql(NOTE, {"input": {"id": f"note-{number:06d}", "text": models.TEXT}}, b'"createNote"')
        for subscriber in self.subscribers:
            subscriber.hear(b'"next"')

    def prepare_deliver(self):
        self.subscribers = [Subscriber(self.port) for _ in range(SUBSCRIBERS)]

    def get_item(self, number):
        answer = self.service("dynamodb", "DynamoDB_20120810.GetItem", {
            "TableName": "Post-local-NONE", "Key": {"id": {"S": models.identifier("8", number)}}})
        if "Item" not in answer:
            raise SystemExit(f"GetItem answers {answer}")

    def put_item(self, number):
        moment = "2026-11-23T10:00:00.000Z"
        record = {
            "id": models.identifier("c", number), "title": "A post that somebody has just written", "category": "category-new",
            "content": models.TEXT, "createdAt": moment, "updatedAt": moment}
        self.service("dynamodb", "DynamoDB_20120810.PutItem", {
            "TableName": "Post-local-NONE", "Item": {"rating": {"N": "5"}, **{name: {"S": text} for name, text in record.items()}}})

    def send_message(self, number):
        self.service("sqs", "AmazonSQS.SendMessage", {
            "QueueUrl": f"http://{HOST}:{self.port}/123456789012/jobs", "MessageBody": f"message {number:06d} {models.TEXT}"})

    def prepare_get_file(self):
        body = bytes(range(250)) * 4
        fields = {"host": f"{HOST}:{self.port}"}
        self.link.ask("PUT", "/bench/media/file", signed("s3", "PUT", "/bench/media/file", fields, body), body)

    def get_file(self, number):
        fields = {"host": f"{HOST}:{self.port}"}
        answer = self.link.ask("GET", "/bench/media/file", signed("s3", "GET", "/bench/media/file", fields, b""))
        if len(answer) != 1000:
            raise SystemExit(f"a file of 1,000 bytes has {len(answer)}")

    def sign_in(self, number):
        """Both calls of a sign-in by password without sending it. (SRP, as Cognito has it)"""
        client = self.names["clientId"]
        challenge = self.pool("InitiateAuth", {
            "ClientId": client, "AuthFlow": "USER_SRP_AUTH",
            "AuthParameters": {"USERNAME": USER, "SRP_A": f"{pow(2, CLIENT_NUMBER, N):x}"}})["ChallengeParameters"]
        moment = datetime.datetime.now(datetime.timezone.utc).strftime("%a %b %-d %H:%M:%S UTC %Y")
        answer = self.pool("RespondToAuthChallenge", {
            "ClientId": client, "ChallengeName": "PASSWORD_VERIFIER", "ChallengeResponses": {
                "USERNAME": challenge["USER_ID_FOR_SRP"], "TIMESTAMP": moment,
                "PASSWORD_CLAIM_SECRET_BLOCK": challenge["SECRET_BLOCK"],
                "PASSWORD_CLAIM_SIGNATURE": claim(challenge, self.names["userPoolId"].split("_")[1], moment)}})
        if "AccessToken" not in answer["AuthenticationResult"]:
            raise SystemExit(f"a sign-in is answered {answer}")

    def pool(self, operation, content):
        fields = {
            "host": f"{HOST}:{self.port}", "content-type": "application/x-amz-json-1.1",
            "x-amz-target": f"AWSCognitoIdentityProviderService.{operation}"}
        return json.loads(self.link.ask("POST", "/", fields, json.dumps(content).encode()))


def padded(number):
    """The bytes of a number that is not negative, as Java writes it."""
    return number.to_bytes(number.bit_length() // 8 + 1, "big")


def digest(*parts):
    return int.from_bytes(hashlib.sha256(b"".join(parts)).digest(), "big")


def private_key(salt, pool, name):
    inner = hashlib.sha256(f"{pool}{name}:{PASSWORD}".encode()).digest()
    return digest(padded(salt), inner)


def user_line(pool):
    """The user as a line of `homeport users import`."""
    salt = 0x5A17 << 100 | 1
    verifier = pow(2, private_key(salt, pool, USER), N)
    return json.dumps({
        "username": USER, "status": "CONFIRMED", "srp": {"salt": padded(salt).hex(), "verifier": f"{verifier:0768x}"},
        "attributes": {"email": f"{USER}@example.com", "email_verified": "true"}})


def claim(challenge, pool, moment):
    """What proves that the client knows the password."""
    server, salt, name = int(challenge["SRP_B"], 16), int(challenge["SALT"], 16), challenge["USER_ID_FOR_SRP"]
    own = pow(2, CLIENT_NUMBER, N)
    scrambler, multiplier, key = digest(padded(own), padded(server)), digest(padded(N), padded(2)), private_key(salt, pool, name)
    shared = pow(server - multiplier * pow(2, key, N), CLIENT_NUMBER + scrambler * key, N)
    extracted = hmac.new(padded(scrambler), padded(shared), hashlib.sha256).digest()
    derived = hmac.new(extracted, b"Caldera Derived Key\x01", hashlib.sha256).digest()[:16]
    block = base64.b64decode(challenge["SECRET_BLOCK"])
    return base64.b64encode(hmac.new(derived, pool.encode() + name.encode() + block + moment.encode(), hashlib.sha256).digest()).decode()


class Subscriber:
    """A WebSocket with a subscription. (graphql-transport-ws)"""

    def __init__(self, port):
        self.link = Link(port)
        self.link.socket.sendall((
            f"GET /graphql HTTP/1.1\r\nhost: {HOST}:{port}\r\nupgrade: websocket\r\nconnection: Upgrade\r\n"
            "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n"
            "sec-websocket-protocol: graphql-transport-ws\r\n\r\n").encode())
        self.link.until(b"\r\n\r\n")
        self.send({"type": "connection_init", "payload": {"x-api-key": models.KEY}})
        self.hear(b'"connection_ack"')
        self.send({"id": "1", "type": "subscribe", "payload": {"query": "subscription { onCreateNote { id text } }"}})
        # Answered when the subscription before it is there.
        self.send({"type": "ping"})
        self.hear(b'"pong"')

    def send(self, content):
        data = json.dumps(content).encode()
        head = bytes([0x81, 0x80 | len(data)]) if len(data) < 126 else bytes([0x81, 0x80 | 126]) + struct.pack(">H", len(data))
        # A mask of zeros leaves the text as it is.
        self.link.socket.sendall(head + bytes(4) + data)

    def hear(self, mark):
        """Reads messages up to one of that kind."""
        message = b""
        while mark not in message:
            length = self.link.exactly(2)[1]
            if length >= 126:
                length = struct.unpack(">H", self.link.exactly(2))[0] if length == 126 else struct.unpack(">Q", self.link.exactly(8))[0]
            message = self.link.exactly(length)
            if b'"error"' in message:
                raise SystemExit(f"a subscription is answered {message[:400]!r}")
