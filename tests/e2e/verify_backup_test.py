#!/usr/bin/env python3
"""verify_backup.py agrees with the program about good backups, and finds what is wrong.

Usage: verify_backup_test.py NETML     (the program)

Each kind of change is made twice where that makes sense: bare, and with the archive's own list of
hashes put right again, as somebody who means it would do. What somebody may make fit beyond that,
Forgery does.
"""

import contextlib
import hashlib
import io
import os
import random
import re
import struct
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERIFIER = ROOT / "wal/verifier/verify_backup.py"
sys.path.insert(0, str(VERIFIER.parent))
sys.dont_write_bytecode = True
import graph_body  # noqa: E402  (the path is needed first)
import hashes  # noqa: E402
import stored_state  # noqa: E402
import unpacked  # noqa: E402
import verify_backup as verifier  # noqa: E402

SCHEMA = ROOT / "wal/schema/wal.capnp"
MAPS = sorted((ROOT / "tests/golden/netml").glob("bay*.xml"))


# XXH3_64bits_withSeed() of libxxhash 0.8.1, by the length of the text, whose remainder by four is
# the seed.
KNOWN_HASHES = {
    0: 0x2D06800538D394C2, 1: 0x5EAAC1F7B17EF730, 3: 0x510368DFEE711749,
    4: 0xD3D60C1519014E89, 8: 0xB88DEE77F6BF6980, 9: 0x4ED4DBD3CB3C8E40,
    16: 0x9DA23836ADF2BE1E, 17: 0xB80CF3EA33302944, 128: 0x65F3C2C00FA93185,
    129: 0x89A0BD2306BE36A1, 240: 0x4917A75C0EF8EED7, 241: 0x58B2D7FB8B6FDB8B,
    1100: 0x68C5F8C2EB6DE41E,
}


def make_backup(folder, missing=False):
    """Several runs, so that the journal has several segments. `missing`: without a stored file."""

    def netml(*words):
        command = [NETML, *words, "--data", str(folder / "data")]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    for name in ("one", "two", "three"):
        netml("init", "--name", "Net", "--owner", "Org") if name == "one" else None
        netml("setting", "set", "IMPORT_ANSWER", "Queued" if name == "two" else "Result")
        netml("publish", name)
        if name != "three":
            netml("import", str(MAPS[0] if name == "one" else MAPS[1]))
    key = netml("key", "create").strip()
    netml("publish", "signed")
    netml("setting", "set", "IMPORT_ANSWER", "Queued")
    netml("checkpoint")
    without = ["--without-missing-uploads"] if missing else []
    if missing:
        hash_ = hashlib.sha256(MAPS[0].read_bytes()).hexdigest()
        (folder / "data/uploads" / hash_).unlink()
    head = netml("backup", str(folder / "backup.tar"), *without).strip()
    return folder / "backup.tar", head, key


def members_of(path):
    with tarfile.open(path) as archive:
        return [(member.name, archive.extractfile(member).read()) for member in archive]


def archive_of(members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in members:
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return out.getvalue()


def with_sums(members):
    kept = [(name, data) for name, data in members if name != "SHA256SUMS"]
    sums = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in kept)
    return kept + [("SHA256SUMS", sums.encode())]


def frames_of(segment):
    """Offsets and frames up to the first that is none."""
    offset = verifier.SEGMENT_HEADER
    while (frame := verifier.Frame.at(segment.data, offset, segment)) is not None:
        yield offset, frame
        offset = frame.end


def with_crc(data, offset, segment):
    """The frame at `offset` with its checksums put right."""
    header = bytearray(data[offset : offset + verifier.FRAME_HEADER])
    (length,) = struct.unpack_from("<I", header, 8)
    begin = offset + verifier.FRAME_HEADER
    struct.pack_into("<I", header, 12, verifier.crc32c(bytes(data[begin : begin + length])))
    place = segment.node + struct.pack("<QQ", segment.number, offset)
    crc = verifier.crc32c(place + bytes(header[:4] + header[8:]))
    struct.pack_into("<I", header, 4, crc)
    data[offset:begin] = header


def pieces_of(data):
    """The checksums that the footer of a graph with a body lists; of others, nothing."""
    version, part = struct.unpack_from("<HxxB", data, 8)
    if part != 1 or version < verifier.BODY_SINCE:
        return b""
    end, _ = verifier.CheckpointPart.behind_body(data)
    return b"".join(struct.pack("<I", hashes.crc32c(data[at : min(at + graph_body.PIECE, end)]))
                    for at in range(verifier.CHECKPOINT_HEADER, end, graph_body.PIECE))


def with_pieces(content, before):
    """A checkpoint without its hash, whose footer listed `before`, with checksums that fit."""
    now = pieces_of(content + bytes(verifier.HASH))
    end = content.rindex(before) if before else len(content)
    return content[:end] + now + content[end + len(before) :]


def no_change(_, content):
    return content


class Forgery:
    """Another backup, whole in itself: `change` alters the payloads of frames and `edit` the bytes
    of checkpoints; checksums, hashes, and what names those are made to fit."""

    def __init__(self, members, change=no_change, edit=no_change):
        self.replaced = []  # hashes: the one before, and what it has become
        forged = self.journal(members, change)
        self.pieces = [pieces_of(data) for name, data in forged if name.startswith("checkpoints/")]
        forged = [(name, self.checkpoint(edit(name, data)) if name.startswith("checkpoints/")
                   else data) for name, data in forged]
        self.members = with_sums([(name, self.manifest(data) if name.startswith("manifest-")
                                   else data) for name, data in forged])

    def archive(self):
        return archive_of(self.members)

    def renewed(self, data):
        """With the hashes that changed."""
        for before, after in self.replaced:
            data = data.replace(before, after)
        return data

    def checkpoint(self, data):
        content = with_pieces(self.renewed(data[: -verifier.HASH]), self.pieces.pop(0))
        digest = hashlib.sha256(content).digest()
        self.replaced.append((data[-verifier.HASH :], digest))
        return content + digest

    def manifest(self, data):
        payload = self.renewed(data[verifier.MANIFEST_HEADER :])
        header = data[:20] + struct.pack("<II", verifier.crc32c(payload), 0)
        return header + struct.pack("<I", verifier.crc32c(header)) + payload

    def journal(self, members, change):
        forged = []
        chain = None
        lsn = 0
        for name, content in members:
            if name.startswith("journal/"):
                data = bytearray(content)
                segment = verifier.Segment(name, content)
                chain = chain or verifier.chain_origin(segment.node)
                data[56:88] = chain
                data[4092:4096] = struct.pack("<I", verifier.crc32c(bytes(data[:4092])))
                for offset, frame in list(frames_of(segment)):
                    begin = offset + verifier.FRAME_HEADER
                    end = begin + len(frame.payload)
                    if frame.kind not in (verifier.WATERMARK, verifier.SEAL):
                        data[begin:end] = change(frame, bytes(frame.payload))
                        chain = verifier.chain_next(chain, frame.lsn, frame.ordinal, frame.kind,
                                                    frame.flags, frame.version,
                                                    bytes(data[begin:end]))
                        lsn = frame.lsn
                        self.replaced.append((frame.hash, chain))
                    data[end : end + verifier.HASH] = chain
                    with_crc(data, offset, segment)
                content = bytes(data)
            forged.append((name, content))
        head = f"{lsn}:{chain.hex()}\n".encode()
        return [(name, head if name == "head" else data) for name, data in forged]


class VerifyBackup(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path, cls.head, cls.key = make_backup(Path(cls.folder.name))
        cls.members = members_of(cls.path)
        cls.segments = [i for i, (name, _) in enumerate(cls.members) if name.startswith("journal/")]
        assert len(cls.segments) >= 3, "the workload must fill several segments"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check(self, archive, *options):
        """The exit code and what was said about it."""
        path = Path(self.folder.name) / "changed.tar"
        path.write_bytes(archive)
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            try:
                code = verifier.main([str(path), *options])
            except SystemExit as usage:
                code = usage.code
        return code, said.getvalue()

    def assert_found(self, archive, text, *options):
        code, said = self.check(archive, *options)
        self.assertEqual(code, 1, said)
        self.assertIn(text, said)

    def unsigned(self):
        return [member for member in self.members if member[0] != "signatures"]

    def changed(self, index, change):
        members = list(self.members)
        name, data = members[index]
        members[index] = (name, change(data))
        return members

    def test_a_good_backup_is_good(self):
        command = [sys.executable, "-B", str(VERIFIER), str(self.path), "--head", self.head]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.strip(), self.head)
        self.assertNotIn("not compared with a head", result.stderr)

    def test_without_a_head_it_says_that_nothing_was_compared(self):
        code, said = self.check(self.path.read_bytes())
        self.assertEqual(code, 0, said)
        self.assertIn("not compared with a head noted elsewhere", said)

    def test_every_head_on_the_way_is_accepted_and_no_other(self):
        journal = verifier.Journal(None)
        seen = []
        journal.see_head = lambda lsn: seen.append(f"{lsn}:{journal.chain.hex()}")
        for i in self.segments:
            journal.take(verifier.Segment(*self.members[i]))
        journal.finish()
        self.assertEqual(seen[-1], self.head)
        for head in (seen[0], seen[len(seen) // 2], seen[-1]):
            self.assertEqual(self.check(self.path.read_bytes(), "--head", head)[0], 0)
            lsn, digest = head.split(":")
            other = f"{lsn}:{digest[:-1]}{'0' if digest[-1] != '0' else '1'}"
            self.assert_found(self.path.read_bytes(), "another history", "--head", other)
        beyond = f"{len(seen) + 7}:{'0' * 64}"
        self.assert_found(self.path.read_bytes(), "before the head noted", "--head", beyond)

    def test_flipped_bits_are_found(self):
        original = self.path.read_bytes()
        for index in range(0, len(original), 4099):
            archive = bytearray(original)
            archive[index] ^= 4
            code, said = self.check(bytes(archive), "--head", self.head)
            if code == 0:  # bytes that say nothing: between members and behind them
                self.assertEqual(members_of(io_path(self, archive)), self.members)

    def test_flips_in_the_journal_are_found_by_the_chain_alone(self):
        for i in self.segments:
            segment = verifier.Segment(*self.members[i])
            # What is outside of the chain counts in the last segment only.
            ends = [frame.end for _, frame in frames_of(segment)
                    if i == self.segments[-1]
                    or frame.kind not in (verifier.WATERMARK, verifier.SEAL)]
            for at in (0, 20, 60, 4090, 4096 + 3, 4096 + 17, 4096 + 24, 4096 + 60, ends[0] - 1,
                       ends[-1] - 1):
                def flip(data, at=at):
                    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
                self.assert_found(archive_of(with_sums(self.changed(i, flip))), "journal/")

    def test_a_missing_member_is_found(self):
        for i, (name, _) in enumerate(self.members):
            without = self.members[:i] + self.members[i + 1 :]
            self.assert_found(archive_of(without), "NOT good")
            if name.startswith(("journal/", "manifest-", "head")):
                self.assert_found(archive_of(with_sums(without)), "NOT good", "--head", self.head)

    def test_swapped_segments_are_found(self):
        a, b = self.segments[0], self.segments[1]
        members = list(self.members)
        members[a], members[b] = members[b], members[a]
        self.assert_found(archive_of(with_sums(members)), "does not begin at LSN 1")
        members = list(self.members)
        members[a] = (members[a][0], self.members[b][1])
        members[b] = (members[b][0], self.members[a][1])
        self.assert_found(archive_of(with_sums(members)), "its header says")

    def test_a_member_that_is_there_twice_or_strange_is_found(self):
        twice = [self.members[0], *self.members]
        self.assert_found(archive_of(with_sums(twice)), "is there twice")
        for name in ("../evil", "node.key", "journal/x"):
            strange = with_sums([*self.members, (name, b"")])
            self.assert_found(archive_of(strange), "does not belong")

    def test_a_cut_is_found(self):
        original = self.path.read_bytes()
        for length in range(0, len(original) - 3 * 512, max(1, len(original) // 40)):
            self.assert_found(original[:length], "NOT good")
        for i in self.segments:  # cut at a frame, and all else put right
            ends = [frame.end for _, frame in frames_of(verifier.Segment(*self.members[i]))]
            for end in (verifier.SEGMENT_HEADER, ends[0]):
                members = self.changed(i, lambda data, end=end: data[:end])
                self.assert_found(archive_of(with_sums(members)), "journal/")

    def test_the_end_of_history_cannot_be_left_out(self):
        last = self.segments[-1]
        members = [member for i, member in enumerate(self.members) if i != last]
        journal = verifier.Journal(None)
        for i in self.segments[:-1]:
            journal.take(verifier.Segment(*self.members[i]))
        before = verifier.Segment(*self.members[last])
        head = f"{before.first[0] - 1}:{before.previous.hex()}\n".encode()
        members = [(name, head if name == "head" else data) for name, data in members]
        self.assert_found(archive_of(with_sums(members)), "", "--head", self.head)

    def test_a_forged_history_is_found_by_the_head_alone(self):
        same = Forgery(self.members).archive()
        code, said = self.check(same, "--head", self.head, "--key", self.key)
        self.assertEqual(code, 0, said)  # what is made to fit fits

        def other_author(frame, payload):
            if frame.lsn != 2 or frame.kind != verifier.COMMIT:
                return payload
            changed = bytearray(payload)
            changed[-8] ^= 1
            return bytes(changed)

        self.assert_found(Forgery(self.members, other_author).archive(),
                          "the checkpoint signed there belongs to another history")
        forged = Forgery(self.unsigned(), other_author).archive()
        self.assert_found(forged, "no checkpoint is signed", "--key", self.key)
        code, said = self.check(forged)
        self.assertEqual(code, 0, said)
        self.assertIn("a forged backup could look like this", said)
        self.assert_found(forged, "another history", "--head", self.head)

    def test_a_damaged_checkpoint_or_upload_is_found(self):
        for i, (name, data) in enumerate(self.members):
            if name.startswith(("checkpoints/", "uploads/")) and data:
                members = self.changed(i, lambda data: data[:-40] + b"x" + data[-39:])
                self.assert_found(archive_of(with_sums(members)), name)

    # ---- what is in the files ----

    def assert_content_found(self, part, before, after):
        """In one checkpoint after another, with all that names it put right."""
        found = 0
        for name, data in self.unsigned():
            if not name.endswith(part) or before not in data:
                continue
            found += 1
            forged = Forgery(self.unsigned(), edit=lambda one, content, name=name: (
                content.replace(before, after) if one == name else content))
            self.assert_found(forged.archive(), f"{name}: the ")
        self.assertGreater(found, 0, "the workload must have it")

    def test_a_checkpoint_with_other_content_is_found_though_all_its_hashes_fit(self):
        code, said = self.check(Forgery(self.unsigned()).archive(), "--head", self.head)
        self.assertEqual(code, 0, said)
        self.assert_content_found(".graph", b"Quay POP", b"Quay pop")
        self.assert_content_found(".catalog", b"IMPORT_ANSWER", b"IMPORT_ANSWEX")
        self.assert_content_found(".catalog", b"Queued", b"Result")

    def test_a_record_with_another_number_is_found(self):
        name, data, part, body = self.newest_graph()
        identity, number = next(iter(part.read(memoryview(data)).numbers.items()))
        digest = [body["numberDigestLow"], body["numberDigestHigh"]]
        before, after = (graph_body.number_digest(identity, n) for n in (number, number + 1000))
        other = [(lane - old + new) % 2**64 for lane, old, new in zip(digest, before, after)]
        place = body["sections"][graph_body.SECTIONS.index("numbers")][0] + 8 * identity

        def edit(one, content, digest_too):
            if one != name:
                return content
            content = content[:place] + struct.pack("<Q", number + 1000) + content[place + 8 :]
            return content.replace(struct.pack("<QQ", *digest),
                                   struct.pack("<QQ", *(other if digest_too else digest)))

        for digest_too, text in ((False, "the numbers have another digest than the footer"),
                                 (True, "the numbers are not those that the journal leads to")):
            forged = Forgery(self.unsigned(), edit=lambda one, content, too=digest_too: edit(
                one, content, too))
            self.assert_found(forged.archive(), f"{name}: {text}")

    def newest_graph(self):
        name = max(name for name, _ in self.members if name.endswith(".graph"))
        data = dict(self.members)[name]
        part = verifier.CheckpointPart(name, data)
        return name, data, part, stored_state.named("GraphBody", part.footer["body"])

    # What helps to find records is no part of the state that the journal leads to.
    def test_sections_that_do_not_agree_with_the_records_are_found(self):
        name, _, _, body = self.newest_graph()
        changed = 0
        for section, (offset, size) in zip(graph_body.SECTIONS, body["sections"]):
            if section == "records" or size == 0:
                continue
            changed += 1
            place = offset + size - 1

            def edit(one, content, place=place):
                return content if one != name else (
                    content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])

            self.assert_found(Forgery(self.unsigned(), edit=edit).archive(), f"{name}: ")
        self.assertGreaterEqual(changed, 7, "the workload must have them")

    def test_a_damaged_body_is_refused_in_words(self):
        name, data, part, body = self.newest_graph()
        end, _ = verifier.CheckpointPart.behind_body(data)
        state = part.read(memoryview(data))
        chance = random.Random(1)
        for _ in range(300):
            changed = bytearray(data)
            place = chance.randrange(verifier.CHECKPOINT_HEADER, end)
            changed[place] ^= 1 << chance.randrange(8)
            with self.assertRaisesRegex(stored_state.Damaged, "another checksum"):
                part.read(memoryview(bytes(changed)))
            values = dict(body, checksums=pieces_of(bytes(changed)))
            footer = dict(part.footer, body=list(values.values()))
            try:
                read = graph_body.GraphBody(memoryview(bytes(changed))[:end],
                                            verifier.CHECKPOINT_HEADER, footer)
            except stored_state.Damaged:
                continue
            self.assertNotEqual((read.records, read.numbers), (state.records, state.numbers),
                                f"{name}: offset {place}")

    def test_a_footer_may_be_longer_than_other_chunks(self):
        payload = bytes(verifier.PAYLOAD_MAX + 8)
        for kind, fits in ((2, True), (1, False)):
            header = struct.pack("<5IB", verifier.CHUNK_MAGIC, 0, len(payload), 0, 0, kind)
            data = header.ljust(verifier.CHUNK_HEADER, b"\0") + payload
            if fits:
                self.assertEqual(len(verifier.CheckpointPart.chunks(data, 0, len(data))[0]),
                                 len(payload))
            else:
                with self.assertRaises(stored_state.Damaged):
                    verifier.CheckpointPart.chunks(data + data, 0, 2 * len(data))

    def test_hashes_are_those_of_the_algorithm(self):
        text = bytes(i * 7 % 256 for i in range(1100))
        self.assertEqual({length: hashes.xxh3_64(text[:length], length % 4)
                          for length in KNOWN_HASHES}, KNOWN_HASHES)
        self.assertEqual(hashes.crc32c(b"123456789"), 0xE3069283)

    def test_swapped_checkpoint_files_are_found(self):
        names = [name for name, _ in self.members if name.startswith("checkpoints/")]
        content = dict(self.members)
        for a, b in zip(names, names[2:]):  # of one kind, at two LSNs
            members = [(name, content[b if name == a else a if name == b else name])
                       for name, _ in self.unsigned()]
            self.assert_found(archive_of(with_sums(members)), "its header says")
        graph, catalog = sorted(names, reverse=True)[:2]
        members = [(name, content[catalog if name == graph else graph if name == catalog else name])
                   for name, _ in self.unsigned()]
        self.assert_found(archive_of(with_sums(members)), "its header says")

    def test_a_checkpoint_that_the_manifest_does_not_name_is_found(self):
        name = max(name for name, _ in self.members if name.endswith(".graph"))
        lsn = int(name.split("/")[1].split(".")[0])
        later = f"checkpoints/{lsn + 1:020}.graph"
        data = dict(self.members)[name]
        other = data[:32] + struct.pack("<Q", lsn + 1) + data[40 : -verifier.HASH]
        members = [(later, other + hashlib.sha256(other).digest()), *self.unsigned()]
        self.assert_found(archive_of(with_sums(members)), "not named by manifest-")
        without = [member for member in self.unsigned() if member[0] != name]
        self.assert_found(archive_of(with_sums(without)), f"names {name}")

    def test_a_manifest_of_another_time_is_found(self):
        for name in ("manifest-0", "manifest-1"):
            index = next(i for i, member in enumerate(self.members) if member[0] == name)

            def older(data):
                payload = bytearray(data[verifier.MANIFEST_HEADER :])
                at = payload.index(struct.pack("<Q", int(self.head.split(":")[0])))
                payload[at] -= 1
                header = data[:20] + struct.pack("<II", verifier.crc32c(bytes(payload)), 0)
                return header + struct.pack("<I", verifier.crc32c(header)) + bytes(payload)

            members = with_sums(self.changed(index, older))
            self.assert_found(archive_of(members), f"{name}: ")

    def test_a_kept_file_that_is_missing_is_found(self):
        uploads = [name for name, _ in self.members if name.startswith("uploads/")]
        self.assertEqual(len(uploads), len(MAPS), "the workload must keep files")
        for upload in uploads:
            without = [member for member in self.members if member[0] != upload]
            self.assert_found(archive_of(with_sums(without)), f"{upload}: the file of import")

    def test_a_kept_file_that_is_known_to_be_absent_is_told(self):
        folder = Path(self.folder.name) / "without"
        folder.mkdir()
        path, _, _ = make_backup(folder, missing=True)
        code, said = self.check(path.read_bytes())
        self.assertEqual(code, 0, said)
        self.assertIn("without the file of import 1: left out of a backup", said)

    def test_structs_are_those_of_the_schema(self):
        words = {"Bool": "bool", "Text": "text", "Data": "data"}
        structs = {}
        entries = []
        for line in SCHEMA.read_text().splitlines():
            if match := re.match(r"struct (\w+)(?:\(Entry\))? \{", line):
                fields = structs.setdefault(match[1], [])
            elif match := re.match(r"  (\w+) @(\d+) :(List\()?(Change\()?(\w+)\)*;", line):
                name, number, is_list, is_change, kind = match.groups()
                self.assertEqual(int(number), len(fields), line)
                kind = words.get(kind) or re.sub(r"^(U?)Int(\d+)$", lambda m: (
                    ("u" if m[1] else "i") + m[2]), kind)
                kind = {"Action": "u16", "RecordKind": "u16"}.get(kind, kind)
                if is_change:
                    entries.append(kind)
                    kind += "Change"
                fields.append((name, ("*" if is_list else "") + kind))
        change = structs.pop("Change")
        for entry in entries:
            structs[entry + "Change"] = [(name, entry if kind == "Entry" else kind)
                                         for name, kind in change]
        read = {name: list(zip(layout.names, layout.types))
                for name, layout in stored_state.LAYOUTS.items()}
        self.assertEqual({name: structs.get(name) for name in read}, read)
        self.assertEqual(set(structs) - set(read), {"Abort", "Seal"})

    def test_signatures_are_checked(self):
        code, said = self.check(self.path.read_bytes(), "--key", self.key)
        self.assertEqual(code, 0, said)
        self.assertIn("signed up to LSN", said)
        self.assert_found(self.path.read_bytes(), "no checkpoint is signed", "--key", "0" * 64)
        index = next(i for i, member in enumerate(self.members) if member[0] == "signatures")
        lines = self.members[index][1]
        for at in range(0, len(lines) - 1, 7):
            flipped = lines[:at] + bytes([lines[at] ^ 1]) + lines[at + 1 :]
            members = with_sums(self.changed(index, lambda _, new=flipped: new))
            self.assert_found(archive_of(members), "NOT good", "--key", self.key)

    def test_signatures_taken_away_or_moved_are_found(self):
        index = next(i for i, member in enumerate(self.members) if member[0] == "signatures")
        lines = self.members[index][1].splitlines(keepends=True)
        self.assertGreaterEqual(len(lines), 2)
        for i in range(len(lines)):
            without = b"".join(lines[:i] + lines[i + 1 :])
            members = with_sums(self.changed(index, lambda _, new=without: new))
            self.assert_found(archive_of(members), "NOT good", "--key", self.key)
        swapped = b"".join([lines[1], lines[0], *lines[2:]])
        members = with_sums(self.changed(index, lambda _: swapped))
        self.assert_found(archive_of(members), "it does not follow the line before it")
        self.assert_found(archive_of(with_sums(self.unsigned())), "no checkpoint is signed",
                          "--key", self.key)

    def test_a_replaced_checkpoint_is_found_by_its_signature(self):
        newest = max(name for name, _ in self.members if name.endswith(".graph"))
        index = next(i for i, (name, _) in enumerate(self.members) if name == newest)

        def replaced(data):
            at = verifier.CHECKPOINT_HEADER - 1  # of the header's checksum, which is not looked at
            content = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 : -verifier.HASH]
            return content + hashlib.sha256(content).digest()

        members = with_sums(self.changed(index, replaced))
        self.assert_found(archive_of(members), "another than the one that was signed")

    def test_signatures_are_those_of_the_standard(self):
        key = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
        signature = bytes.fromhex(  # RFC 8032, section 7.1, test 1
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39"
            "701cf9b46bd25bf5f0595bbe24655141438e7a100b")
        self.assertTrue(verifier.signature_holds(key, b"", signature))
        self.assertFalse(verifier.signature_holds(key, b"x", signature))

    def test_wrong_use_is_told(self):
        code, said = self.check(self.path.read_bytes(), "--head", "12")
        self.assertEqual(code, 2)
        self.assertIn("LSN:HASH", said)


@contextlib.contextmanager
def without_zstandard():
    which, library = unpacked.shutil.which, unpacked.library
    unpacked.shutil.which, unpacked.library = lambda _: None, None
    try:
        yield
    finally:
        unpacked.shutil.which, unpacked.library = which, library


class VerifyCompressed(unittest.TestCase):
    """A transaction so large that its frames are compressed, and the file that it came from."""

    check = VerifyBackup.check
    assert_found = VerifyBackup.assert_found
    changed = VerifyBackup.changed

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        folder = Path(cls.folder.name)

        def netml(*words):
            subprocess.run([NETML, *words], check=True, capture_output=True, text=True)

        data = ("--data", str(folder / "data"))
        netml("init", "--name", "Net", "--owner", "Org", *data)
        netml("generate", "--topologies", "4", "--nodes", "400", "--links", "400", "-o",
              str(folder / "map.xml"))
        netml("import", str(folder / "map.xml"), *data)
        netml("backup", str(folder / "backup.tar"), *data)
        cls.path = folder / "backup.tar"
        cls.members = members_of(cls.path)
        cls.content = (folder / "map.xml").read_bytes()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def upload(self):
        (found,) = (i for i, (name, _) in enumerate(self.members) if name.startswith("uploads/"))
        return found

    def require_zstandard(self):
        if unpacked.library is None and unpacked.shutil.which("zstd") is None:
            self.skipTest("there is no zstd here")

    def test_it_is_compressed(self):
        frames = [frame for name, data in self.members if name.startswith("journal/")
                  for _, frame in frames_of(verifier.Segment(name, data))]
        self.assertTrue(any(frame.flags & verifier.COMPRESSED for frame in frames))
        name, data = self.members[self.upload()]
        self.assertEqual(name, f"uploads/{hashlib.sha256(self.content).hexdigest()}.zst")
        self.assertLess(len(data) * 4, len(self.content))

    def test_a_good_backup_is_good(self):
        self.require_zstandard()
        code, said = self.check(self.path.read_bytes())
        self.assertEqual(code, 0, said)
        self.assertNotIn("not compared with their names", said)

    def test_a_stored_file_is_unpacked(self):
        self.require_zstandard()
        self.assertEqual(unpacked.stored_content(self.members[self.upload()][1], verifier.crc32c),
                         self.content)

    def test_a_stored_file_that_was_changed_is_found(self):
        self.require_zstandard()
        name, data = self.members[self.upload()]
        for at in [*range(0, len(data), len(data) // 20), *range(len(data) - 40, len(data))]:
            flipped = data[:at] + bytes([data[at] ^ 0x42]) + data[at + 1 :]
            with self.assertRaises(stored_state.Damaged, msg=f"byte {at}"):
                if unpacked.stored_content(flipped, verifier.crc32c) != self.content:
                    raise stored_state.Damaged("other content")
        members = with_sums(self.changed(self.upload(), lambda data: data[:20] + data[21:]))
        self.assert_found(archive_of(members), name)

    def test_without_zstandard_it_says_so(self):
        with without_zstandard():
            code, said = self.check(self.path.read_bytes())
        self.assertEqual(code, 3, said)
        self.assertIn("cannot be checked: it holds compressed parts", said)


def io_path(test, archive):
    path = Path(test.folder.name) / "again.tar"
    path.write_bytes(archive)
    return path


if __name__ == "__main__":
    NETML = os.environ.get("NETML_BINARY", sys.argv[1])
    del sys.argv[1]
    unittest.main()
