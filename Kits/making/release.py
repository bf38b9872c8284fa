"""What is packaged: the binary, the version, and the time that all files get."""

import os
import re
import struct
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NAME = "homeport"
SUMMARY = "A self-hosted AWS AppSync backend for the schema of an Amplify app"
LICENSE = "Apache-2.0"
MACHINES = {62: "x86_64", 183: "aarch64"}


class Failure(Exception):
    """A package that cannot be made, and why."""


class Release:
    """A binary with what packages say of it."""

    def __init__(self, binary, compression=9):
        self.path = binary
        with open(binary, "rb") as file:
            self.bytes = file.read()
        with open(os.path.join(ROOT, "VERSION"), encoding="ascii") as file:
            self.version = file.read().strip()
        self.epoch = _epoch()
        #: How hard archives are compressed, 1 to 9.
        self.compression = compression
        self.machine, self.glibc = _facts(self.bytes)
        said = subprocess.run([binary, "version"], capture_output=True, text=True, check=True).stdout.split()
        if said != [NAME, self.version]:
            raise Failure(f"{binary} is {' '.join(said)}, and VERSION says {self.version}")

    @property
    def glibc_text(self):
        return ".".join(map(str, self.glibc))

    def text(self, *path):
        """A file of the repository."""
        with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
            return file.read()

    def output(self, *words):
        """What the binary prints."""
        return subprocess.run([self.path, *words], capture_output=True, check=True).stdout


def _epoch():
    """The time of all files: SOURCE_DATE_EPOCH, or that of the commit."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given:
        return int(given)
    words = ["git", "-c", "safe.directory=*", "-C", ROOT, "log", "-1", "--format=%ct"]
    outcome = subprocess.run(words, capture_output=True, text=True, check=False)
    if outcome.returncode != 0:
        raise Failure("this is no clone of the repository: set SOURCE_DATE_EPOCH to the time that files should have")
    return int(outcome.stdout)


def _facts(binary):
    """The machine, and the oldest C library that a binary runs with, from the versions of the symbols that it asks for."""
    if binary[:5] != b"\x7fELF\x02":
        raise Failure("the binary is no ELF program of 64 bits: packages are for Linux")
    (kind,) = struct.unpack_from("<H", binary, 18)
    if kind not in MACHINES:
        raise Failure(f"there are no packages for the machine {kind}")
    (offset,) = struct.unpack_from("<Q", binary, 40)
    size, count, names = struct.unpack_from("<HHH", binary, 58)
    sections = [struct.unpack_from("<IIQQQQ", binary, offset + index * size) for index in range(count)]
    texts = sections[names]
    versions = [(0, 0)]
    for name, _, _, _, start, length in sections:
        place = texts[4] + name
        if binary[place:binary.index(b"\0", place)] != b".dynstr":
            continue
        for version in binary[start:start + length].split(b"\0"):
            found = re.fullmatch(rb"GLIBC_(\d+)\.(\d+)(\.\d+)?", version)
            if found:
                versions.append((int(found[1]), int(found[2])))
            # Packed addresses, which loaders know from then on.
            if version == b"GLIBC_ABI_DT_RELR":
                versions.append((2, 36))
    return MACHINES[kind], max(versions)


def say(path):
    """Prints the name and the size of a file that was made."""
    print(f"{os.path.getsize(path):>12,}  {path}", file=sys.stdout)
