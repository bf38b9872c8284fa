"""Every operation that botocore knows of the services that are here, with requests made of botocore's models: right by their shapes,
and each broken in one member. botocore's own serializers write them, and its own parsers read what comes. No answer may be a fault of
the server, and each refusal has a name where the client looks for it."""
import json

import botocore.session
from botocore.config import Config
from botocore.exceptions import ClientError

SERVICES = [
    "cloudformation", "cognito-identity", "cognito-idp", "dynamodb", "dynamodbstreams", "events", "kms", "lambda",
    "secretsmanager", "ses", "sesv2", "sns", "sqs", "ssm", "stepfunctions", "sts",
]
# They wait for something to come.
WAITING = {"ReceiveMessage", "GetActivityTask"}
DEPTH_MAX = 6
LONG, MANY = "x" * 20_000, 300
# What a refusal of an operation that is not served has in its name.
UNSERVED = ("UnknownOperation", "InvalidAction")
# Values of another type, where botocore writes them as they are.
OTHERS = {
    "string": 7, "integer": "seven", "long": "seven", "float": "seven", "double": "seven", "boolean": "yes", "list": "one",
    "map": "one", "structure": "one",
}


def value(shape, depth=0):
    """The least that has the shape."""
    kind, least = shape.type_name, shape.metadata.get("min", 1)
    if kind == "string":
        return shape.enum[0] if shape.enum else "a" * max(1, int(least))
    if kind in ("list", "map", "structure") and depth >= DEPTH_MAX:
        return [] if kind == "list" else {}
    if kind == "list":
        return [value(shape.member, depth + 1)] * max(1, min(3, int(least)))
    if kind == "map":
        return {"a": value(shape.value, depth + 1)}
    if kind == "structure":
        return members(shape, depth=depth)
    return {"boolean": False, "blob": b"a", "timestamp": 1_700_000_000, "integer": int(least), "long": int(least)}.get(kind, float(least))


def members(shape, every=False, depth=0):
    """The members that a structure needs, or all of them; of a union one."""
    if getattr(shape, "is_tagged_union", False):
        names = list(shape.members)[:1]
    else:
        names = shape.members if every else shape.required_members
    return {name: value(shape.members[name], depth + 1) for name in names}


def requests(shape):
    """What is sent to an operation, each with a word for it."""
    right = members(shape)
    yield "without members", {}
    yield "with every member", members(shape, every=True)
    for name, member in shape.members.items():
        if member.type_name in OTHERS:
            yield f"{name} of another type", {**right, name: OTHERS[member.type_name]}
        if member.type_name == "string":
            yield f"{name} too long", {**right, name: LONG}
        if member.type_name == "list":
            yield f"{name} with too many", {**right, name: [value(member.member)] * MANY}


def check_models(checks, server):
    session = botocore.session.get_session()
    config = Config(parameter_validation=False, retries={"max_attempts": 0}, read_timeout=20)
    for service in SERVICES:
        client = session.create_client(
            service, "us-east-1", endpoint_url=server.url, aws_access_key_id="local", aws_secret_access_key="local", config=config)
        model = client.meta.service_model
        for name in model.operation_names:
            if name not in WAITING and not model.operation_model(name).endpoint:
                check_operation(checks, client, service, model.operation_model(name))


def check_operation(checks, client, service, operation):
    shape = operation.input_shape

    def send(word, request):
        """The name of the refusal; nil where nothing was sent."""
        name = f"{service} {operation.name} {word}"
        try:
            client._make_api_call(operation.name, request)
        except ClientError as error:
            status, code = error.response["ResponseMetadata"]["HTTPStatusCode"], error.response["Error"].get("Code", "")
            checks.that(name, status < 500 and code not in ("", "Unknown", str(status)), f"{error} {json.dumps(request, default=str)[:300]}")
            return code
        except botocore.parsers.ResponseParserError as error:
            checks.that(name, False, str(error)[:300])
        except botocore.exceptions.HTTPClientError as error:
            checks.that(name, False, str(error))
        except Exception:
            # Its own serializer, or the rules of its end points, did not take the request.
            return None
        else:
            checks.that(name, True)
        return ""

    refusal = send("by its shape", members(shape) if shape else {})
    if shape is None or refusal and any(word in refusal for word in UNSERVED):
        return
    for word, request in requests(shape):
        send(word, request)
