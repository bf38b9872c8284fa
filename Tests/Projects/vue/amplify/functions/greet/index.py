import os


def handler(event, context):
    return "{}, {}, from {}".format(os.environ["GREETING"], event["arguments"]["name"], context.function_name)
