"""The npm packages: the program for a system, and the library, which depends on it where the system fits."""

import json
import os

from .archives import gzipped, tar

ARCHITECTURES = {"x86_64": "x64", "aarch64": "arm64"}


def make(release, folder):
    architecture = ARCHITECTURES[release.machine]
    program = _description(release, "linux-x64", architecture)
    library = _description(release, "homeport", architecture)
    license = ("LICENSE", release.text("LICENSE").encode(), 0o644)
    paths = [
        _write(release, folder, program, [("bin/homeport", release.bytes, 0o755), license]),
        _write(release, folder, library, [
            (name, release.text("Kits", "node", "homeport", *name.split("/")).encode(), 0o755 if name.startswith("bin/") else 0o644)
            for name in _files(library)
        ] + [license]),
    ]
    return paths


def _files(description):
    """The files that a description names, and the page about them."""
    names = ["README.md"]
    for name in description["files"]:
        names += ["bin/homeport.cjs"] if name == "bin" else [name]
    return sorted(names)


def _description(release, name, architecture):
    text = release.text("Kits", "node", name, "package.json")
    return json.loads(text.replace('"VERSION"', json.dumps(release.version)).replace("linux-x64", f"linux-{architecture}")
                      .replace('"x64"', json.dumps(architecture)))


def _write(release, folder, description, entries):
    text = json.dumps(description, indent=2) + "\n"
    entries = sorted([("package.json", text.encode(), 0o644)] + entries)
    name = description["name"].lstrip("@").replace("/", "-")
    path = os.path.join(folder, f"{name}-{release.version}.tgz")
    with open(path, "wb") as file:
        file.write(gzipped(tar(entries, release.epoch, "package/"), release.compression))
    return path
