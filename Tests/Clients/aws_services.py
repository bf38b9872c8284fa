"""boto3 as it comes against files, items and queues: links and forms by its own choice of signatures, transactions, ordered queues."""
import json

import boto3
import requests

KEYS = {"aws_access_key_id": "local", "aws_secret_access_key": "local"}


def client(server, service, region="us-east-1"):
    """A client with no settings but those that say where the server is."""
    return boto3.client(service, region, endpoint_url=server.url, **KEYS)


def check_services(checks, server):
    check_links(checks, server)
    check_transactions(checks, server)
    check_queues(checks, server)
    check_topics(checks, server)


def check_links(checks, server):
    """The region decides how boto3 signs: Version 2 for its oldest ones, Version 4 for others."""
    client(server, "s3").create_bucket(Bucket="links")
    for region in ["us-east-1", "eu-west-1"]:
        files = client(server, "s3", region)
        where = {"Bucket": "links", "Key": "a b/ü+(1).txt"}
        put = files.generate_presigned_url(
            "put_object", Params={**where, "ContentType": "text/plain", "Metadata": {"who": "eve"}}, ExpiresIn=60)
        if region == "us-east-1":
            checks.that("boto3 signs links by Version 2", "AWSAccessKeyId=" in put, put)
        fields = {"content-type": "text/plain", "x-amz-meta-who": "eve"}
        answer = requests.put(put, data=b"hi", headers=fields)
        if region != "us-east-1" and answer.status_code == 400:
            # Version 4 names a region, and this server has one.
            checks.that("another region is named", b"region" in answer.content, answer.content)
            continue
        checks.that("a link puts a file", answer.status_code == 200, answer.content)
        get = files.generate_presigned_url(
            "get_object", Params={**where, "ResponseContentDisposition": 'attachment; filename="a b.txt"'}, ExpiresIn=60)
        answer = requests.get(get)
        checks.that("a link gets it", answer.content == b"hi" and answer.headers["x-amz-meta-who"] == "eve", answer.content)
        checks.that(
            "a link says how it is kept", answer.headers["content-disposition"] == 'attachment; filename="a b.txt"')
        checks.that("a link is for one file", requests.get(get.replace("%281%29", "%282%29")).status_code == 403)
        checks.that("a link is for one method", requests.delete(get).status_code == 403)
        over = files.generate_presigned_url("get_object", Params=where, ExpiresIn=-1)
        checks.that("a link ends", requests.get(over).status_code == 403)
        listed = files.generate_presigned_url("list_objects_v2", Params={"Bucket": "links", "Prefix": "a b/"}, ExpiresIn=60)
        checks.that("a link lists", "<KeyCount>1</KeyCount>" in requests.get(listed).text)
        form = files.generate_presigned_post(
            "links", "forms/${filename}", Fields={"Content-Type": "text/plain"},
            Conditions=[["starts-with", "$Content-Type", ""], ["content-length-range", 1, 9]], ExpiresIn=60)
        if region == "us-east-1":
            checks.that("boto3 signs forms by Version 2", "AWSAccessKeyId" in form["fields"])
        answer = requests.post(form["url"], data=form["fields"], files={"file": ("c.txt", b"form")})
        checks.that("a form puts a file", answer.status_code == 204, answer.content)
        checks.that("the file is there", files.get_object(Bucket="links", Key="forms/c.txt")["Body"].read() == b"form")
        answer = requests.post(form["url"], data=form["fields"], files={"file": ("c.txt", b"much too long")})
        checks.that("a form has a length", answer.status_code == 400, answer.content)
        changed = {**form["fields"], "key": "other/${filename}"}
        answer = requests.post(form["url"], data=changed, files={"file": ("c.txt", b"form")})
        checks.that("a form is for its keys", answer.status_code == 403, answer.content)


def check_transactions(checks, server):
    tables = client(server, "dynamodb")
    tables.create_table(
        TableName="Parts", BillingMode="PAY_PER_REQUEST", KeySchema=[{"AttributeName": "p", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "p", "AttributeType": "S"}])
    key = {"p": {"S": "a"}}

    def add(order):
        values = {":n": {"N": "1"}, ":s": {"SS": ["x", "y"][::order]}}
        update = {
            "TableName": "Parts", "Key": key, "UpdateExpression": "ADD n :n, s :s",
            "ExpressionAttributeValues": dict(list(values.items())[::order])}
        tables.transact_write_items(
            TransactItems=[{"Update": dict(list(update.items())[::order])}], ClientRequestToken="once")

    add(1)
    add(-1)
    found = tables.get_item(TableName="Parts", Key=key)["Item"]
    checks.that("a transaction is made once, however it is written", found["n"] == {"N": "1"}, found)
    tables.delete_item(TableName="Parts", Key=key)
    answer = tables.update_item(
        TableName="Parts", Key=key, UpdateExpression="REMOVE n", ReturnValues="ALL_NEW")
    checks.that("what is only removed makes no item", "Attributes" not in answer, answer)
    checks.that("no item is there", "Item" not in tables.get_item(TableName="Parts", Key=key))


def check_queues(checks, server):
    queues = client(server, "sqs")
    url = queues.create_queue(
        QueueName="orders.fifo", Attributes={"FifoQueue": str(True), "ContentBasedDeduplication": str(True)})["QueueUrl"]

    def send(*bodies):
        for body in bodies:
            queues.send_message(QueueUrl=url, MessageBody=body, MessageGroupId="g")

    def receive():
        return queues.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages", [])

    send("one", "two")
    messages = receive()
    checks.that("a group comes in its order", [each["Body"] for each in messages] == ["one", "two"], messages)
    queues.change_message_visibility(QueueUrl=url, ReceiptHandle=messages[0]["ReceiptHandle"], VisibilityTimeout=0)
    again = receive()
    checks.that("what is given back comes at once", [each["Body"] for each in again] == ["one"], again)
    queues.purge_queue(QueueUrl=url)
    send("one")
    again = receive()
    checks.that("a purged queue takes the same again", [each["Body"] for each in again] == ["one"], again)
    dead = queues.create_queue(QueueName="dead")["QueueUrl"]
    arn = queues.get_queue_attributes(QueueUrl=dead, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    policy = json.dumps({"deadLetterTargetArn": arn, "maxReceiveCount": "1"})
    jobs = queues.create_queue(
        QueueName="chores", Attributes={"VisibilityTimeout": "0", "RedrivePolicy": policy})["QueueUrl"]
    queues.send_message(QueueUrl=jobs, MessageBody="poison", MessageGroupId="tenant")
    queues.receive_message(QueueUrl=jobs)
    queues.receive_message(QueueUrl=jobs)
    letter = queues.receive_message(QueueUrl=dead, MessageSystemAttributeNames=["All"])["Messages"][0]
    checks.that("a dead letter keeps its count", letter["Attributes"]["ApproximateReceiveCount"] == "2", letter)
    checks.that("and its group", letter["Attributes"]["MessageGroupId"] == "tenant", letter)
    late = queues.change_message_visibility(
        QueueUrl=dead, ReceiptHandle=letter["ReceiptHandle"], VisibilityTimeout=0)
    queues.change_message_visibility(QueueUrl=dead, ReceiptHandle=letter["ReceiptHandle"], VisibilityTimeout=9)
    checks.that("a late receiver extends its time", late["ResponseMetadata"]["HTTPStatusCode"] == 200)
    checks.that("and nobody else has the message", "Messages" not in queues.receive_message(QueueUrl=dead))


def check_topics(checks, server):
    """A queue that follows a topic, once with what is around a message and once bare."""
    topics, queues = client(server, "sns"), client(server, "sqs")
    topic = topics.create_topic(Name="news")["TopicArn"]
    for name, attributes in [("whole", {}), ("bare", {"RawMessageDelivery": "true", "FilterPolicy": '{"kind": ["a"]}'})]:
        url = queues.create_queue(QueueName=name)["QueueUrl"]
        arn = queues.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
        topics.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn, Attributes=attributes)
        kind = {"kind": {"DataType": "String", "StringValue": "a"}}
        topics.publish(TopicArn=topic, Message=f"to {name}", Subject="s", MessageAttributes=kind)
        found = queues.receive_message(QueueUrl=url, WaitTimeSeconds=10, MessageAttributeNames=["*"])["Messages"][0]
        if attributes:
            checks.that("a queue gets the bare message", found["Body"] == "to bare", found)
            checks.that("with its attributes", found["MessageAttributes"] == kind, found)
        else:
            notice = json.loads(found["Body"])
            checks.that("a queue gets a message of a topic", notice["Message"] == "to whole", notice)
            checks.that("and what is around it", notice["TopicArn"] == topic and notice["Subject"] == "s", notice)
