"""What the payloads of a node's files say: the part of verify_backup.py that reads Cap'n Proto
messages (capnproto.org/encoding.html), follows the state that the journal leads to, and compares
it with checkpoints. Written from wal/schema/wal.capnp and docs/format/, apart from the program.

Texts stay bytes: whether they are UTF-8 is not this tool's question.
"""

import hashlib
import struct


class Damaged(Exception):
    """What is wrong, and where."""


def refuse_unless(condition, text):
    if not condition:
        raise Damaged(text)


# The structs of wal/schema/wal.capnp that are read here, with all their fields in the order of
# their numbers. Enumerations are u16; X is a struct, *X a list of them.
SCHEMA = """
Effects records:*RecordChange numberings:*Numbering renumberings:*Renumbering tokens:*TokenChange
  settings:*SettingChange imports:*ImportChange published:*PublishedChange accounts:*AccountChange
  rulesets:*RulesetChange rules:*RuleChange plans:*PlanChange sources:*SourceChange
  pollBatches:*PollBatchChange pollRecords:*PollRecordChange peerStates:*PeerStateChange
  sessions:*SessionChange origins:*OriginChange identities:*IdentityChange texts:*RecordText
  overrides:*OverrideChange policies:*PolicyChange
  views:*ViewChange webhooks:*WebhookChange
RecordChange id:u32 action:u16 before:RecordPart after:RecordPart
RecordPart fields:u16 kind:u16 main:bool hasVersion:bool hasStart:bool hasEnd:bool
  hasCoordinates:bool hasAltitude:bool hasEnds:bool origin:u32 endA:u32 endB:u32 latitude:i32
  longitude:i32 version:i64 start:i64 end:i64 altitude:i64 id:text name:text shortName:text
  unlocode:text address:text properties:*Property topologies:*u32 owners:*u32
  furtherFields:u16
RecordText record:u32 field:u16 before:text after:text
Property name:text value:text
Numbering id:u32 number:u64
Renumbering topology:u32 count:u32 first:u64
TokenChange number:u64 before:Token after:Token
Token clientName:text kind:u8 mac:data ciphertext:data created:i64 shown:u64 view:u64
SettingChange number:u64 before:Setting after:Setting
Setting name:text value:text
ImportChange number:u64 before:Import after:Import
Import status:u8 source:u8 name:text tokenClientName:text token:u64 parentTopology:u32
  topologyName:text importedAt:i64 fileHash:data fileBytes:u64 parsed:*u64 imported:*u64
  message:text format:text owner:text changesOf:*text
PublishedChange number:u64 before:Published after:Published
Published status:u8 name:text description:text version:text fileDate:i64 lsn:u64 failure:text
AccountChange number:u64 before:Account after:Account
Account name:text email:text role:u8 enabled:bool sealedPassword:data created:i64
RulesetChange number:u64 before:Ruleset after:Ruleset
Ruleset name:text enabled:bool priority:i16
RuleChange number:u64 before:Rule after:Rule
Rule ruleset:u64 name:text enabled:bool priority:i16 lastOrdinal:u32 criteria:*RulePart
  actions:*RulePart
RulePart number:u64 type:text infos:*RuleInfo
RuleInfo number:u64 key:text value:text
PlanChange number:u64 before:Plan after:Plan
Plan name:text source:u8 tokenClientName:text token:u64 parentTopology:u32 topologyName:text
  fileHash:data fileBytes:u64 plannedAt:i64 lsn:u64 effectsLow:u64 effectsHigh:u64 created:u64
  updated:u64 deleted:u64 importRecord:u64 heldBecause:text format:text owner:text
SourceChange number:u64 before:Source after:Source
Source name:text protocol:u8 hostname:text port:u16 path:text active:bool sealedToken:data
  plainHttp:bool unverified:bool caCertificates:text created:i64 deletionsMax:u64
  deletionPercentMax:u64 authority:u8 listedTopologies:*text kind:u8 filters:*text
  mapping:text
PollBatchChange number:u64 before:PollBatch after:PollBatch
PollBatch scheduled:bool started:i64 finished:bool milliseconds:u64
PollRecordChange number:u64 before:PollRecord after:PollRecord
PollRecord batch:u64 source:u64 status:i8 reason:text httpStatus:u16 message:text importRecord:u64
  hasPolledAt:bool polledAt:i64 pollMilliseconds:u64 hasImportedAt:bool importedAt:i64
  importMilliseconds:u64
PeerStateChange number:u64 before:PeerState after:PeerState
PeerState byAlias:bool etag:text fileHash:data root:u32 parent:u32 failures:u64
  hasSucceededAt:bool succeededAt:i64 hasFailedAt:bool failedAt:i64 hasWaitsUntil:bool
  waitsUntil:i64 url:text hasTopologies:bool topologies:*u32 changesOf:*text
SessionChange number:u64 before:Session after:Session
Session secretHash:data account:u64 created:i64 ended:i64 address:text
OriginChange number:u64 before:Origin after:Origin
Origin name:text origin:text active:bool
IdentityChange number:u64 before:Identity after:Identity
Identity eppn:text email:text displayName:text givenName:text familyName:text account:u64
OverrideChange number:u64 before:Override after:Override
Override kind:u8 element:text fieldName:text value:text delivered:text contested:text toDecide:bool
  reason:text author:text made:i64 until:i64
PolicyChange number:u64 before:Policy after:Policy
Policy name:text policy:text onImport:u8 enabled:bool
ViewChange number:u64 before:View after:View
View name:text view:text
WebhookChange number:u64 before:Webhook after:Webhook
Webhook name:text url:text active:bool sealedSecret:data plainHttp:bool caCertificates:text
  created:i64
Commit frames:u64 bytes:u64 payloadsHash:data created:u64 updated:u64 deleted:u64 nextId:u32
  nextNumber:u64 digestLow:u64 digestHigh:u64 actorKind:u8 actor:text cause:u8 source:text
  fileHash:data requestId:text batch:u64 wallTime:i64 effectiveTime:i64
Footer lsn:u64 chainHash:data digestLow:u64 digestHigh:u64 effectiveTime:i64 chunks:u64
  counts:*u64 nextId:u32 nextNumber:u64 nextEntries:*u64 stateLsn:u64 body:GraphBody
GraphBody sections:*Section pieceBytes:u32 checksums:data mains:*u32 numberDigestLow:u64
  numberDigestHigh:u64
Section offset:u64 bytes:u64
Manifest node:data generation:u64 incarnation:u32 durableLsn:u64 cleanStop:bool
  checkpoints:*Checkpoint segments:*Segment testMode:bool archives:*text absentFiles:*AbsentFile
AbsentFile sha256:data why:u8
Checkpoint lsn:u64 graph:FileReference catalog:FileReference recoveryBase:bool published:bool
  createdAt:i64 format:u16
FileReference name:text bytes:u64 sha256:data
Segment number:u64 firstLsn:u64 sealed:bool bytes:u64 chainHash:data archive:u16 sha256:data
"""

NUMBERS = {"u8": "B", "i8": "b", "u16": "H", "i16": "h", "u32": "I", "i32": "i", "u64": "Q",
           "i64": "q"}
WORD = 8


class Holes:
    """Where fields go that are smaller than a word: into the first gap that has room."""

    def __init__(self):
        self.words = 0
        self.holes = {}  # by the logarithm of their bits: offset in units of that size

    def take_hole(self, log):
        if log >= 6:
            return None
        if log in self.holes:
            return self.holes.pop(log)
        larger = self.take_hole(log + 1)
        if larger is None:
            return None
        self.holes[log] = 2 * larger + 1
        return 2 * larger

    def place(self, bits):
        """The offset of a new field, in units of its size."""
        log = bits.bit_length() - 1
        offset = self.take_hole(log)
        if offset is None:
            offset = self.words << (6 - log)
            self.words += 1
            end = offset + 1
            for smaller in range(log, 6):
                self.holes[smaller] = end
                end = (end + 1) // 2
        return offset


class Layout:
    """Where the fields of a struct lie, and how they are read."""

    def __init__(self, fields):
        self.names = [name for name, _ in fields]
        self.types = [kind for _, kind in fields]
        self.index = {name: i for i, name in enumerate(self.names)}
        self.data = []  # (index, number format or None for a bit, offset in bytes, bit)
        self.pointers = []  # (index, place, type)
        holes = Holes()
        for i, (_, kind) in enumerate(fields):
            if kind == "bool":
                bit = holes.place(1)
                self.data.append((i, None, bit // 8, bit % 8))
            elif kind in NUMBERS:
                number = struct.Struct("<" + NUMBERS[kind])
                self.data.append((i, number, holes.place(8 * number.size) * number.size, 0))
            else:
                self.pointers.append((i, len(self.pointers), kind))


def parse_schema(text):
    layouts = {}
    for line in text.replace("\n  ", " ").strip().split("\n"):
        name, *fields = line.split()
        layouts[name] = Layout([tuple(field.split(":")) for field in fields])
    return layouts


LAYOUTS = parse_schema(SCHEMA)


class Message:
    """One Cap'n Proto message of one segment, without the segment table. A struct becomes a list
    of its fields' values; a struct that is not there becomes None."""

    def __init__(self, payload):
        self.bytes = payload
        self.words = len(payload) // WORD
        # No payload of the program comes near: it keeps one that points to itself from growing.
        self.words_left = 16 * self.words + 64

    def root(self, name):
        return self.read_struct_at(0, LAYOUTS[name])

    def pointer(self, at):
        refuse_unless(0 <= at < self.words, "a message is cut off")
        return struct.unpack_from("<q", self.bytes, at * WORD)[0]

    def claim(self, begin, words):
        self.words_left -= words
        refuse_unless(begin >= 0 and begin + words <= self.words and self.words_left >= 0,
                      "a message points out of itself")

    def read_struct_at(self, at, layout):
        pointer = self.pointer(at)
        if pointer == 0:
            return None
        refuse_unless(pointer & 3 == 0, "a message has a pointer that is no struct's")
        begin = at + 1 + ((pointer & 0xFFFFFFFF) - ((pointer & 0x80000000) << 1) >> 2)
        data, pointers = pointer >> 32 & 0xFFFF, pointer >> 48 & 0xFFFF
        self.claim(begin, data + pointers)
        return self.read_struct(begin, data, pointers, layout)

    def read_struct(self, begin, data, pointers, layout):
        values = [None] * len(layout.names)
        offset, end = begin * WORD, data * WORD
        for i, number, at, bit in layout.data:
            if number is None:
                values[i] = bool(at < end and self.bytes[offset + at] >> bit & 1)
            else:
                values[i] = (number.unpack_from(self.bytes, offset + at)[0]
                             if at + number.size <= end else 0)
        for i, place, kind in layout.pointers:
            at = begin + data + place
            values[i] = self.read_pointed(at if place < pointers else None, kind)
        return values

    def read_pointed(self, at, kind):
        if kind in LAYOUTS:
            return None if at is None else self.read_struct_at(at, LAYOUTS[kind])
        if kind.startswith("*"):
            return () if at is None else self.read_list(at, kind[1:])
        content = b"" if at is None else self.read_bytes(at)
        if kind == "text" and content:
            refuse_unless(content[-1] == 0, "a text does not end")
            content = content[:-1]
        return content

    def list_at(self, at):
        """Where it begins, the size that its elements have, and how many there are."""
        pointer = self.pointer(at)
        if pointer == 0:
            return 0, None, 0
        refuse_unless(pointer & 3 == 1, "a message has a pointer that is no list's")
        begin = at + 1 + ((pointer & 0xFFFFFFFF) - ((pointer & 0x80000000) << 1) >> 2)
        return begin, pointer >> 32 & 7, pointer >> 35 & 0x1FFFFFFF

    def read_bytes(self, at):
        begin, size, count = self.list_at(at)
        if size is None:
            return b""
        refuse_unless(size == 2, "a message has a list of another kind than bytes")
        self.claim(begin, (count + WORD - 1) // WORD)
        return bytes(self.bytes[begin * WORD : begin * WORD + count])

    def read_list(self, at, kind):
        begin, size, count = self.list_at(at)
        if size is None:
            return ()
        if kind in NUMBERS:
            number = NUMBERS[kind]
            refuse_unless(size == {"I": 4, "Q": 5}[number], "a message has another kind of list")
            self.claim(begin, (count * struct.calcsize(number) + WORD - 1) // WORD)
            return struct.unpack_from(f"<{count}{number}", self.bytes, begin * WORD)
        if kind == "text":
            refuse_unless(size == 6, "a message has another kind of list")
            self.claim(begin, count)
            return tuple(self.read_pointed(begin + i, "text") for i in range(count))
        refuse_unless(size == 7, "a message has another kind of list")
        self.claim(begin, count + 1)
        tag = self.pointer(begin)
        items = (tag & 0xFFFFFFFF) >> 2
        data, pointers = tag >> 32 & 0xFFFF, tag >> 48 & 0xFFFF
        refuse_unless(tag & 3 == 0 and items * (data + pointers) <= count and data + pointers > 0,
                      "a message has a list that does not fit")
        layout = LAYOUTS[kind]
        return tuple(self.read_struct(begin + 1 + i * (data + pointers), data, pointers, layout)
                     for i in range(items))


def named(kind, values):
    return dict(zip(LAYOUTS[kind].names, values))


# ---- the state ----

TABLES = [name for name, kind in zip(LAYOUTS["Effects"].names, LAYOUTS["Effects"].types)
          if kind.endswith("Change") and name != "records"]
PART = LAYOUTS["RecordPart"].index
KIND, TOPOLOGIES, OWNERS = PART["kind"], PART["topologies"], PART["owners"]
FURTHER = PART["furtherFields"]  # in a state: the texts of these fields that are not empty
CREATE, UPDATE, DELETE = range(3)
# By the bits of RecordPart.fields: what an update takes over.
UPDATED = {
    bit: [PART[name] for name in names.split()]
    for bit, names in {
        1: "main", 2: "id", 4: "name", 8: "shortName", 16: "hasVersion version",
        32: "hasStart start", 64: "hasEnd end", 128: "hasCoordinates latitude longitude",
        256: "hasAltitude altitude", 512: "unlocode", 1024: "address", 2048: "properties",
        16384: "hasEnds endA endB", 32768: "origin",
    }.items()
}
INSTITUTION, NODE, LINK = 1, 2, 3


class State:
    """What transactions lead to: records with their numbers, and the tables of the catalog."""

    def __init__(self):
        self.records = {}  # by identity: the values of a RecordPart
        self.numbers = {}
        self.members = {}  # by the identity of a topology
        self.tables = {name: {} for name in TABLES}
        self.next_entries = {name: 1 for name in TABLES}

    def apply(self, payloads):
        """The EFFECTS payloads of one transaction, or of a checkpoint."""
        try:
            self.apply_effects(payloads)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError, struct.error) as error:
            raise Damaged(f"a payload cannot be read: {error}") from error

    def apply_effects(self, payloads):
        numberings, renumberings = [], []
        for payload in payloads:
            effects = named("Effects", Message(payload).root("Effects") or ())
            texts = effects.get("texts", ())
            for place, change in enumerate(effects.get("records", ())):
                self.change_record(*change)
                if texts:
                    self.change_texts(change, [text[1:] for text in texts if text[0] == place])
            numberings += effects.get("numberings", ())
            renumberings += effects.get("renumberings", ())
            for name in TABLES:
                for number, _, after in effects.get(name, ()):
                    self.change_entry(name, number, after)
        for identity, number in numberings:
            refuse_unless(identity in self.records, f"record {identity} is numbered, not there")
            self.numbers[identity] = number
        for topology, count, first in renumberings:
            self.renumber(topology, count, first)

    def change_entry(self, name, number, after):
        self.next_entries[name] = max(self.next_entries[name], number + 1)
        if after is None:
            self.tables[name].pop(number, None)
        else:
            self.tables[name][number] = after

    def change_record(self, identity, action, before, after):
        refuse_unless((identity in self.records) == (action != CREATE) and action <= DELETE,
                      f"record {identity} is not what a transaction found")
        if action == DELETE:
            self.leave(identity, self.records.pop(identity)[TOPOLOGIES])
            self.numbers.pop(identity, None)
            return
        if action == CREATE:
            record = list(after)
            record[PART["fields"]] = 0
            record[FURTHER] = ()
        else:
            refuse_unless(action == UPDATE, "a kind of change that this tool does not know")
            record = self.records[identity]
            self.leave(identity, record[TOPOLOGIES])
            for bit, places in UPDATED.items():
                if after[0] & bit:
                    for place in places:
                        record[place] = after[place]
        for place in (TOPOLOGIES, OWNERS):
            kept = set(record[place]).difference(before[place] if before else ())
            record[place] = tuple(sorted(kept.union(after[place])))
        self.records[identity] = record
        for topology in record[TOPOLOGIES]:
            self.members.setdefault(topology, set()).add(identity)

    def change_texts(self, change, texts):
        """Those of a record that have no place in RecordPart, as pairs of field and text."""
        identity, action, _, _ = change
        if action == DELETE:
            return
        record = self.records[identity]
        now = dict(record[FURTHER]) if action == UPDATE else {}
        now.update((field, after) for field, _, after in texts)
        record[FURTHER] = tuple(sorted((field, text) for field, text in now.items() if text))

    def leave(self, identity, topologies):
        for topology in topologies:
            self.members[topology].discard(identity)

    def renumber(self, topology, count, first):
        members = sorted((self.records[one][KIND], one) for one in self.members.get(topology, ())
                         if self.records[one][KIND] in (INSTITUTION, NODE, LINK))
        refuse_unless(len(members) == count, f"topology {topology} has {len(members)} members, but "
                      f"{count} are numbered")
        for place, (_, identity) in enumerate(members):
            self.numbers[identity] = first + place

    def has(self, part):
        return bool({"records": self.records, "numbers": self.numbers, **self.tables}[part])

    def hashes(self):
        """By the name of each part of the state: a hash of its content."""
        parts = {"records": self.records, "numbers": self.numbers, **self.tables}
        return {name: hash_of(entries) for name, entries in parts.items()}

    def kept_files(self):
        """The files that imports, other than those that were aborted, and plans name, each with
        what names it."""
        aborted = 3
        files = {}
        for table, word in (("imports", "import"), ("plans", "plan")):
            kind = "Import" if table == "imports" else "Plan"
            for number, values in self.tables[table].items():
                entry = named(kind, values)
                if any(entry["fileHash"]) and entry.get("status") != aborted:
                    files.setdefault(entry["fileHash"].hex(), f"{word} {number}")
        return files


def hash_of(entries):
    content = hashlib.sha256()
    for key in sorted(entries):
        if entries[key] != 0:  # 0: a record without a number
            content.update(repr((key, entries[key])).encode())
    return content.hexdigest()
