#!/usr/bin/env python3
"""Compares the requests a second, and the processor time of one, with nginx answering the same body from memory.

    bench/requests.py .build/release/homeport [--echo .build/release/homeport-echo] [--rounds 5] [--seconds 3] [--connections 64]

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
TICKS = os.sysconf("SC_CLK_TCK")

WRK = """
wrk.method = "POST"
wrk.headers["content-type"] = "application/json"
wrk.headers["x-api-key"] = "da2-fakeApiId123456"
wrk.body = '%s'
""" % QUERY

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


def ask(port):
    request = urllib.request.Request(
        f"http://{HOST}:{port}/graphql", QUERY.encode(),
        {"content-type": "application/json", "x-api-key": "da2-fakeApiId123456"})
    with urllib.request.urlopen(request, timeout=5) as response:
        return response.read().decode()


@contextlib.contextmanager
def running(name, command, port, cpus, expected):
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=lambda: os.sched_setaffinity(0, cpus))
    try:
        for _ in range(1000):
            if process.poll() is not None:
                sys.exit(f"{name} ended with {process.returncode}: {' '.join(command)}")
            with contextlib.suppress(OSError):
                answer = ask(port)
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
    """The same by HTTP/2, with as many requests under way: 8 connections, the rest of them streams."""
    before = cpu_seconds(pid)
    output = subprocess.run(
        ["h2load", "-t1", "-c8", f"-m{max(1, options.connections // 8)}", f"-D{options.seconds}", "-d", body,
         "-H", "content-type: application/json", "-H", "x-api-key: da2-fakeApiId123456", f"http://{HOST}:{port}/graphql"],
        check=True, capture_output=True, text=True, preexec_fn=lambda: os.sched_setaffinity(0, cpus)).stdout
    requests = int(re.search(r"status codes: (\d+) 2xx, 0 3xx, 0 4xx, 0 5xx", output)[1])
    return requests / options.seconds, (cpu_seconds(pid) - before) / requests * 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("server")
    parser.add_argument("--echo", metavar="FILE")
    parser.add_argument("--schema", default=os.path.join(os.path.dirname(__file__), "../schema/shop.graphql"))
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
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        script = os.path.join(folder, "requests.lua")
        with open(script, "w") as file:
            file.write(WRK)
        ports = {name: free_port() for name in ("homeport", "echo", "nginx")}
        with open(os.path.join(folder, "nginx.conf"), "w") as file:
            file.write(NGINX.format(
                workers=len(serving), folder=folder, host=HOST, port=ports["nginx"], answer=ANSWER,
                user="user root;" if os.geteuid() == 0 else ""))
        commands = {
            "homeport": [options.server, "serve", "--port", str(ports["homeport"]), "--data", folder, "--log-level", "warning",
                         "--schema", options.schema],
            **({"echo": [options.echo, str(ports["echo"])]} if options.echo else {}),
            "nginx": ["nginx", "-e", f"{folder}/errors", "-c", f"{folder}/nginx.conf", "-p", folder],
        }
        pids = {
            name: stack.enter_context(running(name, command, ports[name], serving, QUERY if name == "echo" else ANSWER))
            for name, command in commands.items()}
        results = {name: [] for name in commands}
        body = os.path.join(folder, "body")
        with open(body, "w") as file:
            file.write(QUERY)
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


if __name__ == "__main__":
    main()
