#!/usr/bin/env python3
"""Compares the requests a second, and the processor time of one, with nginx answering the same body from memory.

    bench/requests.py .build/release/homeport [--echo .build/release/homeport-echo] [--rounds 5] [--seconds 3] [--connections 64]

With `--get` the request reads a record by its key. With h2load the same requests come by HTTP/2 too, 32 at once on a connection, and a
last line says what an idle connection of HTTP/2 keeps, beside one of HTTP/1.1.

The echo server is the network alone: it answers a POST with its body. The server itself also looks at the host, reads
JSON, finds the document, and counts.

Both servers have the same processors, the load generator (wrk) the others. They take turns, and the medians of the
rounds and of the rounds' ratios count. Processor time is the steadier number: throughput falls when the machine has other work.
"""
import argparse
import contextlib
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import urllib.request

HOST = "127.0.0.1"
QUERY = '{"query":"{ __typename }"}'
ANSWER = '{"data":{"__typename":"Query"}}'
GET = '{"query":"{ getNote(id: \\"a\\") { id text } }"}'
GOT = '{"data":{"getNote":{"id":"a","text":"%s"}}}' % ("x" * 100)
NOTE = "type Note @model @auth(rules: [{ allow: public }]) { id: ID! text: String }\n"
CREATE = '{"query":"mutation { createNote(input: {id: \\"a\\", text: \\"%s\\"}) { id } }"}' % ("x" * 100)
STREAMS = 32
IDLE_CONNECTIONS = 1_000
TICKS = os.sysconf("SC_CLK_TCK")

WRK = """
wrk.method = "POST"
wrk.headers["content-type"] = "application/json"
wrk.headers["x-api-key"] = "da2-fakeApiId123456"
wrk.body = [[%s]]
"""

NGINX = """
worker_processes {workers}; daemon off; pid {folder}/pid; error_log {folder}/errors; {user}
events {{ worker_connections 4096; }}
http {{
  access_log off; keepalive_requests 1000000000;
  client_body_temp_path {folder}/t; proxy_temp_path {folder}/t; fastcgi_temp_path {folder}/t; uwsgi_temp_path {folder}/t; scgi_temp_path {folder}/t;
  server {{
    listen {host}:{port}; default_type application/json;
    location / {{ return 200 '{answer}'; }}
  }}
}}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


def cpu_seconds(pid):
    """The processor time of a process and its children that are alive."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    total = (int(fields[11]) + int(fields[12])) / TICKS
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return total + sum(cpu_seconds(child) for child in file.read().split())


def ask(port, query):
    request = urllib.request.Request(
        f"http://{HOST}:{port}/graphql", query.encode(),
        {"content-type": "application/json", "x-api-key": "da2-fakeApiId123456"})
    with urllib.request.urlopen(request, timeout=5) as response:
        return response.read().decode()


@contextlib.contextmanager
def running(name, command, port, cpus, query, expected, first=None):
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=lambda: os.sched_setaffinity(0, cpus))
    try:
        for _ in range(1000):
            if process.poll() is not None:
                sys.exit(f"{name} ended with {process.returncode}: {' '.join(command)}")
            with contextlib.suppress(OSError):
                if first:
                    ask(port, first)
                answer = ask(port, query)
                break
        else:
            sys.exit(f"{name} does not answer")
        if answer != expected:
            sys.exit(f"{name}: expected {expected}, found {answer}")
        yield process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def measure(port, pid, script, options, cpus):
    before = cpu_seconds(pid)
    output = subprocess.run(
        ["wrk", "-t1", f"-c{options.connections}", f"-d{options.seconds}s", "-s", script, f"http://{HOST}:{port}/graphql"],
        check=True, capture_output=True, text=True, preexec_fn=lambda: os.sched_setaffinity(0, cpus)).stdout
    if "Non-2xx" in output or "Socket errors" in output:
        sys.exit(output)
    requests = int(re.search(r"(\d+) requests in", output)[1])
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])
    return rate, (cpu_seconds(pid) - before) / requests * 1e6


def measure_http2(port, pid, body, options, cpus):
    """The same by HTTP/2, with as many requests under way: 32 streams a connection."""
    before = cpu_seconds(pid)
    output = subprocess.run(
        ["h2load", "-t1", f"-c{max(1, options.connections // STREAMS)}", f"-m{min(STREAMS, options.connections)}", f"-D{options.seconds}", "-d", body,
         "-H", "content-type: application/json", "-H", "x-api-key: da2-fakeApiId123456", f"http://{HOST}:{port}/graphql"],
        check=True, capture_output=True, text=True, preexec_fn=lambda: os.sched_setaffinity(0, cpus)).stdout
    requests = int(re.search(r"status codes: (\d+) 2xx, 0 3xx, 0 4xx, 0 5xx", output)[1])
    return requests / options.seconds, (cpu_seconds(pid) - before) / requests * 1e6


def resident_bytes(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def idle_bytes(port, pid, greeting, answered):
    """What the server keeps for a connection that has begun and does nothing."""
    before, connections = resident_bytes(pid), []
    for _ in range(IDLE_CONNECTIONS):
        connection = socket.create_connection((HOST, port))
        connection.sendall(greeting)
        seen = b""
        while answered not in seen:
            seen += connection.recv(65536)
        connections.append(connection)
    kept = resident_bytes(pid) - before
    for connection in connections:
        connection.close()
    return kept / IDLE_CONNECTIONS


# The preface, empty settings, and the acknowledgement of the server's.
HTTP2_GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]) + bytes([0, 0, 0, 4, 1, 0, 0, 0, 0])
HTTP2_ANSWERED = bytes([0, 0, 0, 4, 1, 0, 0, 0, 0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("server")
    parser.add_argument("--echo", metavar="FILE")
    parser.add_argument("--schema", default=os.path.join(os.path.dirname(__file__), "../schema/shop.graphql"))
    parser.add_argument("--get", action="store_true", help="reads a record by its key")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--connections", type=int, default=64)
    options = parser.parse_args()
    for program in ("nginx", "wrk"):
        if not shutil.which(program):
            sys.exit(f"{program} is not on PATH (Debian: apt-get install nginx-light wrk)")
    every = sorted(os.sched_getaffinity(0))
    half = max(1, len(every) // 2)
    serving, loading = set(every[:half]), set(every[half:] or every)
    query, answer = (GET, GOT) if options.get else (QUERY, ANSWER)
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        if options.get:
            options.schema = os.path.join(folder, "note.graphql")
            with open(options.schema, "w") as file:
                file.write(NOTE)
        script = os.path.join(folder, "requests.lua")
        with open(script, "w") as file:
            file.write(WRK % query)
        ports = {name: free_port() for name in ("homeport", "echo", "nginx")}
        with open(os.path.join(folder, "nginx.conf"), "w") as file:
            file.write(NGINX.format(
                workers=len(serving), folder=folder, host=HOST, port=ports["nginx"], answer=answer,
                user="user root;" if os.geteuid() == 0 else ""))
        commands = {
            "homeport": [options.server, "serve", "--port", str(ports["homeport"]), "--data", folder, "--log-level", "warning",
                         "--schema", options.schema],
            **({"echo": [options.echo, str(ports["echo"])]} if options.echo else {}),
            "nginx": ["nginx", "-e", f"{folder}/errors", "-c", f"{folder}/nginx.conf", "-p", folder],
        }
        pids = {
            name: stack.enter_context(running(
                name, command, ports[name], serving, query, query if name == "echo" else answer,
                CREATE if options.get and name == "homeport" else None))
            for name, command in commands.items()}
        results = {name: [] for name in commands}
        body = os.path.join(folder, "body")
        with open(body, "w") as file:
            file.write(query)
        http2 = [name for name in commands if name != "nginx"] if shutil.which("h2load") else []
        results.update({f"{name} h2": [] for name in http2})
        for _ in range(options.rounds):
            for name in commands:
                results[name].append(measure(ports[name], pids[name], script, options, loading))
            for name in http2:
                results[f"{name} h2"].append(measure_http2(ports[name], pids[name], body, options, loading))
        print(f"{'':12}{'requests/s':>12}{'CPU µs':>10}")
        for name, rounds in results.items():
            print(f"{name:12}{statistics.median(r[0] for r in rounds):12.0f}{statistics.median(r[1] for r in rounds):10.2f}")
        for name in commands:
            if name == "nginx":
                continue
            ratios = [
                statistics.median(a[place] / b[place] for a, b in zip(results[name], results["nginx"])) for place in (0, 1)]
            print(f"{name + ' ÷ nginx':18}{ratios[0]:4.2f}{ratios[1]:10.2f}")
        for name in http2:
            ratios = [
                statistics.median(a[place] / b[place] for a, b in zip(results[f"{name} h2"], results[name])) for place in (0, 1)]
            print(f"{name + ' h2 ÷ 1.1':18}{ratios[0]:4.2f}{ratios[1]:10.2f}")
        port, pid = ports["homeport"], pids["homeport"]
        old = idle_bytes(port, pid, b"GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n", b"healthy")
        new = idle_bytes(port, pid, HTTP2_GREETING, HTTP2_ANSWERED)
        print(f"idle connections   HTTP/1.1 {old / 1024:.1f} KiB   HTTP/2 {new / 1024:.1f} KiB")


if __name__ == "__main__":
    main()
