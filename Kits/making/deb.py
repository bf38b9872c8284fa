"""The package for Debian and Ubuntu, written without their tools."""

import gzip
import hashlib
import lzma
import os

from .archives import ar, tar
from .release import NAME, SUMMARY

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
MAINTAINER = "Homeport <homeport@localhost>"


def make(release, folder):
    files = [
        ("etc/homeport/config.json", release.text("Kits", "debian", "config.json").encode(), 0o644),
        ("usr/bin/homeport", release.bytes, 0o755),
        ("usr/lib/systemd/system/homeport.service", release.text("Kits", "debian", "homeport.service").encode(), 0o644),
        ("usr/share/bash-completion/completions/homeport", release.output("completion", "bash"), 0o644),
        ("usr/share/doc/homeport/changelog.gz", gzip.compress(release.text("CHANGELOG.md").encode(), 9, mtime=0), 0o644),
        ("usr/share/doc/homeport/copyright", _copyright(release).encode(), 0o644),
        ("usr/share/fish/vendor_completions.d/homeport.fish", release.output("completion", "fish"), 0o644),
        ("usr/share/zsh/vendor-completions/_homeport", release.output("completion", "zsh"), 0o644),
    ]
    folders = {""}
    for name, _, _ in files:
        while "/" in name:
            name = name.rpartition("/")[0]
            folders.add(name)
    entries = sorted([(f"{name}/" if name else "", None, 0o755) for name in folders] + files)
    sums = "".join(f"{hashlib.md5(content).hexdigest()}  {name}\n" for name, content, _ in files if not name.startswith("etc/"))
    control = [
        ("conffiles", b"/etc/homeport/config.json\n", 0o644),
        ("control", _control(release, sum(len(content) for _, content, _ in files)).encode(), 0o644),
        ("md5sums", sums.encode(), 0o644),
    ] + [
        (name, release.text("Kits", "debian", name).encode(), 0o755) for name in ["postinst", "postrm", "prerm"]
    ]
    # As dpkg-deb presses packages: hard, or as fast as can be for a try.
    preset = 6 if release.compression else 0
    members = [
        ("debian-binary", b"2.0\n"),
        ("control.tar.xz", lzma.compress(tar(control, release.epoch, "./"), preset=preset)),
        ("data.tar.xz", lzma.compress(tar(entries, release.epoch, "./"), preset=preset)),
    ]
    path = os.path.join(folder, f"{NAME}_{release.version}_{ARCHITECTURES[release.machine]}.deb")
    with open(path, "wb") as file:
        file.write(ar(members, release.epoch))
    return path


def _control(release, size):
    return f"""Package: {NAME}
Version: {release.version}
Architecture: {ARCHITECTURES[release.machine]}
Maintainer: {MAINTAINER}
Installed-Size: {size // 1024 + 1}
Depends: libc6 (>= {release.glibc_text}), passwd
Recommends: ca-certificates
Suggests: nodejs, python3
Section: net
Priority: optional
Description: {SUMMARY}
 Homeport serves the API of an Amplify app's schema, with sign-in, files,
 queues and functions, from one process and one database.
"""


def _copyright(release):
    return "The source and its license are those of Homeport.\n\n" + release.text("LICENSE")
