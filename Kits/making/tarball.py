"""The archive of the program alone, with the license, the changelog and what shells need to complete its commands."""

import os

from .archives import gzipped, tar
from .release import NAME


def make(release, folder):
    name = f"{NAME}-{release.version}-linux-{release.machine}"
    entries = [
        ("", None, 0o755),
        ("CHANGELOG.md", release.text("CHANGELOG.md").encode(), 0o644),
        ("LICENSE", release.text("LICENSE").encode(), 0o644),
        ("completion", None, 0o755),
        ("completion/_homeport", release.output("completion", "zsh"), 0o644),
        ("completion/homeport.bash", release.output("completion", "bash"), 0o644),
        ("completion/homeport.fish", release.output("completion", "fish"), 0o644),
        ("homeport", release.bytes, 0o755),
    ]
    path = os.path.join(folder, f"{name}.tar.gz")
    with open(path, "wb") as file:
        file.write(gzipped(tar(entries, release.epoch, f"{name}/"), release.compression))
    return path
