"""Runs a program under callgrind and reads how many instructions its threads take, function by function.

Addresses, hash seeds and the environment are the same each time. Monotonic clocks are slowed down (slow-clock.c), because
the program is: a read that takes 1 ms without callgrind must not be moved to another thread for taking 50 ms with it.
"""
import collections
import contextlib
import ctypes
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import time

FOLDER = pathlib.Path(__file__).resolve().parent
NO_RANDOM_ADDRESSES = 0x0040000
CORES = 2
PATIENCE_SECONDS = 120
SAMPLE_SECONDS = 0.005
QUIET_SAMPLES = 4


def install():
    """Installs valgrind where that is possible; otherwise ends with what to do."""
    if shutil.which("valgrind"):
        return
    command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "valgrind"]
    if shutil.which("apt-get") and os.geteuid() == 0:
        quiet = {"stdout": subprocess.DEVNULL, "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}}
        print("Installing valgrind", flush=True)
        subprocess.run(["apt-get", "update", "-qq"], **quiet)
        subprocess.run(command, **quiet)
    if not shutil.which("valgrind"):
        sys.exit("valgrind is missing: install it (Debian, as root: apt-get install valgrind)")


def keep_conditions():
    """Children of this process get the same addresses each time, and two cores: work is shared between as many threads."""
    ctypes.CDLL(None).personality(NO_RANDOM_ADDRESSES)
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])


def open_many(files):
    """This process and its children may have so many files and sockets, where the system lets them."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (files if most == resource.RLIM_INFINITY else min(files, most), most))


def environment(**more):
    return {"PATH": "/usr/bin:/bin", "HOME": "/nowhere", "LC_ALL": "C", "TZ": "UTC", "SWIFT_DETERMINISTIC_HASHING": "1", **more}


def prepare(binary, folder):
    """A copy without debug information, which valgrind would read for seconds, and the library that slows the clock."""
    copy, clock = os.path.join(folder, "homeport"), os.path.join(folder, "slow-clock.so")
    strip = shutil.which("objcopy") or shutil.which("llvm-objcopy")
    if strip:
        subprocess.run([strip, "--strip-debug", binary, copy], check=True)
    else:
        shutil.copy(binary, copy)
    compiler = shutil.which("clang") or shutil.which("cc")
    if not compiler:
        sys.exit("no C compiler is on PATH: clang comes with Swift")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", clock, str(FOLDER / "slow-clock.c")], check=True)
    return copy, clock


class Counted:
    """A program under callgrind, and what it has counted so far."""

    def __init__(self, binary, clock, arguments, folder, counts_at_start, output=subprocess.PIPE):
        self.folder, self.parts, self.threads = folder, 0, {}
        self.process = subprocess.Popen(
            ["valgrind", "--tool=callgrind", "--dump-line=no", "--separate-threads=yes", "--vgdb-prefix=" + os.path.join(folder, "vgdb"),
             f"--instr-atstart={'yes' if counts_at_start else 'no'}", f"--callgrind-out-file={folder}/counts", "--log-file=" +
             os.path.join(folder, "valgrind.log"), binary, *arguments],
            cwd=folder, env=environment(LD_PRELOAD=clock), stdout=output, stderr=subprocess.DEVNULL, text=True)

    def tell(self, *command):
        said = subprocess.run(
            ["vgdb", f"--pid={self.process.pid}", "--vgdb-prefix=" + os.path.join(self.folder, "vgdb"), *command],
            capture_output=True, text=True, timeout=PATIENCE_SECONDS)
        if said.returncode:
            raise RuntimeError(f"vgdb {' '.join(command)}: {said.stdout}{said.stderr}")

    def settle(self, samples=QUIET_SAMPLES):
        """Waits until all threads wait for something: an answer may come before its thread has tidied up."""
        quiet, end = 0, time.monotonic() + PATIENCE_SECONDS
        while quiet < samples:
            if time.monotonic() > end:
                raise RuntimeError(f"the server has been busy for {PATIENCE_SECONDS} seconds")
            quiet = quiet + 1 if all(state in "SI" for state in self.states()) else 0
            time.sleep(SAMPLE_SECONDS)

    def states(self):
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            with contextlib.suppress(FileNotFoundError), open(f"/proc/{self.process.pid}/task/{task}/stat") as file:
                yield file.read().rpartition(")")[2].split()[0]

    def begin(self):
        self.tell("instrumentation", "on")

    def take(self):
        """The instructions since the last time: a counter of functions for each thread by its number."""
        self.settle()
        self.tell("dump")
        self.parts += 1
        return self.read()

    def read(self):
        """What was written at the last dump, or at the end of the process."""
        found = {}
        for path in pathlib.Path(self.folder).glob(f"counts.{self.parts}-*" if self.parts else "counts-*"):
            found[int(path.name.rpartition("-")[2])] = read_profile(path)
            path.unlink()
        return found

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class Costs:
    """Instructions by the name of a function: its own, and for the program's functions also with what they call."""

    def __init__(self):
        self.own, self.whole = collections.Counter(), collections.Counter()

    def __contains__(self, name):
        return name in self.own

    def __iter__(self):
        return iter(self.own)

    @property
    def total(self):
        return sum(self.own.values())

    def add(self, other, factor=1, names=None):
        for mine, others in ((self.own, other.own), (self.whole, other.whole)):
            for name, cost in others.items():
                mine[names[name] if names else name] += cost * factor

    def divided(self, count):
        made = Costs()
        for mine, others in ((made.own, self.own), (made.whole, self.whole)):
            mine.update({name: round(cost / count) for name, cost in others.items() if cost})
        return made

    def renamed(self, length):
        """With names as a person reads them, no longer than that."""
        names, made = readable({*self.own, *self.whole}), Costs()
        made.add(self, names={name: text[:length] for name, text in names.items()})
        return made


# Functions of a module, and not of Swift's library or in C.
PROGRAM = re.compile(r"\$s\d")
NAME = re.compile(r"\((\d+)\)(?: (.*))?")


def read_profile(path):
    """What a file of callgrind says of one thread. (https://valgrind.org/docs/manual/cl-format.html)"""
    costs, names, objects, here, there, function, called, is_call = Costs(), {}, {}, "", "", None, None, False
    with open(path) as file:
        for line in file:
            if line[0].isdigit() or line[0] in "+-*":
                cost = int(line.split()[1])
                if not is_call:
                    costs.own[function] += cost
                # A function that calls itself has that in its own call already.
                if not is_call or called != function:
                    costs.whole[function] += cost
                is_call, there = False, here
            elif line.startswith("calls="):
                is_call = True
            elif line.startswith(("ob=", "cob=")):
                number, name = NAME.match(line.partition("=")[2].rstrip("\n")).groups()
                objects.setdefault(number, os.path.basename(name or ""))
                there = objects[number]
                if line[0] == "o":
                    here = there
            elif line.startswith(("fn=", "cfn=")):
                number, name = NAME.match(line.partition("=")[2].rstrip("\n")).groups()
                if name:
                    names[number] = name
                if line[0] == "f":
                    function = named(names[number], here)
                else:
                    called = named(names[number], there)
    costs.whole = collections.Counter({name: cost for name, cost in costs.whole.items() if PROGRAM.match(name)})
    return costs


def named(name, object):
    """Code without a symbol is named by its library. Marks of recursion are left out."""
    return f"code without a name in {object}" if name.startswith("0x") or name == "???" else name.partition("'")[0]


def readable(names):
    """Those of Swift as a person reads them, where there is a program for it."""
    names = list(names)
    program = [shutil.which("swift-demangle")] if shutil.which("swift-demangle") else ["swift", "demangle"]
    if not shutil.which(program[0]):
        return dict(zip(names, names))
    said = subprocess.run([*program, "--simplified"], input="\n".join(names) + "\n", capture_output=True, text=True).stdout.splitlines()
    return dict(zip(names, said if len(said) == len(names) else names))
