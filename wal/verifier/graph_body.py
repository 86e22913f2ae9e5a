"""The graph of a checkpoint as it is stored since version 4 of the format: sections that the
program uses where they lie. Written from docs/format/checkpoint.md and docs/format/digest.md, apart
from the program.

All of it is looked at: each piece is compared with its checksum, each record read to its last byte,
and what only helps to find records is worked out again from the records.
"""

import struct

from hashes import MASK, crc32c, xxh3_64
from stored_state import FURTHER, LAYOUTS, PART, named, refuse_unless

SECTIONS = ("records", "record offsets", "kinds", "numbers", "edges", "identifiers",
            "crowded identifiers", "copies")
KEYS = SECTIONS[4:]
SECTIONS += tuple(f"first {name}" for name in KEYS)
PIECE = 16 << 10
ALIGNMENT = 8
RECORDS_OF_LEAF = 64
KEYS_OF_LEAF = 256
NEVER_COUNTED = 0xFFFFFFFF
KINDS = ("topology", "institution", "node", "link")
TOPOLOGY = 0

ATTRIBUTES = struct.Struct("<BB5HI")
TEXTS = ("id", "name", "shortName", "unlocode", "address")
MAIN, COPY, FURTHER_TEXTS = 1, 64, 128
# By their flag: format, and what they fill.
VALUES = {2: ("<q", "hasVersion", "version"), 4: ("<q", "hasStart", "start"),
          8: ("<q", "hasEnd", "end"), 16: ("<ii", "hasCoordinates", "latitude", "longitude"),
          32: ("<q", "hasAltitude", "altitude")}
MARK_OF_COPY = b"!-from_topology"
FIRST_FURTHER_FIELD = 16


def padded(size):
    return -size % ALIGNMENT


class Reader:
    """Takes bytes from a part of a section, in their order."""

    def __init__(self, data, at, end):
        self.data, self.at, self.end = data, at, end

    def take(self, size):
        begin = self.at
        refuse_unless(size <= self.end - begin, "a record is longer than its place")
        self.at = begin + size
        return bytes(self.data[begin : self.at])

    def numbers(self, form):
        return struct.unpack(form, self.take(struct.calcsize(form)))

    def pad(self, size):
        refuse_unless(not any(self.take(padded(size))), "something is behind a record")


def empty_part():
    """The values of a RecordPart that says nothing."""
    empty = {"bool": False, "text": b""}
    layout = LAYOUTS["RecordPart"]
    part = [() if kind.startswith("*") else empty.get(kind, 0) for kind in layout.types]
    part[FURTHER] = ()
    return part


def number_digest(identity, number):
    """The two lanes that the number of a record adds (docs/format/digest.md)."""

    def mix(value):
        value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & MASK
        value = (value ^ value >> 27) * 0x94D049BB133111EB & MASK
        return value ^ value >> 31

    low = mix(number + 0x9E3779B97F4A7C15 * (identity + 1) & MASK)
    return low, mix(low ^ 3)


class GraphBody:
    """`data` ends with the body, which begins at `begin`. Raises Damaged."""

    def __init__(self, data, begin, footer):
        self.data = data
        self.footer = footer
        refuse_unless(footer.get("body"), "the footer describes no body")
        self.body = named("GraphBody", footer["body"])
        self.records = {}
        self.numbers = {}
        self.copies = []
        self.check_pieces(begin)
        self.places = self.read_places(begin)
        self.read_records()
        self.read_numbers()
        self.check_counts()
        self.check_keys()

    def check_pieces(self, begin):
        refuse_unless(self.body["pieceBytes"] == PIECE, "the pieces have another size")
        sums = [crc32c(self.data[at : at + PIECE]) for at in range(begin, len(self.data), PIECE)]
        listed = self.body["checksums"]
        refuse_unless(len(listed) == 4 * len(sums), "there are other pieces than checksums")
        for i, (wanted,) in enumerate(struct.iter_unpack("<I", listed)):
            refuse_unless(sums[i] == wanted, f"offset {begin + i * PIECE}: the bytes have another "
                          "checksum than the footer lists")

    def read_places(self, at):
        """Begin and end of each section. They follow one another without gaps."""
        places = {}
        refuse_unless(len(self.body["sections"]) == len(SECTIONS), "there are other sections")
        for name, (offset, size) in zip(SECTIONS, self.body["sections"]):
            refuse_unless(offset == at and size <= len(self.data) - at,
                          f"the section of {name} is not where it should be")
            places[name] = (at, at + size)
            at += size + padded(size)
            refuse_unless(at <= len(self.data) and not any(self.data[at - padded(size) : at]),
                          f"something is behind the section of {name}")
        refuse_unless(at == len(self.data), "something is behind the last section")
        return places

    def words(self, name):
        begin, end = self.places[name]
        refuse_unless((end - begin) % 8 == 0, f"the section of {name} is cut off")
        return struct.unpack_from(f"<{(end - begin) // 8}Q", self.data, begin)

    # ---- records ----

    def read_records(self):
        begin, end = self.places["kinds"]
        kinds = bytes(self.data[begin:end])
        refuse_unless(len(kinds) == self.footer["nextId"] and kinds[:1] == b"\0",
                      "the kinds are not those of the identities that were given")
        begin, end = self.places["records"]
        reader = Reader(self.data, begin, end)
        offsets = []
        for identity, entry in enumerate(kinds):
            if identity % RECORDS_OF_LEAF == 0:
                offsets.append(reader.at - begin)
            if entry != 0:
                self.records[identity] = self.read_record(reader, identity)
                refuse_unless(self.records[identity][PART["kind"]] == entry - 1,
                              f"record {identity} has another kind than is listed")
        refuse_unless(reader.at == end, "there are more records than kinds")
        refuse_unless(list(self.words("record offsets")) == offsets + [reader.at - begin],
                      "the records do not begin where the offsets say")

    def read_record(self, reader, identity):
        part = empty_part()
        count, size = reader.numbers("<II")
        refuse_unless(count == NEVER_COUNTED, f"record {identity} is counted")
        attributes = Reader(self.data, reader.at, reader.at + size)
        reader.take(size)
        if self.read_attributes(attributes, part):
            self.copies.append(identity)
        refuse_unless(attributes.at == attributes.end, f"record {identity} has more than it says")
        reader.pad(8 + size)
        count, topologies, owners, part[PART["origin"]] = reader.numbers("<4I")
        refuse_unless(count == NEVER_COUNTED, f"the relations of record {identity} are counted")
        has_ends, owners = bool(owners >> 31), owners & 0x7FFFFFFF
        part[PART["topologies"]] = reader.numbers(f"<{topologies}I")
        part[PART["owners"]] = reader.numbers(f"<{owners}I")
        if has_ends:
            part[PART["hasEnds"]] = True
            part[PART["endA"]], part[PART["endB"]] = reader.numbers("<II")
        reader.pad(4 * (topologies + owners + 2 * has_ends))
        return part

    @staticmethod
    def read_attributes(reader, part):
        """Fills `part`, and tells whether it is a copy."""
        kind, flags, *lengths, properties = reader.numbers(ATTRIBUTES.format)
        refuse_unless(kind < len(KINDS), f"there is no kind {kind}")
        part[PART["kind"]] = kind
        part[PART["main"]] = bool(flags & MAIN)
        for flag, (form, has, *names) in VALUES.items():
            if flags & flag:
                part[PART[has]] = True
                for name, value in zip(names, reader.numbers(form)):
                    part[PART[name]] = value
        for name, length in zip(TEXTS, lengths):
            part[PART[name]] = reader.take(length)
        if flags & FURTHER_TEXTS:
            part[FURTHER] = read_further(reader)
        read = []
        for _ in range(properties):
            length, value_length = reader.numbers("<II")
            read.append([reader.take(length), reader.take(value_length)])
        part[PART["properties"]] = tuple(read)
        is_copy = any(name == MARK_OF_COPY for name, _ in read)
        refuse_unless(is_copy == bool(flags & COPY), "a record is no copy, or is not marked as one")
        return is_copy

    # ---- what is beside the records ----

    def read_numbers(self):
        numbers = self.words("numbers")
        refuse_unless(len(numbers) == self.footer["nextId"],
                      "the numbers are not those of the identities that were given")
        self.numbers = {identity: number for identity, number in enumerate(numbers) if number}
        for identity in self.numbers:
            refuse_unless(identity in self.records, f"record {identity} is numbered, not there")
        digests = [number_digest(*entry) for entry in self.numbers.items()]
        sums = tuple(sum(lane) & MASK for lane in zip(*digests)) or (0, 0)
        refuse_unless(sums == (self.body["numberDigestLow"], self.body["numberDigestHigh"]),
                      "the numbers have another digest than the footer says")

    def check_counts(self):
        counts = [0] * len(KINDS)
        mains = []
        for identity, part in self.records.items():
            counts[part[PART["kind"]]] += 1
            if part[PART["main"]]:
                mains.append(identity)
        refuse_unless(list(self.footer["counts"]) == counts, "the footer has other counts")
        refuse_unless(list(self.body["mains"]) == mains, "the footer has other main topologies")

    def check_keys(self):
        edges, identifiers, known, crowded = [], [], set(), set()
        for identity, part in self.records.items():
            kind, topologies = part[PART["kind"]], part[PART["topologies"]]
            targets = {0} if kind == TOPOLOGY and not topologies else set(topologies)
            targets.update(part[PART["owners"]])
            if part[PART["hasEnds"]]:
                targets.update((part[PART["endA"]], part[PART["endB"]]))
            edges += [target << 32 | identity for target in targets]
            hash_ = xxh3_64(part[PART["id"]], kind) & 0xFFFFFFFF
            identifiers.append(hash_ << 32 | identity)
            called = (kind, part[PART["id"]])
            if called in known:
                crowded.add(hash_)
            known.add(called)
        for name, keys in zip(KEYS, (edges, identifiers, crowded, self.copies)):
            keys = tuple(sorted(keys))
            refuse_unless(self.words(name) == keys,
                          f"the section of {name} is not what the records lead to")
            refuse_unless(self.words(f"first {name}") == keys[::KEYS_OF_LEAF],
                          f"the section of first {name} is not that of the {name}")


def read_further(reader):
    """The texts of the fields that came later, as pairs of field and text."""
    (size,) = reader.numbers("<I")
    end = reader.at + size
    texts = []
    while reader.at < end:
        field, length = reader.numbers("<HH")
        refuse_unless(field >= (texts[-1][0] + 1 if texts else FIRST_FURTHER_FIELD) and length > 0,
                      "the further texts of a record are not in their order")
        texts.append((field, reader.take(length)))
    refuse_unless(reader.at == end and texts, "the further texts of a record have another length")
    return tuple(texts)
