"""Asking the console's API for what is no JSON: files, and lists to import."""
import json
import urllib.request


def send(page, method, path, data, type):
    """Sends bytes to the console's API, as its page would; gives its answer."""
    with urllib.request.urlopen(f"{page.url}/_homeport/v1/session") as answer:
        csrf = json.load(answer)["csrf"] or ""
    headers = {"content-type": type, "origin": page.url, "x-homeport-csrf": csrf}
    request = urllib.request.Request(f"{page.url}/_homeport/v1{path}", method=method, headers=headers, data=data.encode() if isinstance(data, str) else data)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)
