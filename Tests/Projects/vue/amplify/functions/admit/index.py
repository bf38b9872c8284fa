def handler(event, context):
    email = event["request"]["userAttributes"]["email"]
    if not email.endswith("@example.com"):
        raise Exception("only for people of example.com")
    event["response"]["autoConfirmUser"] = True
    return event
