"""Python's gql against a Homeport program: every mode and protocol that it speaks, from a mutation to its event.

    pip install 'gql[websockets,aiohttp,botocore]' pyjwt cryptography
    python Tests/Clients/python-gql.py .build/release/homeport

Not a part of `swift test`, since it needs packages from outside. Prints a line for each check; ends with 0 when all are good.
"""
import asyncio
import base64
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

import jwt
from botocore.credentials import Credentials
from cryptography.hazmat.primitives.asymmetric import rsa
from gql import Client, gql
from gql.transport.aiohttp import AIOHTTPTransport
from gql.transport.appsync_auth import AppSyncApiKeyAuthentication, AppSyncIAMAuthentication, AppSyncJWTAuthentication
from gql.transport.appsync_websockets import AppSyncWebsocketsTransport
from gql.transport.websockets import WebsocketsTransport

SCHEMA = """
type Note @model @auth(rules: [{allow: public}, {allow: private}, {allow: private, provider: iam}]) { id: ID! text: String! }
type Diary @model @auth(rules: [{allow: owner}]) { id: ID! text: String! owner: String }
"""
ISSUER = "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_Check0001"
KEY = {"x-api-key": "da2-checkcheckcheckcheckcheck"}
ACCESS_KEY = ("ASIACHECK", "secret")
PATIENCE = 5


class Server:
    def __init__(self, program):
        self.program = os.path.abspath(program)
        self.folder = tempfile.TemporaryDirectory()
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.port = listener.getsockname()[1]
        self.host = f"127.0.0.1:{self.port}"
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.write("schema.graphql", SCHEMA)
        self.write("jwks.json", json.dumps({"keys": [self.public_key()]}))
        self.write("config.json", json.dumps(self.configuration()))
        self.start()

    def write(self, name, text):
        with open(os.path.join(self.folder.name, name), "w") as file:
            file.write(text)

    def public_key(self):
        numbers = self.key.public_key().public_numbers()

        def text(number):
            return base64.urlsafe_b64encode(number.to_bytes((number.bit_length() + 7) // 8, "big")).rstrip(b"=").decode()

        return {"kty": "RSA", "alg": "RS256", "use": "sig", "kid": "k", "n": text(numbers.n), "e": text(numbers.e)}

    def configuration(self):
        return {
            "schema": "schema.graphql", "host": "127.0.0.1", "port": self.port, "database": "data.sqlite",
            "auth": {
                "default": "API_KEY", "additional": ["AMAZON_COGNITO_USER_POOLS", "AWS_IAM"],
                "apiKeys": [{"key": KEY["x-api-key"]}],
                "userPools": {"issuer": ISSUER, "jwks": "jwks.json", "clientIds": ["client"]},
                "iam": {"credentials": [{
                    "accessKeyId": ACCESS_KEY[0], "secretAccessKey": ACCESS_KEY[1], "role": "auth",
                    "identityId": "us-east-1:00000000-0000-4000-8000-000000000000"}]},
            },
        }

    def start(self):
        with open(os.path.join(self.folder.name, "log"), "a") as log:
            self.process = subprocess.Popen(
                [self.program, "serve", "--config", "config.json"], cwd=self.folder.name, stdout=subprocess.DEVNULL, stderr=log)
        while self.process.poll() is None:
            try:
                return socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                time.sleep(0.02)
        raise SystemExit(f"the server ended with {self.process.returncode}")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(20)

    def token(self, name, seconds=3600, use="id"):
        now = int(time.time())
        claims = {
            "sub": f"sub-{name}", "iss": ISSUER, "aud": "client", "client_id": "client", "token_use": use, "username": name,
            "cognito:username": name, "iat": now, "auth_time": now, "exp": now + seconds}
        return jwt.encode(claims, self.key, "RS256", {"kid": "k"})

    # What clients are made of.

    def appsync(self, auth):
        return AppSyncWebsocketsTransport(url=f"ws://{self.host}/graphql", auth=auth)

    def general(self, protocol=None, **options):
        protocols = [protocol] if protocol else None
        return WebsocketsTransport(f"ws://{self.host}/graphql", subprotocols=protocols, **options)

    def by_key(self, key=KEY["x-api-key"]):
        return AppSyncApiKeyAuthentication(host=self.host, api_key=key)

    def by_token(self, *arguments, **options):
        return AppSyncJWTAuthentication(host=self.host, jwt=self.token(*arguments, **options))

    def by_signature(self, secret=ACCESS_KEY[1]):
        return AppSyncIAMAuthentication(
            host=self.host, region_name="us-east-1", credentials=Credentials(ACCESS_KEY[0], secret))

    async def create(self, model, text, headers):
        async with Client(transport=AIOHTTPTransport(f"http://{self.host}/graphql", headers=headers)) as session:
            owner = "owner" if model == "Diary" else ""
            await session.execute(gql(f'mutation {{ create{model}(input: {{ text: "{text}" }}) {{ id text {owner} }} }}'))


def good(what, *more):
    print("ok  ", what, *more, flush=True)


async def listen(session, model, received):
    async for result in session.subscribe(gql(f"subscription {{ onCreate{model} {{ id text }} }}")):
        await received.put(result[f"onCreate{model}"]["text"])


async def creates_until_received(server, model, text, headers, received):
    """A client does not say when its subscription runs: creates until it does."""
    end = time.monotonic() + 4 * PATIENCE
    while time.monotonic() < end:
        await server.create(model, text, headers)
        try:
            assert await asyncio.wait_for(received.get(), 0.2) == text
            await asyncio.sleep(0.1)
            while not received.empty():
                assert received.get_nowait() == text
            return
        except asyncio.TimeoutError:
            continue
    raise SystemExit(f"{text}: nothing was received")


async def cancelled(task):
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def check_receives(server, name, transport, model="Note", headers=KEY):
    async with Client(transport=transport) as session:
        received = asyncio.Queue()
        task = asyncio.create_task(listen(session, model, received))
        waiting = asyncio.create_task(creates_until_received(server, model, name, headers, received))
        await asyncio.wait([task, waiting], return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            task.result()
        await waiting
        await cancelled(task)
    good(name)


async def check_refused(name, transport):
    try:
        async with Client(transport=transport) as session:
            await asyncio.wait_for(listen(session, "Note", asyncio.Queue()), PATIENCE)
    except asyncio.TimeoutError:
        raise SystemExit(f"{name}: let in") from None
    except Exception as error:
        good(f"{name} is refused:", str(error)[:100])


async def check_expiry(server):
    began = time.monotonic()
    try:
        async with Client(transport=server.appsync(server.by_token("alice", 3))) as session:
            await asyncio.wait_for(listen(session, "Note", asyncio.Queue()), 2 * PATIENCE)
    except asyncio.TimeoutError:
        raise SystemExit("a token that runs out ends nothing") from None
    except Exception as error:
        assert time.monotonic() - began > 1
        good("a token that runs out ends its subscription:", str(error)[:100])


async def check_restart(server):
    client = Client(transport=server.appsync(server.by_key()))
    session = await client.connect_async(reconnecting=True)
    received, interruptions = asyncio.Queue(), []

    async def listen_again():
        while True:
            try:
                await listen(session, "Note", received)
            except Exception as error:
                interruptions.append(error)
                await asyncio.sleep(0.1)

    task = asyncio.create_task(listen_again())
    await creates_until_received(server, "Note", "before a restart", KEY, received)
    code = await asyncio.to_thread(server.stop)
    assert code == 0, code
    await asyncio.to_thread(server.start)
    await creates_until_received(server, "Note", "after a restart", KEY, received)
    assert interruptions
    await cancelled(task)
    await client.close_async()
    good("a client survives a restart of the server with its own reconnect")


async def check_query(server):
    async with Client(transport=server.general("graphql-transport-ws", headers=KEY)) as session:
        result = await session.execute(gql("{ listNotes { items { text } } }"))
        assert result["listNotes"]["items"]
    good("a query over graphql-transport-ws")


async def main(program):
    server = Server(program)
    try:
        await check_receives(server, "AppSync, API key", server.appsync(server.by_key()))
        await check_receives(server, "AppSync, ID token", server.appsync(server.by_token("alice")))
        await check_receives(
            server, "AppSync, access token and owner rule", server.appsync(server.by_token("alice", use="access")), "Diary",
            {"authorization": server.token("alice", use="access")})
        await check_receives(server, "AppSync, IAM", server.appsync(server.by_signature()))
        await check_receives(server, "graphql-transport-ws, header", server.general("graphql-transport-ws", headers=KEY))
        await check_receives(
            server, "graphql-transport-ws, connection_init", server.general("graphql-transport-ws", init_payload=KEY))
        await check_receives(server, "subscriptions-transport-ws", server.general("graphql-ws", headers=KEY))
        await check_receives(
            server, "the protocol of gql's choice", server.general(headers={"Authorization": server.token("bob")}))
        await check_refused("a wrong key", server.appsync(server.by_key("da2-wrong")))
        await check_refused("a wrong secret", server.appsync(server.by_signature("wrong")))
        await check_refused("an expired token", server.appsync(server.by_token("alice", -10)))
        await check_refused(
            "a wrong key of graphql-transport-ws", server.general("graphql-transport-ws", headers={"x-api-key": "wrong"}))
        await check_query(server)
        await check_expiry(server)
        await check_restart(server)
    finally:
        if server.process.poll() is None:
            server.stop()


asyncio.run(main(sys.argv[1]))
