def handler(event, context):
    return len(event["arguments"]["text"])
