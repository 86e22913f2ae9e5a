#!/usr/bin/env python3
"""Checks a backup of a netml node without netml: Python 3 and its standard library, nothing else.

Written from docs/format/ and from RFC 8032, apart from the program's own reader, so that the two
can be held against each other. It needs stored_state.py, graph_body.py, hashes.py and unpacked.py
beside it; and the program zstd, or Python 3.14, where parts of the journal are compressed.
It reads every byte of the archive and proves that

  - all members are there, once, with the SHA-256 that the archive lists, and nothing else is;
  - the journal is one unbroken chain of hashes from LSN 1 to the head that the backup names;
  - both manifests name exactly the checkpoints and segments that are there;
  - each checkpoint holds the state that the journal leads to at its LSN;
  - each file that an import or a plan names is there, or the manifests say why it is not;
  - that chain passes through the head noted elsewhere, when --head gives one. Only this tells a
    backup from one that somebody made up: a forged one can be whole in itself;
  - the chain passes through every signed checkpoint, and with --key, that at least one is signed by
    that key. What comes after the last of them is proved by --head alone.

Exit code: 0 all is well; 1 the backup is damaged, not whole, or another than was expected; 2 usage;
3 nothing can be said, as zstd is missing.
"""

import argparse
import hashlib
import re
import struct
import sys
import tarfile

from graph_body import GraphBody
from hashes import crc32c
from stored_state import Damaged, Message, State, TABLES, named, refuse_unless
from unpacked import NeedsZstandard, packed_payload, stored_content, unpack

SEGMENT_MAGIC = 0x314E524A4C4D544E  # "NTMLJRN1"
CHECKPOINT_MAGIC = 0x31504B434C4D544E  # "NTMLCKP1"
CHUNK_MAGIC = 0x4B4E4843  # "CHNK"
MANIFEST_MAGIC = 0x3146494E4D4D544E  # "NTMMNIF1"
FRAME_MAGIC = 0x4D52464E  # "NFRM"
TRAILER_MAGIC = 0x4C52544E  # "NTRL"
TRAILER = struct.Struct("<QII")
SEGMENT_HEADER = 4096
CHECKPOINT_HEADER = 64
CHUNK_HEADER = 32
MANIFEST_HEADER = 32
FRAME_HEADER = 48
HASH = 32
PAYLOAD_MAX = 4 << 20
EFFECTS, COMMIT, ABORT, WATERMARK, SEAL = 1, 2, 3, 16, 17
FIRST, LAST, COMPRESSED = 1, 2, 4
COMPRESSED_SINCE = 4  # version of frames
VERSION = 4
BODY_SINCE = 4  # of a graph

MEMBER_NAME = re.compile(
    r"head|signatures|SHA256SUMS|manifest-[01]|journal/[0-9]{20}-[0-9]{10}\.journal"
    r"|checkpoints/[0-9]{20}\.(?:graph|catalog)|uploads/[0-9a-f]{64}(?:\.zst)?"
)


def chain_origin(node):
    return hashlib.sha256(b"netml journal" + node).digest()


def chain_next(before, lsn, ordinal, kind, flags, version, payload):
    fields = struct.pack("<QQBBH", lsn, ordinal, kind, flags, version)
    return hashlib.sha256(before + fields + hashlib.sha256(payload).digest()).digest()


# ---- Ed25519, RFC 8032 ----

FIELD_P = 2**255 - 19
ORDER_Q = 2**252 + 27742317777372353535851937790883648493
CURVE_D = -121665 * pow(121666, -1, FIELD_P) % FIELD_P
SQRT_M1 = pow(2, (FIELD_P - 1) // 4, FIELD_P)


def point_add(p, q):
    a = (p[1] - p[0]) * (q[1] - q[0]) % FIELD_P
    b = (p[1] + p[0]) * (q[1] + q[0]) % FIELD_P
    c = 2 * p[3] * q[3] * CURVE_D % FIELD_P
    d = 2 * p[2] * q[2] % FIELD_P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % FIELD_P, g * h % FIELD_P, f * g % FIELD_P, e * h % FIELD_P)


def point_mul(scalar, point):
    result = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            result = point_add(result, point)
        point = point_add(point, point)
        scalar >>= 1
    return result


def point_decode(data):
    """The point, or None when the bytes are none."""
    y = int.from_bytes(data, "little")
    sign = y >> 255
    y &= (1 << 255) - 1
    if y >= FIELD_P:
        return None
    square = (y * y - 1) * pow(CURVE_D * y * y + 1, -1, FIELD_P) % FIELD_P
    x = pow(square, (FIELD_P + 3) // 8, FIELD_P)
    if (x * x - square) % FIELD_P != 0:
        x = x * SQRT_M1 % FIELD_P
    if (x * x - square) % FIELD_P != 0 or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = FIELD_P - x
    return (x, y, 1, x * y % FIELD_P)


BASE = point_decode((4 * pow(5, -1, FIELD_P) % FIELD_P).to_bytes(32, "little"))


def signature_holds(key, message, signature):
    a = point_decode(key)
    r = point_decode(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= ORDER_Q:
        return False
    digest = hashlib.sha512(signature[:32] + key + message).digest()
    h = int.from_bytes(digest, "little") % ORDER_Q
    left = point_mul(s, BASE)
    right = point_add(r, point_mul(h, a))
    return (left[0] * right[2] - right[0] * left[2]) % FIELD_P == 0 and (
        left[1] * right[2] - right[1] * left[2]) % FIELD_P == 0


SIGNATURE = re.compile(
    r"(netml-checkpoint-1 (?P<node>[0-9a-f-]{36}) (?P<lsn>[0-9]{1,20}):(?P<chain>[0-9a-f]{64})"
    r" (?P<graph>[0-9a-f]{64}) (?P<catalog>[0-9a-f]{64}) (?P<previous>[0-9a-f]{64})"
    r" (?P<key>[0-9a-f]{64})) (?P<signature>[0-9a-f]{128})"
)


class Signed:
    """A checkpoint that was signed."""

    def __init__(self, match):
        self.lsn = int(match["lsn"])
        self.node = match["node"].replace("-", "")
        self.chain, self.graph, self.catalog = match["chain"], match["graph"], match["catalog"]


def read_signatures(text, wanted_key):
    """The checkpoints that are signed, by the key that is wanted."""
    signed = []
    previous = "0" * 64
    for number, line in enumerate(text.split("\n")[:-1], start=1):
        where = f"signatures: line {number}"
        match = SIGNATURE.fullmatch(line)
        refuse_unless(match, f"{where}: this is no signature of a checkpoint")
        refuse_unless(signature_holds(bytes.fromhex(match["key"]), match[1].encode(),
                                      bytes.fromhex(match["signature"])),
                      f"{where}: the signature is not that of its key")
        refuse_unless(match["previous"] == previous,
                      f"{where}: it does not follow the line before it: lines are missing, or were "
                      "changed")
        previous = hashlib.sha256(line.encode()).hexdigest()
        if wanted_key in (None, match["key"]):
            signed.append(Signed(match))
    return signed


class Frame:
    """A frame at an offset of a segment whose place and header checksum are right, or None."""

    FIELDS = struct.Struct("<IIIIBBHIQQQ")

    def __init__(self, data, offset, fields):
        length, (self.kind, self.flags, self.version) = fields[2], fields[4:7]
        self.lsn, self.ordinal = fields[8:10]
        begin = offset + FRAME_HEADER
        self.payload = data[begin : begin + length]
        self.end = begin + length + HASH
        self.hash = bytes(data[begin + length : self.end])

    @staticmethod
    def at(data, offset, segment):
        header = bytes(data[offset : offset + FRAME_HEADER])
        if len(header) < FRAME_HEADER:
            return None
        fields = Frame.FIELDS.unpack(header)
        place = segment.node + struct.pack("<QQ", segment.number, offset)
        if fields[0] != FRAME_MAGIC or fields[1] != crc32c(place + header[:4] + header[8:]):
            return None
        length = fields[2]
        if length % 8 or length > PAYLOAD_MAX or offset + FRAME_HEADER + length + HASH > len(data):
            return None
        return Frame(data, offset, fields)


class Segment:
    """A segment and its header block."""

    FIELDS = struct.Struct("<QHHI16sQQQ32sQ")

    def __init__(self, name, data):
        self.name = name
        self.data = memoryview(data)
        block = data[:SEGMENT_HEADER]
        refuse_unless(len(block) == SEGMENT_HEADER, f"{name}: the header is cut off")
        (crc,) = struct.unpack("<I", block[-4:])
        refuse_unless(crc == crc32c(block[:-4]), f"{name}: the header has another checksum")
        (magic, _, oldest, _, self.node, self.number, lsn, ordinal, self.previous, _) = (
            self.FIELDS.unpack(block[: self.FIELDS.size])
        )
        refuse_unless(magic == SEGMENT_MAGIC, f"{name}: this is no segment")
        refuse_unless(oldest <= VERSION, f"{name}: needs format {oldest}, newer than this tool")
        self.first = (lsn, ordinal)
        expected = f"journal/{lsn:020}-{self.number:010}.journal"
        refuse_unless(name == expected, f"{name}: its header says that it is {expected}")


def contents_of(frames):
    """Their payloads, unpacked."""
    compressed = [packed_payload(frame.payload) for frame in frames if frame.flags & COMPRESSED]
    unpacked = iter(unpack(compressed))
    return [memoryview(next(unpacked)) if frame.flags & COMPRESSED else frame.payload
            for frame in frames]


class Journal:
    """Takes segments in their order, follows the chain, and the state that it leads to."""

    def __init__(self, known):
        self.state = State()
        self.effects = []  # frames of the transaction that is not at its end
        self.last_commit = None
        self.effective_time = 0
        self.state_lsn = 0
        self.checkpoints_at = {}  # by LSN: parts of checkpoints that must hold the state there
        self.chain_after = {}  # by number of a segment
        self.known = known  # (LSN, hash) or None
        self.known_seen = False
        self.pending = None  # its end is known when the next one has come
        self.signed_at = {}  # by LSN: checkpoints that the chain must pass through
        self.position = (1, 0)
        self.chain = None
        self.head = None
        self.node = None
        self.segments = self.transactions = self.aborted = self.frames = 0

    def take(self, segment):
        if self.pending is None:
            self.node = segment.node
            self.chain = chain_origin(self.node)
            self.see_head(0)
            refuse_unless(segment.number >= 1 and segment.first == (1, 0), f"{segment.name}: the "
                          "journal does not begin at LSN 1")
        else:
            before = self.pending
            refuse_unless(segment.node == self.node, f"{segment.name}: belongs to another node")
            refuse_unless(segment.number == before.number + 1,
                          f"{segment.name}: does not follow {before.name}: a segment is missing")
            self.follow(before, segment.first)
            self.chain_after[before.number] = self.chain
        refuse_unless(segment.first == self.position and segment.previous == self.chain,
                      f"{segment.name}: does not continue what is before it")
        self.pending = segment
        self.segments += 1

    def finish(self):
        if self.pending is None:
            return
        self.follow(self.pending, None)
        self.chain_after[self.pending.number] = self.chain
        refuse_unless(self.position[1] == 0,
                      f"{self.pending.name}: ends within the transaction of LSN {self.position[0]}")

    def follow(self, segment, until):
        """A segment ends where the next one begins, whatever it holds; the last one at its seal."""
        offset = SEGMENT_HEADER
        sealed = False
        while not sealed and self.position != until:
            frame = Frame.at(segment.data, offset, segment)
            where = f"{segment.name}: offset {offset}: LSN {self.position[0]}"
            refuse_unless(frame is not None, f"{where}: the frame is damaged or missing")
            sealed = self.step(frame, where)
            offset = frame.end
        refuse_unless(until in (None, self.position),
                      f"{segment.name}: is sealed before the next segment begins")
        refuse_unless(until is not None or offset == len(segment.data),
                      f"{segment.name}: offset {offset}: something follows the seal")

    def step(self, frame, where):
        refuse_unless(frame.kind in (EFFECTS, COMMIT, ABORT, WATERMARK, SEAL)
                      and frame.version <= VERSION, f"{where}: a frame of a newer version")
        lsn, ordinal = self.position
        refuse_unless((frame.lsn, frame.ordinal) == self.position,
                      f"{where}: the frame is that of LSN {frame.lsn}, {frame.ordinal}")
        self.frames += 1
        if frame.kind in (WATERMARK, SEAL):
            refuse_unless(frame.hash == self.chain, f"{where}: the frame repeats another hash")
            return frame.kind == SEAL
        self.chain = chain_next(self.chain, lsn, ordinal, frame.kind, frame.flags, frame.version,
                                frame.payload)
        refuse_unless(frame.hash == self.chain, f"{where}: the chain of hashes is broken")
        last = frame.kind in (COMMIT, ABORT)
        expected = (FIRST if ordinal == 0 else 0) | (LAST if last else 0)
        if frame.kind == EFFECTS and frame.version >= COMPRESSED_SINCE:
            expected |= frame.flags & COMPRESSED
        refuse_unless(frame.flags == expected, f"{where}: the flags contradict the frame's place")
        self.position = (lsn + 1, 0) if last else (lsn, ordinal + 1)
        self.follow_state(frame, where)
        if last:
            self.transactions += frame.kind == COMMIT
            self.aborted += frame.kind == ABORT
            self.see_head(lsn)
        return False

    def follow_state(self, frame, where):
        if frame.kind == EFFECTS:
            self.effects.append(frame)
            return
        effects, self.effects = self.effects, []
        if frame.kind == ABORT:
            return
        try:
            self.state.apply(contents_of(effects))
            self.last_commit = named("Commit", Message(frame.payload).root("Commit"))
        except Damaged as damage:
            raise Damaged(f"{where}: {damage}") from damage
        self.state_lsn = frame.lsn
        self.effective_time = max(self.effective_time, self.last_commit["effectiveTime"])

    def see_head(self, lsn):
        self.head = (lsn, self.chain.hex())
        if self.known is not None and self.known[0] == lsn:
            refuse_unless(self.known == self.head, f"LSN {lsn}: the chain of hashes is "
                          f"{self.head[1]}, but {self.known[1]} was noted elsewhere: this is "
                          "another history")
            self.known_seen = True
        for signed in self.signed_at.get(lsn, ()):
            refuse_unless((signed.chain, signed.node) == (self.head[1], self.node.hex()),
                          f"LSN {lsn}: the checkpoint signed there belongs to another history")
        parts = self.checkpoints_at.pop(lsn, ())
        hashes = self.state.hashes() if parts else {}
        for part in parts:
            part.check(self, hashes)
        digests = [sum(part.footer[lane] for part in parts) % 2**64
                   for lane in ("digestLow", "digestHigh")]
        commit = self.last_commit
        refuse_unless(len(parts) != 2 or commit is None
                      or digests == [commit["digestLow"], commit["digestHigh"]],
                      f"LSN {lsn}: the checkpoint names another state digest than the journal")


class CheckpointPart:
    """A graph or catalog file of a checkpoint. Its content is read once and kept as hashes."""

    PARTS = {"graph": (1, ("records", "numbers")), "catalog": (2, tuple(TABLES))}

    def __init__(self, name, data):
        self.name = name
        lsn, self.part = name.split("/")[1].split(".")
        self.lsn = int(lsn)
        number, self.held = self.PARTS[self.part]
        refuse_unless(len(data) > CHECKPOINT_HEADER + HASH, f"{name}: the file is cut off")
        magic, _, oldest, part = struct.unpack_from("<QHHB", data)
        refuse_unless(magic == CHECKPOINT_MAGIC, f"{name}: this is no checkpoint")
        refuse_unless(hashlib.sha256(data[:-HASH]).digest() == data[-HASH:],
                      f"{name}: the content has another SHA-256 than the one at its end")
        refuse_unless(oldest <= VERSION, f"{name}: needs format {oldest}, newer than this tool")
        self.node = data[16:32]
        (inside,) = struct.unpack_from("<Q", data, 32)
        refuse_unless((part, inside) == (number, self.lsn),
                      f"{name}: its header says that it is part {part} at LSN {inside}")
        self.bytes, self.sha256 = len(data), data[-HASH:]
        try:
            state = self.read(memoryview(data))
            self.hashes = {part: hash_ for part, hash_ in state.hashes().items()
                           if part in self.held or state.has(part)}
        except Damaged as damage:
            raise Damaged(f"{name}: {damage}") from damage

    def read(self, data):
        """The state that it holds; also sets the footer."""
        state = State()
        (version,) = struct.unpack_from("<H", data, 8)
        begin, end = CHECKPOINT_HEADER, len(data) - HASH
        has_body = self.part == "graph" and version >= BODY_SINCE
        if has_body:
            begin, end = self.behind_body(data)
        payloads = self.chunks(data, begin, end)
        self.footer = named("Footer", Message(payloads[-1]).root("Footer") or ())
        if has_body:
            refuse_unless(len(payloads) == 1, "there are chunks beside the body")
            body = GraphBody(data[:begin], CHECKPOINT_HEADER, self.footer)
            state.records, state.numbers = body.records, body.numbers
        else:
            state.apply(payloads[:-1])
        return state

    @staticmethod
    def behind_body(data):
        """Where the chunks begin, and end."""
        end = len(data) - HASH - TRAILER.size
        refuse_unless(end >= CHECKPOINT_HEADER, "the file is cut off")
        begin, magic, crc = TRAILER.unpack_from(data, end)
        refuse_unless(magic == TRAILER_MAGIC and crc == crc32c(data[end : end + 12])
                      and CHECKPOINT_HEADER <= begin < end, "the trailer is damaged")
        return begin, end

    @staticmethod
    def chunks(data, offset, end):
        """The payloads; that of the footer is the last."""
        payloads = []
        kind = 1
        while offset < end:
            begin = offset + CHUNK_HEADER
            refuse_unless(begin <= end, f"offset {offset}: the chunk is cut off")
            magic, _, length, _, index, kind = struct.unpack_from("<IIIIIB", data, offset)
            refuse_unless(magic == CHUNK_MAGIC and index == len(payloads)
                          and (kind == 2 or length <= PAYLOAD_MAX) and begin + length <= end
                          and kind == (2 if begin + length == end else 1),
                          f"offset {offset}: the chunk is damaged")
            payloads.append(data[begin : begin + length])
            offset = begin + length
        refuse_unless(kind == 2, "there is no footer")
        return payloads

    def check(self, journal, hashes):
        """Against the journal, which has come to its LSN."""
        footer, state = self.footer, journal.state
        refuse_unless(footer.get("lsn") == self.lsn and footer["chainHash"] == journal.chain,
                      f"{self.name}: belongs to another history than the journal")
        for part, content in self.hashes.items():
            refuse_unless(content == hashes[part], f"{self.name}: the {part} are not those that "
                          f"the journal leads to at LSN {self.lsn}")
        commit = journal.last_commit or {"nextId": 1, "nextNumber": 1}
        nexts = [state.next_entries[name] for name in TABLES][: len(footer["nextEntries"])]
        if self.part == "graph":
            refuse_unless((footer["nextId"], footer["nextNumber"])
                          == (commit["nextId"], commit["nextNumber"]),
                          f"{self.name}: the footer has other numbers than the journal")
        else:
            refuse_unless(list(footer["nextEntries"]) == nexts,
                          f"{self.name}: the footer has other numbers than the journal")
        refuse_unless((footer["stateLsn"], footer["effectiveTime"])
                      == (journal.state_lsn, journal.effective_time),
                      f"{self.name}: the footer tells of another transaction than the journal")


def read_manifest(name, data):
    refuse_unless(len(data) >= MANIFEST_HEADER, f"{name}: the header is cut off")
    magic, _, oldest, _, length, crc = struct.unpack_from("<QHHIII", data)
    (header_crc,) = struct.unpack_from("<I", data, 28)
    payload = memoryview(data)[MANIFEST_HEADER:]
    refuse_unless(magic == MANIFEST_MAGIC and header_crc == crc32c(data[:28])
                  and length == len(payload) and crc == crc32c(payload), f"{name}: is damaged")
    refuse_unless(oldest <= VERSION, f"{name}: needs format {oldest}, newer than this tool")
    try:
        return named("Manifest", Message(payload).root("Manifest") or ())
    except (Damaged, struct.error) as damage:
        raise Damaged(f"{name}: {damage}") from damage


ABSENT_BECAUSE = ("gone by retention", "left out of a backup, known to be missing")


class Backup:
    """Reads the archive once, from its beginning to its end."""

    def __init__(self, known, key=None):
        self.journal = Journal(known)
        self.key = key
        self.signed = []
        self.hashes = {}
        self.texts = {}
        self.checkpoints = {}  # by name
        self.segments = {}  # first LSN by number
        self.uploads = set()  # by the SHA-256 of what they hold
        self.unread = []  # compressed ones, where nothing is there to unpack them
        self.manifests = {}
        self.absent = {}  # stored files that need not be there: why, by what names them

    def read(self, path):
        try:
            with tarfile.open(path, "r:") as archive:
                for member in archive:
                    self.take(archive, member)
        except (tarfile.TarError, EOFError, OSError) as error:
            raise Damaged(f"{path}: the archive cannot be read: {error}") from error
        self.journal.finish()
        self.check_sums()
        self.check_head()
        self.check_signed()
        for name, manifest in self.manifests.items():
            self.check_manifest(name, manifest)
        self.check_checkpoints()
        self.check_uploads()

    def take(self, archive, member):
        name = member.name
        refuse_unless(member.isreg() and MEMBER_NAME.fullmatch(name),
                      f"{name!r}: does not belong here")
        refuse_unless(name not in self.hashes, f"{name}: is there twice")
        refuse_unless("SHA256SUMS" not in self.hashes, f"{name}: comes after the list of hashes")
        data = archive.extractfile(member).read()
        refuse_unless(len(data) == member.size, f"{name}: the archive ends in it")
        self.hashes[name] = hashlib.sha256(data).hexdigest()
        kind = name.split("/")[0]
        if kind == "journal":
            segment = Segment(name, data)
            self.segments[segment.number] = segment.first[0]
            self.journal.take(segment)
        elif kind == "checkpoints":
            refuse_unless(not self.segments, f"{name}: comes after the journal")
            part = self.checkpoints[name] = CheckpointPart(name, data)
            self.journal.checkpoints_at.setdefault(part.lsn, []).append(part)
        elif name.startswith("manifest-"):
            self.manifests[name] = read_manifest(name, data)
        elif kind == "uploads":
            self.take_upload(name, data)
        elif kind == "signatures":
            self.signed = read_signatures(data.decode("ascii", "replace"), self.key)
            for checkpoint in self.signed:
                self.journal.signed_at.setdefault(checkpoint.lsn, []).append(checkpoint)
        elif kind in ("head", "SHA256SUMS"):
            self.texts[name] = data.decode("ascii", "replace")

    def take_upload(self, name, data):
        digest = self.hashes[name]
        wanted = name.removeprefix("uploads/").removesuffix(".zst")
        self.uploads.add(wanted)
        if name.endswith(".zst"):
            try:
                digest = hashlib.sha256(stored_content(data, crc32c)).hexdigest()
            except Damaged as damage:
                raise Damaged(f"{name}: {damage}") from damage
            except NeedsZstandard:
                self.unread.append(name)
                return
        refuse_unless(digest == wanted, f"{name}: the content is not that whose hash is its name")

    def check_signed(self):
        """A checkpoint is signed before it counts: since there is a key, each must be."""
        signed = self.signed
        refuse_unless(self.key is None or signed, f"no checkpoint is signed by the key {self.key}")
        if not signed:
            return
        head = self.journal.head[0] if self.journal.head else 0
        newest = max(checkpoint.lsn for checkpoint in signed)
        refuse_unless(newest <= head, f"a checkpoint is signed at LSN {newest}, but the journal "
                      f"ends at LSN {head}")
        for name, file in self.checkpoints.items():
            digests = [getattr(one, file.part) for one in self.journal.signed_at.get(file.lsn, ())]
            refuse_unless(not digests or file.sha256.hex() in digests,
                          f"{name}: the checkpoint is another than the one that was signed")
            refuse_unless(digests or self.key is None or file.lsn < signed[0].lsn,
                          f"{name}: the checkpoint is not signed by the key {self.key}")

    def check_manifest(self, name, manifest):
        """It names what is there, and nothing else."""
        journal = self.journal
        refuse_unless(journal.node in (None, manifest["node"]), f"{name}: belongs to another node")
        refuse_unless(manifest["generation"] % 2 == int(name[-1]),
                      f"{name}: holds generation {manifest['generation']}")
        head = journal.head[0] if journal.head else 0
        refuse_unless(manifest["durableLsn"] == head,
                      f"{name}: says that LSN {manifest['durableLsn']} is durable, the journal "
                      f"ends at LSN {head}")
        self.check_named_checkpoints(name, manifest)
        for values in manifest["segments"]:
            segment = named("Segment", values)
            number = segment["number"]
            refuse_unless(self.segments.get(number) == segment["firstLsn"],
                          f"{name}: names segment {number} at LSN {segment['firstLsn']}, which is "
                          "not there")
            refuse_unless(not segment["sealed"]
                          or segment["chainHash"] == journal.chain_after[number],
                          f"{name}: knows another chain of hashes after segment {number}")

    def check_named_checkpoints(self, name, manifest):
        listed = set()
        for values in manifest["checkpoints"]:
            entry = named("Checkpoint", values)
            for part in ("graph", "catalog"):
                file = named("FileReference", entry[part] or ())
                path = "checkpoints/" + file.get("name", b"").decode("ascii", "replace")
                there = self.checkpoints.get(path)
                refuse_unless(there and (there.part, there.lsn) == (part, entry["lsn"]),
                              f"{name}: names {path} as {part} at LSN {entry['lsn']}, which it is "
                              "not")
                refuse_unless((there.bytes, there.sha256) == (file["bytes"], file["sha256"]),
                              f"{path}: is another file than {name} names")
                listed.add(path)
        more = set(self.checkpoints) - listed
        refuse_unless(not more, f"{', '.join(sorted(more))}: not named by {name}")

    def check_checkpoints(self):
        for name, file in self.checkpoints.items():
            refuse_unless(self.journal.node in (None, file.node),
                          f"{name}: belongs to another node")
        if self.journal.head is None:  # no transaction was ever made
            return
        for files in self.journal.checkpoints_at.values():
            raise Damaged(f"{files[0].name}: is beyond the end of the journal")

    def check_uploads(self):
        missing = {name: by for name, by in self.journal.state.kept_files().items()
                   if name not in self.uploads}
        listed = {file.hex(): why for manifest in self.manifests.values()
                  for file, why in manifest["absentFiles"]}
        for name, by in missing.items():
            refuse_unless(name in listed, f"uploads/{name}: the file of {by} is missing")
            known = listed[name] < len(ABSENT_BECAUSE)
            self.absent[by] = ABSENT_BECAUSE[listed[name]] if known else "known to be absent"

    def check_sums(self):
        refuse_unless("SHA256SUMS" in self.texts, "SHA256SUMS is missing: the backup was cut off")
        listed = set()
        for line in self.texts["SHA256SUMS"].splitlines():
            digest, separator, name = line.partition("  ")
            refuse_unless(separator and self.hashes.get(name) == digest,
                          f"{name or line}: is missing, or has another SHA-256 than is listed")
            listed.add(name)
        more = set(self.hashes) - listed - {"SHA256SUMS"}
        refuse_unless(not more, f"{', '.join(sorted(more))}: not in the list of hashes")
        refuse_unless({"manifest-0", "manifest-1"} <= listed, "a manifest is missing")

    def check_head(self):
        refuse_unless("head" in self.texts, "head is missing")
        if self.journal.head is None:  # no transaction was ever made
            refuse_unless(self.texts["head"].startswith("0:"), "the journal is missing")
            return
        lsn, digest = self.journal.head
        refuse_unless(self.texts["head"] == f"{lsn}:{digest}\n",
                      f"the journal ends at {lsn}:{digest}, but the backup names the head "
                      f"{self.texts['head'].strip()}")
        known = self.journal.known
        refuse_unless(known is None or self.journal.known_seen,
                      f"the journal ends at LSN {lsn}, before the head noted elsewhere, LSN "
                      f"{known[0] if known else 0}")


def head_argument(text):
    match = re.fullmatch(r"([0-9]{1,20}):([0-9a-f]{64})", text)
    if not match:
        raise argparse.ArgumentTypeError("a head is LSN:HASH as netml backup prints it")
    return int(match[1]), match[2]


def key_argument(text):
    if not re.fullmatch(r"[0-9a-f]{64}", text):
        raise argparse.ArgumentTypeError("a public key has 64 hexadecimal digits")
    return text


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", metavar="FILE", help="what netml backup wrote")
    parser.add_argument("--head", type=head_argument, metavar="LSN:HASH",
                        help="head that was noted elsewhere; the journal must pass through it")
    parser.add_argument("--key", type=key_argument, metavar="KEY",
                        help="public key that netml key create printed; it must have signed")
    arguments = parser.parse_args(words)
    backup = Backup(arguments.head, arguments.key)
    try:
        backup.read(arguments.file)
    except Damaged as damage:
        print(f"{arguments.file}: NOT good: {damage}", file=sys.stderr)
        return 1
    except NeedsZstandard as reason:
        print(f"{arguments.file}: cannot be checked: {reason}", file=sys.stderr)
        return 3
    journal = backup.journal
    print(backup.texts["head"].strip())
    print(f"{arguments.file}: whole and undamaged: {journal.segments} segments, "
          f"{journal.frames} frames, {journal.transactions} transactions, "
          f"{journal.aborted} aborted, {len(backup.checkpoints)} checkpoint files, "
          f"{len(backup.uploads)} stored files", file=sys.stderr)
    if backup.unread:
        print(f"{len(backup.unread)} stored files are compressed, and there is no zstd here: their "
              "bytes are those of the list; what they hold was not compared with their names",
              file=sys.stderr)
    for by, why in backup.absent.items():
        print(f"without the file of {by}: {why}", file=sys.stderr)
    if backup.signed:
        newest = max(checkpoint.lsn for checkpoint in backup.signed)
        print(f"signed up to LSN {newest}, {len(backup.signed)} signatures"
              + ("" if arguments.key else ", by keys that were not compared (--key)"),
              file=sys.stderr)
    if arguments.head is None:
        print("not compared with a head noted elsewhere (--head): a forged backup could look like "
              "this", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
