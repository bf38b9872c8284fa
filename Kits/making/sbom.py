"""The list of what the program consists of, as SPDX 2.3."""

import datetime
import hashlib
import json
import os
import re

from .release import LICENSE, NAME

# The libraries that the binary carries: how they name their version in it, their license, and where they come from. Swift's do not
# say: HOMEPORT_SWIFT_VERSION does.
CARRIED = [
    ("OpenSSL", rb"\0(3\.\d\.\d+)\0", "Apache-2.0", "https://www.openssl.org", "cpe:2.3:a:openssl:openssl:{}:*:*:*:*:*:*:*"),
    ("SQLite", rb"\0(3\.\d\d+\.\d+)\0", "blessing", "https://sqlite.org", "cpe:2.3:a:sqlite:sqlite:{}:*:*:*:*:*:*:*"),
    ("zlib", rb"inflate (\d+\.\d+(?:\.\d+)*) Copyright", "Zlib", "https://zlib.net", "cpe:2.3:a:zlib:zlib:{}:*:*:*:*:*:*:*"),
    ("Swift", None, "Apache-2.0 WITH Swift-exception", "https://swift.org", None),
]


def make(release, folder):
    digest = hashlib.sha256(release.bytes).hexdigest()
    packages = [_package(NAME, release.version, LICENSE, "NOASSERTION", None, digest)]
    for name, pattern, license, home, identifier in CARRIED:
        found = re.search(pattern, release.bytes) if pattern else None
        version = found[1].decode() if found else None
        if pattern is None:
            version = os.environ.get("HOMEPORT_SWIFT_VERSION")
        packages.append(_package(name, version, license, home, identifier))
    packages.append(_package("glibc", f"{release.glibc_text} or newer", "LGPL-2.1-or-later", "https://www.gnu.org/software/libc", None))
    created = datetime.datetime.fromtimestamp(release.epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    root = packages[0]["SPDXID"]
    relations = [_relation("SPDXRef-DOCUMENT", "DESCRIBES", root)]
    relations += [_relation(root, "STATIC_LINK", package["SPDXID"]) for package in packages[1:-1]]
    relations.append(_relation(root, "DYNAMIC_LINK", packages[-1]["SPDXID"]))
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"{NAME}-{release.version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/{NAME}-{release.version}-{digest}",
        "creationInfo": {"created": created, "creators": [f"Tool: {NAME}-packages-{release.version}"]},
        "packages": packages, "relationships": relations,
    }
    path = os.path.join(folder, f"{NAME}-{release.version}.spdx.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file, indent=2)
        file.write("\n")
    return path


def _package(name, version, license, home, identifier, digest=None):
    package = {
        "SPDXID": f"SPDXRef-{name}", "name": name, "versionInfo": version or "NOASSERTION", "downloadLocation": home,
        "filesAnalyzed": False, "licenseConcluded": license, "licenseDeclared": license, "copyrightText": "NOASSERTION",
        "supplier": "NOASSERTION",
    }
    if digest:
        package["checksums"] = [{"algorithm": "SHA256", "checksumValue": digest}]
    if identifier and version:
        package["externalRefs"] = [
            {"referenceCategory": "SECURITY", "referenceType": "cpe23Type", "referenceLocator": identifier.format(version)}
        ]
    return package


def _relation(one, kind, other):
    return {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
