"""A container image as an OCI layout, made without a container engine: the program, the C library, and the authorities of this machine."""

import datetime
import hashlib
import json
import os
import re
import subprocess

from .archives import gzipped, tar
from .release import NAME, SUMMARY, Failure

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
USER = 10001
AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt"


def make(release, folder):
    path = os.path.join(folder, f"{NAME}-{release.version}-image.tar")
    with open(path, "wb") as file:
        file.write(tar(sorted(_layout(release).items_for_tar()), release.epoch))
    return path


class _Blobs:
    """The files of a layout by their names."""

    def __init__(self):
        self.files = {"oci-layout": b'{"imageLayoutVersion":"1.0.0"}'}

    def add(self, content, kind):
        digest = hashlib.sha256(content).hexdigest()
        self.files[f"blobs/sha256/{digest}"] = content
        return {"mediaType": kind, "digest": f"sha256:{digest}", "size": len(content)}

    def items_for_tar(self):
        folders = [("blobs/", None, 0o755), ("blobs/sha256/", None, 0o755)]
        return folders + [(name, content, 0o644) for name, content in self.files.items()]


def _layout(release):
    blobs = _Blobs()
    # The library of this machine changes less often than the program.
    layers = [tar(_system(release), release.epoch), tar(_program(release), release.epoch)]
    described = [
        blobs.add(gzipped(layer, release.compression), "application/vnd.oci.image.layer.v1.tar+gzip") for layer in layers
    ]
    created = _moment(release.epoch)
    configuration = {
        "created": created, "architecture": ARCHITECTURES[release.machine], "os": "linux",
        "config": {
            "User": str(USER), "ExposedPorts": {"20002/tcp": {}}, "WorkingDir": "/data", "Volumes": {"/data": {}},
            "Env": ["PATH=/usr/local/bin:/usr/bin:/bin"] + _variables(release),
            "Entrypoint": ["homeport"], "Cmd": ["serve"], "StopSignal": "SIGTERM",
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}" for layer in layers]},
        "history": [
            {"created": created, "created_by": "the C library and the authorities of the machine that built it"},
            {"created": created, "created_by": f"{NAME} {release.version}"},
        ],
    }
    config = blobs.add(_json(configuration), "application/vnd.oci.image.config.v1+json")
    manifest = {
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": config,
        "layers": described,
        "annotations": {
            "org.opencontainers.image.title": NAME, "org.opencontainers.image.version": release.version,
            "org.opencontainers.image.description": SUMMARY, "org.opencontainers.image.licenses": "Apache-2.0",
        },
    }
    entry = blobs.add(_json(manifest), "application/vnd.oci.image.manifest.v1+json")
    entry["platform"] = {"architecture": ARCHITECTURES[release.machine], "os": "linux"}
    entry["annotations"] = {"org.opencontainers.image.ref.name": release.version}
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [entry]}
    blobs.files["index.json"] = _json(index)
    return blobs


def _variables(release):
    """The settings of a server in a container, which Dockerfile has too."""
    text = re.search(r"^ENV ((?:.*\\\n)*.*)$", release.text("Dockerfile"), re.MULTILINE)
    if text is None:
        raise Failure("Dockerfile has no ENV")
    return text[1].replace("\\\n", " ").split()


def _system(release):
    """What the program needs of a system. Debian's /lib is a part of /usr."""
    entries = [
        ("data/", None, 0o1777), ("etc/", None, 0o755),
        ("etc/group", f"root:x:0:\n{NAME}:x:{USER}:\n".encode(), 0o644),
        ("etc/nsswitch.conf", b"hosts: files dns\n", 0o644),
        ("etc/passwd", f"root:x:0:0:root:/root:/sbin/nologin\n{NAME}:x:{USER}:{USER}::/data:/sbin/nologin\n".encode(), 0o644),
        ("etc/ssl/", None, 0o755), ("etc/ssl/certs/", None, 0o755),
        ("lib", "usr/lib", 0o777), ("lib64", "usr/lib64", 0o777), ("tmp/", None, 0o1777), ("usr/", None, 0o755),
        ("usr/lib/", None, 0o755), ("usr/lib64/", None, 0o755),
    ]
    if os.path.exists(AUTHORITIES):
        entries.append((AUTHORITIES[1:], _content(AUTHORITIES), 0o644))
    folders = set()
    for name, path in _libraries(release):
        target = name.lstrip("/")
        target = target if target.startswith("usr/") else f"usr/{target}"
        folder = target.rpartition("/")[0]
        if folder not in ("usr/lib", "usr/lib64") and folder not in folders:
            folders.add(folder)
            entries.append((f"{folder}/", None, 0o755))
        entries.append((target, _content(path), 0o755))
    return sorted(entries)


def _libraries(release):
    """The libraries that the loader opens, and the loader: (name, path)."""
    text = subprocess.run(["ldd", release.path], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"(?:=> )?(/\S+) \(0x", text)
    foreign = [path for path in found if not re.search(r"/(libc|libm|ld-linux[^/]*)\.so\.\d+$", path)]
    if foreign:
        raise Failure(f"the binary needs {', '.join(foreign)}: package the one of `make release`, which carries its libraries")
    return [(path, os.path.realpath(path)) for path in found]


def _program(release):
    return [
        ("usr/", None, 0o755), ("usr/local/", None, 0o755), ("usr/local/bin/", None, 0o755),
        ("usr/local/bin/homeport", release.bytes, 0o755),
    ]


def _content(path):
    with open(path, "rb") as file:
        return file.read()


def _moment(epoch):
    return datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def _json(value):
    return json.dumps(value, separators=(",", ":")).encode()
