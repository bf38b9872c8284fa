"""boto3, pycognito and PyJWT against a Homeport program: from a sign-up to tokens that others can verify, AWS's services, and tables that move.

    scripts/python-clients .build/debug/homeport

Prints what fails, and how many checks there were; ends with 0 when all are good.
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

import boto3
import jwt
import requests
from botocore.config import Config
from botocore.exceptions import ClientError
from pycognito.aws_srp import AWSSRP

from aws_services import check_services
from moving import check_moving
from service_models import check_models

PASSWORD = "Str0ng!Passw0rd"
ADMINISTRATOR = ("local", "local")
SIGN_INS = 24
PATIENCE = 60
SCHEMA = "type Note @model @auth(rules: [{allow: owner}]) { id: ID! text: String! }"


class Server:
    def __init__(self, program):
        self.program = os.path.abspath(program)
        self.folder = tempfile.TemporaryDirectory()
        configuration = {
            "schema": "schema.graphql", "port": 0,
            "auth": {
                "default": "AMAZON_COGNITO_USER_POOLS",
                "iam": {"credentials": [
                    {"accessKeyId": ADMINISTRATOR[0], "secretAccessKey": ADMINISTRATOR[1], "role": "admin"}]},
            },
            "functions": {"strict": True, "inside": {
                "handler": "inside.handler", "timeout": PATIENCE, "policy": POLICY,
                "environment": {"PYTHONPATH": os.pathsep.join(path for path in sys.path if "site-packages" in path)}}},
        }
        files = [("schema.graphql", SCHEMA), ("config.json", json.dumps(configuration)), ("inside.py", INSIDE)]
        for name, text in files:
            with open(os.path.join(self.folder.name, name), "w") as file:
                file.write(text)
        self.log = open(os.path.join(self.folder.name, "log"), "w")
        self.process = subprocess.Popen(
            [self.program, "serve", "--config", "config.json"], cwd=self.folder.name, stdout=subprocess.PIPE,
            stderr=self.log, text=True)
        # Ends what would wait for ever.
        self.alarm = threading.Timer(PATIENCE, self.process.kill)
        self.alarm.start()
        said = ""
        for line in self.process.stdout:
            said += line
            found = re.search(r"http://[^ /]*:(\d+)/", line)
            if found:
                self.url = f"http://127.0.0.1:{found.group(1)}"
                break
        else:
            raise SystemExit(f"the server did not start: {said}")
        with open(os.path.join(self.folder.name, ".homeport", "sign-in.json")) as file:
            names = json.load(file)
        self.pool, self.client, self.region = names["userPoolId"], names["clientId"], names["region"]

    def code(self, address):
        """The last code that was sent to an address."""
        return self.messages(address)[-1]["code"]

    def messages(self, address):
        """What was sent to an address."""
        said = subprocess.run(
            [self.program, "mail", "--json", "--config", "config.json", "--to", address], cwd=self.folder.name,
            capture_output=True, text=True, check=True, timeout=PATIENCE).stdout
        return [json.loads(line) for line in said.splitlines()]

    def stop(self):
        self.alarm.cancel()
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.log.close()
        self.folder.cleanup()
        return status


class Checks:
    def __init__(self):
        self.count = self.failures = 0

    def that(self, name, is_good, found=""):
        self.count += 1
        if not is_good:
            self.failures += 1
            print(f"python clients: FAILED: {name} {found}")

    def refused(self, name, code, call):
        try:
            self.that(name, False, f"was answered: {call()}")
        except ClientError as error:
            self.that(name, error.response["Error"]["Code"] == code, str(error))


def send_mails(checks, server, service):
    """What functions send: SES by both of its APIs, and SNS."""
    options = {"Destination": {"ToAddresses": ["eve@example.com"], "BccAddresses": ["hid@example.com"]}}
    words = {"Subject": {"Data": "Grüße"}, "Body": {"Text": {"Data": "one"}}}
    old, new, notices = [service(ADMINISTRATOR[1], name) for name in ("ses", "sesv2", "sns")]
    sent = old.send_email(Source="App <app@example.com>", Message=words, **options)
    checks.that("SES sends a mail", len(sent["MessageId"]) > 20, sent)
    new.send_email(FromEmailAddress="app@example.com", Content={"Simple": words}, **options)
    raw = b"From: app@example.com\nTo: eve@example.com\nSubject: raw\n\nthree"
    old.send_raw_email(RawMessage={"Data": raw})
    old.create_template(Template={"TemplateName": "hi", "SubjectPart": "Hi {{name}}", "TextPart": "four"})
    old.send_templated_email(
        Source="app@example.com", Template="hi", TemplateData='{"name": "Eve"}', Destination=options["Destination"])
    checks.that("templates are listed", [each["Name"] for each in old.list_templates()["TemplatesMetadata"]] == ["hi"])
    checks.refused("an address that is none", "InvalidParameterValue", lambda: old.send_email(
        Source="app", Message=words, **options))
    checks.refused("a template that is not there", "NotFoundException", lambda: new.get_email_template(TemplateName="x"))
    topic = notices.create_topic(Name="news")["TopicArn"]
    notices.subscribe(TopicArn=topic, Protocol="email", Endpoint="eve@example.com")
    notices.publish(TopicArn=topic, Message="five", Subject="News")
    notices.publish(PhoneNumber="+15550001111", Message="six")
    checks.refused("a topic that is not there", "NotFound", lambda: notices.publish(TopicArn=topic + "x", Message="m"))
    subjects = [each["subject"] for each in server.messages("eve@example.com")]
    checks.that("all of them are shown", subjects == ["Grüße", "Grüße", "raw", "Hi Eve", "News"], subjects)
    checks.that("the telephone's too", [each["body"] for each in server.messages("+15550001111")] == ["six"])


def call_services(checks, server, service):
    """Each service that functions have, with an administrator's credentials from outside."""
    secret = ADMINISTRATOR[1]
    items, queues, parameters, secrets, events, models, files = [
        service(secret, name)
        for name in ("dynamodb", "sqs", "ssm", "secretsmanager", "events", "bedrock-runtime", "s3")]
    items.create_table(
        TableName="Things", BillingMode="PAY_PER_REQUEST", KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}])
    items.put_item(TableName="Things", Item={"id": {"S": "a"}, "n": {"N": "1"}})
    found = items.get_item(TableName="Things", Key={"id": {"S": "a"}})["Item"]
    checks.that("DynamoDB", found == {"id": {"S": "a"}, "n": {"N": "1"}}, found)
    url = queues.create_queue(QueueName="jobs")["QueueUrl"]
    queues.send_message(QueueUrl=url, MessageBody="told")
    message = queues.receive_message(QueueUrl=url)["Messages"][0]
    queues.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
    checks.that("SQS", message["Body"] == "told", message)
    parameters.put_parameter(Name="/app/limit", Value="7", Type="String")
    checks.that("SSM", parameters.get_parameter(Name="/app/limit")["Parameter"]["Value"] == "7")
    secrets.create_secret(Name="key", SecretString="hidden")
    checks.that("Secrets Manager", secrets.get_secret_value(SecretId="key")["SecretString"] == "hidden")
    put = events.put_events(Entries=[{"Source": "app", "DetailType": "Ordered", "Detail": "{}"}])
    checks.that("EventBridge", put["FailedEntryCount"] == 0, put)
    said = models.converse(modelId="maker.model-v1:0", messages=[{"role": "user", "content": [{"text": "hi"}]}])
    checks.that("Bedrock", said["stopReason"] == "end_turn", said)
    bucket = files.list_buckets()["Buckets"][0]["Name"]
    files.put_object(Bucket=bucket, Key="a b/c.txt", Body=b"hello")
    read = files.get_object(Bucket=bucket, Key="a b/c.txt")["Body"].read()
    checks.that("S3", read == b"hello", read)
    # Without a word boto3 makes links by the signature before version 4, which nothing here takes.
    signing = boto3.client(
        "s3", endpoint_url=server.url, region_name=server.region, aws_access_key_id=ADMINISTRATOR[0],
        aws_secret_access_key=secret, config=Config(signature_version="s3v4"))
    link = signing.generate_presigned_url("get_object", Params={"Bucket": bucket, "Key": "a b/c.txt"}, ExpiresIn=60)
    checks.that("a link to a file", requests.get(link, timeout=PATIENCE).content == b"hello")


def call_by_http2(checks, server):
    """Bedrock's runtime as the AWS SDK for JavaScript calls it. Where Node is missing, nothing is tried, and a line says so."""
    node = shutil.which("node")
    if not node:
        print("python clients: skipped: calls by HTTP/2, since there is no node")
        return
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bedrock-http2.mjs")
    ran = subprocess.run([node, script, server.url, *ADMINISTRATOR], capture_output=True, text=True, timeout=PATIENCE)
    checks.that("Bedrock by HTTP/2", ran.returncode == 0, ran.stdout + ran.stderr)


INSIDE = """
import boto3
import os
from botocore.exceptions import ClientError


def handler(event, context):
    def code(call, **options):
        try:
            call(**options)
            return "done"
        except ClientError as error:
            return error.response["Error"]["Code"]

    items, queues, secrets = [boto3.client(name) for name in ("dynamodb", "sqs", "secretsmanager")]
    files, mails, notices = [boto3.client(name) for name in ("s3", "ses", "sns")]
    words = {"Subject": {"Data": "x"}, "Body": {"Text": {"Data": "x"}}}
    item = {"id": {"S": "b"}}
    return {
        "put": code(items.put_item, TableName="Things", Item=item),
        "get": code(items.get_item, TableName="Things", Key=item),
        "delete": code(items.delete_item, TableName="Things", Key=item),
        "send": code(queues.send_message, QueueUrl=event["queue"], MessageBody="x"),
        "receive": code(queues.receive_message, QueueUrl=event["queue"]),
        "secret": code(secrets.get_secret_value, SecretId="key"),
        "file": code(files.get_object, Bucket=event["bucket"], Key="a b/c.txt"),
        "other file": code(files.put_object, Bucket=event["bucket"], Key="x", Body=b"x"),
        "mail": code(mails.send_email, Source="a@app.example", Destination={"ToAddresses": ["b@app.example"]}, Message=words),
        "notice": code(notices.publish, PhoneNumber="+15550001111", Message="x"),
    }
"""
POLICY = [
    {"actions": ["dynamodb:PutItem", "dynamodb:GetItem"], "resources": ["arn:aws:dynamodb:*:*:table/Things"]},
    {"actions": ["sqs:SendMessage"], "resources": ["arn:aws:sqs:*:*:jobs"]},
    {"actions": ["s3:GetObject"], "resources": ["arn:aws:s3:::*/a b/*"]},
]


def call_from_inside(checks, server, service):
    """The same by a function, which may do some of it."""
    functions = service(ADMINISTRATOR[1], "lambda")
    bucket = service(ADMINISTRATOR[1], "s3").list_buckets()["Buckets"][0]["Name"]
    event = {"queue": f"{server.url}/123456789012/jobs", "bucket": bucket}
    answer = functions.invoke(FunctionName="inside", Payload=json.dumps(event))
    found = json.loads(answer["Payload"].read())
    denied = "AccessDeniedException"
    wanted = {
        "put": "done", "get": "done", "delete": denied, "send": "done", "receive": "AccessDenied", "secret": denied,
        "file": "done", "other file": "AccessDenied", "mail": "AccessDenied", "notice": "AuthorizationError",
    }
    for name, code in wanted.items():
        checks.that(f"a function: {name}", found.get(name) in (code, denied if code != "done" else code), found.get(name, found))


def main(program):
    server = Server(program)
    checks = Checks()

    def service(secret=ADMINISTRATOR[1], name="cognito-idp"):
        return boto3.client(
            name, endpoint_url=server.url, region_name=server.region, aws_access_key_id=ADMINISTRATOR[0],
            aws_secret_access_key=secret, config=Config(retries={"max_attempts": 1}))

    pool = service()

    def proof(name, password=PASSWORD, kind=AWSSRP):
        return kind(username=name, password=password, pool_id=server.pool, client_id=server.client, client=pool)

    class ChangedSignature(AWSSRP):
        def process_challenge(self, *arguments):
            answer = super().process_challenge(*arguments)
            signature = answer["PASSWORD_CLAIM_SIGNATURE"]
            answer["PASSWORD_CLAIM_SIGNATURE"] = ("B" if signature[0] == "A" else "A") + signature[1:]
            return answer

    def sign_up(name):
        return pool.sign_up(
            ClientId=server.client, Username=name, Password=PASSWORD,
            UserAttributes=[{"Name": "email", "Value": f"{name}@example.com"}])

    made = sign_up("ann")
    checks.that("a new user is not confirmed", made["UserConfirmed"] is False)
    checks.refused("the same name again", "UsernameExistsException", lambda: sign_up("ann"))
    checks.refused("who is not confirmed", "UserNotConfirmedException", lambda: proof("ann").authenticate_user())
    pool.confirm_sign_up(ClientId=server.client, Username="ann", ConfirmationCode=server.code("ann@example.com"))

    # Numbers with leading zeros are rare, and are where proofs of one kind fail for the other.
    for _ in range(SIGN_INS):
        tokens = proof("ann").authenticate_user()["AuthenticationResult"]
        checks.that("a sign-in by SRP", tokens["TokenType"] == "Bearer")
    wrong = lambda: proof("ann", "Wr0ng!Password").authenticate_user()
    checks.refused("a wrong password", "NotAuthorizedException", wrong)
    checks.refused("a name that is nobody's", "NotAuthorizedException", lambda: proof("nobody").authenticate_user())
    changed = lambda: proof("ann", kind=ChangedSignature).authenticate_user()
    checks.refused("a changed signature", "NotAuthorizedException", changed)

    issuer = jwt.decode(tokens["IdToken"], options={"verify_signature": False})["iss"]
    checks.that("the issuer is the pool at this address", issuer == f"{server.url}/{server.pool}", issuer)
    about = requests.get(f"{issuer}/.well-known/openid-configuration", timeout=PATIENCE).json()
    checks.that("the issuer says the same of itself", about["issuer"] == issuer, about["issuer"])
    keys = jwt.PyJWKClient(about["jwks_uri"])

    def claims(token, **more):
        return jwt.decode(token, keys.get_signing_key_from_jwt(token).key, algorithms=["RS256"], issuer=issuer, **more)

    found = claims(tokens["IdToken"], audience=server.client)
    checks.that("the ID token verifies", found["cognito:username"] == "ann" and found["sub"] == made["UserSub"], found)
    found = claims(tokens["AccessToken"])
    checks.that("the access token verifies", found["client_id"] == server.client and found["token_use"] == "access", found)
    head, body, signature = tokens["IdToken"].split(".")
    try:
        claims(".".join([head, body, ("B" if signature[0] == "A" else "A") + signature[1:]]), audience=server.client)
        checks.that("a changed token is refused", False)
    except jwt.InvalidSignatureError:
        checks.that("a changed token is refused", True)

    user = pool.get_user(AccessToken=tokens["AccessToken"])
    checks.that("GetUser", user["Username"] == "ann", user)
    fresh = pool.get_tokens_from_refresh_token(RefreshToken=tokens["RefreshToken"], ClientId=server.client)
    checks.that("GetTokensFromRefreshToken", fresh["AuthenticationResult"]["AccessToken"] != tokens["AccessToken"])
    listed = pool.list_users(UserPoolId=server.pool, Filter='username = "ann"')
    checks.that("ListUsers by an administrator", [each["Username"] for each in listed["Users"]] == ["ann"], listed)
    try:
        service("other").list_users(UserPoolId=server.pool)
        checks.that("ListUsers with a wrong secret is refused", False)
    except ClientError as error:
        checks.that("ListUsers with a wrong secret is refused", error.response["ResponseMetadata"]["HTTPStatusCode"] in (400, 403), str(error))
    pool.revoke_token(Token=tokens["RefreshToken"], ClientId=server.client)
    revoked = lambda: pool.get_user(AccessToken=tokens["AccessToken"])
    checks.refused("the access token of an ended sign-in", "NotAuthorizedException", revoked)

    send_mails(checks, server, service)
    call_services(checks, server, service)
    call_from_inside(checks, server, service)
    call_by_http2(checks, server)
    check_services(checks, server)
    check_models(checks, server)
    check_moving(checks, server)
    checks.that("the server stops when it is asked", server.stop() == 0)
    print(f"python clients: {checks.count} checks, {checks.failures} failed")
    return 1 if checks.failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
