"""Archives whose bytes follow from their content: names in order, one time, no owner."""

import gzip
import io
import tarfile
import time
import zipfile


def tar(entries, epoch, prefix=""):
    """A tar archive.

    entries: (name, content, mode); a folder has None as its content, a symbolic link a text.
    """
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, content, mode in entries:
            member = tarfile.TarInfo(prefix + name)
            member.mtime, member.mode = epoch, mode
            member.uname = member.gname = "root"
            if content is None:
                member.type = tarfile.DIRTYPE
                archive.addfile(member)
            elif isinstance(content, str):
                member.type, member.linkname = tarfile.SYMTYPE, content
                archive.addfile(member)
            else:
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
    return stream.getvalue()


def gzipped(data, level=9):
    return gzip.compress(data, level, mtime=0)


def zipped(entries, epoch, level=9):
    """A zip archive. entries: (name, content, mode)."""
    stream = io.BytesIO()
    # Zip archives know of no time before.
    moment = time.gmtime(max(epoch, 315_532_800))[:6]
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for name, content, mode in entries:
            member = zipfile.ZipInfo(name, moment)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.create_system = 3
            member.external_attr = (0o100000 | mode) << 16
            archive.writestr(member, content)
    return stream.getvalue()


def ar(entries, epoch):
    """An archive of ar(5), as Debian's packages are. entries: (name, content)."""
    parts = [b"!<arch>\n"]
    for name, content in entries:
        parts.append(f"{name:<16}{epoch:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n".encode())
        parts.append(content + b"\n" * (len(content) % 2))
    return b"".join(parts)
