"""What is compressed in a node's files, unpacked: the part of verify_backup.py that needs Zstandard
(RFC 8878). Python has it from 3.14 on; before that the program `zstd` is asked.

Written from docs/format/journal.md and docs/format/stored-files.md.
"""

import shutil
import struct
import subprocess
import tempfile

from stored_state import refuse_unless

try:
    from compression import zstd as library
except ImportError:
    library = None

PAYLOAD_MAX = 4 << 20
PIECE_MAX = 1 << 20
SKIPPED_MAGIC = 0x184D2A5E
TABLE_MAGIC = 0x315453464C4D544E  # "NTMLFST1"
TABLE_HEADER, TABLE_ENTRY, TABLE_END = 8, 12, 16


class NeedsZstandard(Exception):
    """Nothing is damaged as far as is known, but it cannot be looked into here."""

    def __init__(self):
        super().__init__("it holds compressed parts, and there is neither the program zstd here "
                         "(Debian: apt install zstd) nor Python 3.14")


def unpack(frames):
    """The contents of frames of Zstandard, each given as its bytes and the size of its content."""
    if not frames:
        return []
    if library is not None:
        return [unpack_one(data, size) for data, size in frames]
    content = unpack_by_tool(frames)
    contents = []
    at = 0
    for _, size in frames:
        contents.append(content[at : at + size])
        at += size
    return contents


def unpack_one(data, size):
    one = library.ZstdDecompressor()
    try:
        content = one.decompress(data, max_length=size + 1)
    except library.ZstdError as error:
        content = str(error)
    refuse_unless(one.eof and not one.unused_data and len(content) == size,
                  "what is compressed is damaged")
    return content


def unpack_by_tool(frames):
    """All at once; no more is read than there must be."""
    tool = shutil.which("zstd")
    if tool is None:
        raise NeedsZstandard()
    total = sum(size for _, size in frames)
    with tempfile.TemporaryFile() as compressed:
        for data, _ in frames:
            compressed.write(data)
        compressed.seek(0)
        with subprocess.Popen([tool, "-d", "-c", "-q"], stdin=compressed, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL) as process:
            content = process.stdout.read(total + 1)
            if len(content) > total:
                process.kill()
    refuse_unless(process.returncode == 0 and len(content) == total,
                  "what is compressed is damaged")
    return content


def packed_payload(payload):
    """The frame of Zstandard in a compressed payload of the journal; the size of its content."""
    refuse_unless(len(payload) >= 8, "the compressed payload is cut off")
    size, length = struct.unpack_from("<II", payload)
    end = 8 + length
    refuse_unless(0 < size <= PAYLOAD_MAX and size % 8 == 0
                  and len(payload) == (end + 7) // 8 * 8 and not any(payload[end:]),
                  f"the compressed payload says that {length} bytes hold {size}")
    return bytes(payload[8:end]), size


def stored_content(data, crc32c):
    """The content of a stored file, given as it is compressed."""
    refuse_unless(len(data) >= TABLE_HEADER + TABLE_END, "it has no table")
    count, magic, crc = struct.unpack_from("<IQI", data, len(data) - TABLE_END)
    at = len(data) - TABLE_HEADER - count * TABLE_ENTRY - TABLE_END
    refuse_unless(magic == TABLE_MAGIC and at >= 0, "it ends without its table")
    skipped, length = struct.unpack_from("<II", data, at)
    refuse_unless(crc == crc32c(data[at:-4]) and skipped == SKIPPED_MAGIC
                  and length == len(data) - at - TABLE_HEADER, "its table is damaged")
    frames = []
    place = 0
    for entry in range(count):
        entry_at = at + TABLE_HEADER + entry * TABLE_ENTRY
        compressed, size, _ = struct.unpack_from("<III", data, entry_at)
        refuse_unless(compressed and 0 < size <= PIECE_MAX, "its table does not fit it")
        frames.append((data[place : place + compressed], size))
        place += compressed
    refuse_unless(place == at, "its table does not fit it")
    return b"".join(unpack(frames))
