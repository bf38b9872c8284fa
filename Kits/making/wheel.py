"""The wheel: the program as a script, and the pytest plugin."""

import base64
import hashlib
import os

from .archives import zipped
from .release import LICENSE, NAME, ROOT, SUMMARY

MODULES = ["__init__.py", "py.typed", "pytest_plugin.py", "server.py"]


def make(release, folder):
    version = release.version
    tag = f"py3-none-manylinux_{release.glibc[0]}_{release.glibc[1]}_{release.machine}"
    information = f"{NAME}-{version}.dist-info"
    entries = [(f"homeport/{name}", release.text("Kits", "python", "homeport", name).encode(), 0o644) for name in MODULES]
    entries.append((f"{NAME}-{version}.data/scripts/{NAME}", release.bytes, 0o755))
    entries += [
        (f"{information}/METADATA", _metadata(release).encode(), 0o644),
        (f"{information}/WHEEL", f"Wheel-Version: 1.0\nGenerator: homeport\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(), 0o644),
        (f"{information}/entry_points.txt", b"[pytest11]\nhomeport = homeport.pytest_plugin\n", 0o644),
        (f"{information}/licenses/LICENSE", release.text("LICENSE").encode(), 0o644),
    ]
    record = "".join(f"{name},sha256={_digest(content)},{len(content)}\n" for name, content, _ in entries)
    entries.append((f"{information}/RECORD", f"{record}{information}/RECORD,,\n".encode(), 0o644))
    path = os.path.join(folder, f"{NAME}-{version}-{tag}.whl")
    with open(path, "wb") as file:
        file.write(zipped(entries, release.epoch, release.compression))
    return path


def _digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def _metadata(release):
    with open(os.path.join(ROOT, "Kits", "python", "README.md"), encoding="utf-8") as file:
        description = file.read()
    fields = [
        "Metadata-Version: 2.4", f"Name: {NAME}", f"Version: {release.version}", f"Summary: {SUMMARY}",
        f"License-Expression: {LICENSE}", "License-File: LICENSE", "Requires-Python: >=3.9",
        "Classifier: Framework :: Pytest", "Classifier: Operating System :: POSIX :: Linux",
        "Classifier: Topic :: Software Development :: Testing", "Provides-Extra: pytest",
        "Requires-Dist: pytest>=7; extra == 'pytest'", "Description-Content-Type: text/markdown",
    ]
    return "\n".join(fields) + "\n\n" + description
