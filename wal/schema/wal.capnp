# The payloads of journal frames, checkpoint chunks and the manifest (docs/format/).
#
# Rules for change (C3): add fields with the next number only; never renumber, retype, reuse or
# change a default. A retired field keeps its number. Everything here is since version 1, unless it
# says otherwise.
# What must be read to replay correctly needs a new frame kind, chunk kind or enumerant, which an
# older program refuses; a new field is for what an older program may ignore. A field of records
# needs none of these: programs from version 3 on refuse a field of a record that they do not know.
@0xc2c6a1f0a7b45d1e;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("netml::wal::schema");

# ---- journal: EFFECTS frames; checkpoints: chunks ----

# A part of a transaction. In a checkpoint: entries created and, before version 4, records created,
# with their numbers.
struct Effects {
  records @0 :List(RecordChange);
  numberings @1 :List(Numbering);
  renumberings @2 :List(Renumbering);
  tokens @3 :List(Change(Token));
  settings @4 :List(Change(Setting));
  imports @5 :List(Change(Import));
  published @6 :List(Change(Published));
  accounts @7 :List(Change(Account));
  rulesets @8 :List(Change(Ruleset));
  rules @9 :List(Change(Rule));
  plans @10 :List(Change(Plan));
  sources @11 :List(Change(Source));
  pollBatches @12 :List(Change(PollBatch));
  pollRecords @13 :List(Change(PollRecord));
  peerStates @14 :List(Change(PeerState));
  sessions @15 :List(Change(Session));
  origins @16 :List(Change(Origin));
  identities @17 :List(Change(Identity));
  texts @18 :List(RecordText);  # since version 3: of `records`, in their order
  overrides @19 :List(Change(Override));
  policies @20 :List(Change(Policy));
  views @21 :List(Change(View));
  webhooks @22 :List(Change(Webhook));
}

# A creation has all fields in `after`; a deletion all in `before`; an update has the fields that
# differ in both.
struct RecordChange {
  id @0 :UInt32;
  action @1 :Action;
  before @2 :RecordPart;
  after @3 :RecordPart;
}

enum Action {
  create @0;
  update @1;
  delete @2;
}

# Bits of RecordPart.fields and, from the seventeenth on, of RecordPart.furtherFields. The further
# ones have no names here: they are described in engine/graph/attributes.hpp alone.
const fieldMain :UInt16 = 1;
const fieldId :UInt16 = 2;
const fieldName :UInt16 = 4;
const fieldShortName :UInt16 = 8;
const fieldVersion :UInt16 = 16;
const fieldStart :UInt16 = 32;
const fieldEnd :UInt16 = 64;
const fieldCoordinates :UInt16 = 128;
const fieldAltitude :UInt16 = 256;
const fieldUnlocode :UInt16 = 512;
const fieldAddress :UInt16 = 1024;
const fieldProperties :UInt16 = 2048;
const fieldTopologies :UInt16 = 4096;
const fieldOwners :UInt16 = 8192;
const fieldEnds :UInt16 = 16384;
const fieldOrigin :UInt16 = 32768;

struct RecordPart {
  fields @0 :UInt16;  # updates: which fields this part speaks of
  kind @1 :RecordKind;
  main @2 :Bool;
  hasVersion @3 :Bool;
  hasStart @4 :Bool;
  hasEnd @5 :Bool;
  hasCoordinates @6 :Bool;
  hasAltitude @7 :Bool;
  hasEnds @8 :Bool;
  origin @9 :UInt32;
  endA @10 :UInt32;
  endB @11 :UInt32;
  latitude @12 :Int32;   # millionths of a degree
  longitude @13 :Int32;
  version @14 :Int64;    # seconds since 1970
  start @15 :Int64;
  end @16 :Int64;
  altitude @17 :Int64;   # millionths of a metre
  id @18 :Text;
  name @19 :Text;
  shortName @20 :Text;
  unlocode @21 :Text;
  address @22 :Text;
  properties @23 :List(Property);   # updates: the whole list
  topologies @24 :List(UInt32);     # updates: in `before` those removed, in `after` those added
  owners @25 :List(UInt32);         # likewise
  furtherFields @26 :UInt16;        # since version 3: the next sixteen bits of `fields`
}

# A field that came after those of RecordPart, where it is not empty. The lists of a payload stand
# apart from its records, so that a record without such a field takes no more room than before.
struct RecordText {
  record @0 :UInt32;  # its place in Effects.records
  field @1 :UInt16;   # the place of its bit
  before @2 :Text;
  after @3 :Text;
}

enum RecordKind {
  topology @0;
  institution @1;
  node @2;
  link @3;
}

struct Property {
  name @0 :Text;
  value @1 :Text;
}

struct Numbering {
  id @0 :UInt32;
  number @1 :UInt64;
}

struct Renumbering {
  topology @0 :UInt32;
  count @1 :UInt32;
  first @2 :UInt64;
}

# Catalog entries are whole values; null = the entry does not exist then.
struct Change(Entry) {
  number @0 :UInt64;
  before @1 :Entry;
  after @2 :Entry;
}

struct Token {
  clientName @0 :Text;
  kind @1 :UInt8;
  mac @2 :Data;
  ciphertext @3 :Data;
  created @4 :Int64;
  shown @5 :UInt64;
  view @6 :UInt64;
}

struct Setting {
  name @0 :Text;
  value @1 :Text;
}

struct Import {
  status @0 :UInt8;
  source @1 :UInt8;
  name @2 :Text;
  tokenClientName @3 :Text;
  token @4 :UInt64;
  parentTopology @5 :UInt32;
  topologyName @6 :Text;
  importedAt @7 :Int64;
  fileHash @8 :Data;
  fileBytes @9 :UInt64;
  parsed @10 :List(UInt64);     # by record kind
  imported @11 :List(UInt64);
  message @12 :Text;
  format @13 :Text;
  owner @14 :Text;
  changesOf @15 :List(Text);
}

struct Published {
  status @0 :UInt8;
  name @1 :Text;
  description @2 :Text;
  version @3 :Text;
  fileDate @4 :Int64;
  lsn @5 :UInt64;
  failure @6 :Text;
}

struct Account {
  name @0 :Text;
  email @1 :Text;
  role @2 :UInt8;
  enabled @3 :Bool;
  sealedPassword @4 :Data;
  created @5 :Int64;
}

struct Ruleset {
  name @0 :Text;
  enabled @1 :Bool;
  priority @2 :Int16;
}

struct Rule {
  ruleset @0 :UInt64;
  name @1 :Text;
  enabled @2 :Bool;
  priority @3 :Int16;
  lastOrdinal @4 :UInt32;
  criteria @5 :List(RulePart);
  actions @6 :List(RulePart);
}
struct RulePart {
  number @0 :UInt64;
  type @1 :Text;
  infos @2 :List(RuleInfo);
}
struct RuleInfo {
  number @0 :UInt64;
  key @1 :Text;
  value @2 :Text;
}

struct Plan {
  name @0 :Text;
  source @1 :UInt8;
  tokenClientName @2 :Text;
  token @3 :UInt64;
  parentTopology @4 :UInt32;
  topologyName @5 :Text;
  fileHash @6 :Data;
  fileBytes @7 :UInt64;
  plannedAt @8 :Int64;
  lsn @9 :UInt64;
  effectsLow @10 :UInt64;
  effectsHigh @11 :UInt64;
  created @12 :UInt64;
  updated @13 :UInt64;
  deleted @14 :UInt64;
  importRecord @15 :UInt64;
  heldBecause @16 :Text;
  format @17 :Text;
  owner @18 :Text;
}

struct Source {
  name @0 :Text;
  protocol @1 :UInt8;
  hostname @2 :Text;
  port @3 :UInt16;
  path @4 :Text;
  active @5 :Bool;
  sealedToken @6 :Data;
  plainHttp @7 :Bool;
  unverified @8 :Bool;
  caCertificates @9 :Text;
  created @10 :Int64;
  deletionsMax @11 :UInt64;         # one more than it is; 0 = none
  deletionPercentMax @12 :UInt64;   # likewise
  authority @13 :UInt8;
  listedTopologies @14 :List(Text);
  kind @15 :UInt8;
  filters @16 :List(Text);
  mapping @17 :Text;
}

struct PollBatch {
  scheduled @0 :Bool;
  started @1 :Int64;
  finished @2 :Bool;
  milliseconds @3 :UInt64;
}

struct PollRecord {
  batch @0 :UInt64;
  source @1 :UInt64;
  status @2 :Int8;
  reason @3 :Text;
  httpStatus @4 :UInt16;
  message @5 :Text;
  importRecord @6 :UInt64;
  hasPolledAt @7 :Bool;
  polledAt @8 :Int64;
  pollMilliseconds @9 :UInt64;
  hasImportedAt @10 :Bool;
  importedAt @11 :Int64;
  importMilliseconds @12 :UInt64;
}

struct PeerState {
  byAlias @0 :Bool;
  etag @1 :Text;
  fileHash @2 :Data;
  root @3 :UInt32;
  parent @4 :UInt32;
  failures @5 :UInt64;
  hasSucceededAt @6 :Bool;
  succeededAt @7 :Int64;
  hasFailedAt @8 :Bool;
  failedAt @9 :Int64;
  hasWaitsUntil @10 :Bool;
  waitsUntil @11 :Int64;
  url @12 :Text;
  hasTopologies @13 :Bool;
  topologies @14 :List(UInt32);
  changesOf @15 :List(Text);
}

struct Session {
  secretHash @0 :Data;
  account @1 :UInt64;
  created @2 :Int64;
  ended @3 :Int64;
  address @4 :Text;
}

struct Origin {
  name @0 :Text;
  origin @1 :Text;
  active @2 :Bool;
}

struct Identity {
  eppn @0 :Text;
  email @1 :Text;
  displayName @2 :Text;
  givenName @3 :Text;
  familyName @4 :Text;
  account @5 :UInt64;
}

struct Override {
  kind @0 :UInt8;
  element @1 :Text;
  fieldName @2 :Text;
  value @3 :Text;
  delivered @4 :Text;
  contested @5 :Text;
  toDecide @6 :Bool;
  reason @7 :Text;
  author @8 :Text;
  made @9 :Int64;
  until @10 :Int64;
}

struct Policy {
  name @0 :Text;
  policy @1 :Text;
  onImport @2 :UInt8;
  enabled @3 :Bool;
}

struct View {
  name @0 :Text;
  view @1 :Text;
}

struct Webhook {
  name @0 :Text;
  url @1 :Text;
  active @2 :Bool;
  sealedSecret @3 :Data;
  plainHttp @4 :Bool;
  caCertificates @5 :Text;
  created @6 :Int64;
}

# ---- journal: the other frames ----

struct Commit {
  frames @0 :UInt64;         # EFFECTS frames before this one
  bytes @1 :UInt64;          # of their payloads
  payloadsHash @2 :Data;     # SHA-256 over the SHA-256 of each of their payloads
  created @3 :UInt64;
  updated @4 :UInt64;
  deleted @5 :UInt64;
  nextId @6 :UInt32;         # of the state afterwards, as are the following
  nextNumber @7 :UInt64;
  digestLow @8 :UInt64;
  digestHigh @9 :UInt64;

  actorKind @10 :UInt8;
  actor @11 :Text;
  cause @12 :UInt8;
  source @13 :Text;
  fileHash @14 :Data;        # empty = none
  requestId @15 :Text;
  batch @16 :UInt64;
  wallTime @17 :Int64;       # microseconds since 1970
  effectiveTime @18 :Int64;
}

struct Abort {
  reason @0 :Text;
  frames @1 :UInt64;
  bytes @2 :UInt64;
}

struct Seal {
  frames @0 :UInt64;    # in this segment before this one, watermarks too
  bytes @1 :UInt64;     # of the file after this frame
}

# ---- checkpoints: the last chunk ----

struct Footer {
  lsn @0 :UInt64;
  chainHash @1 :Data;
  digestLow @2 :UInt64;      # of this file's part of the state
  digestHigh @3 :UInt64;
  effectiveTime @4 :Int64;
  chunks @5 :UInt64;         # before this one
  counts @6 :List(UInt64);   # graph: records by kind; catalog: entries by table
  nextId @7 :UInt32;
  nextNumber @8 :UInt64;
  nextEntries @9 :List(UInt64);  # the next number of each table
  stateLsn @10 :UInt64;          # of the last transaction committed; lsn counts aborted ones too
  body @11 :GraphBody;           # since version 4, of a graph
}

# What lies between the header and the footer of a graph's file.
struct GraphBody {
  sections @0 :List(Section);     # in the order of docs/format/checkpoint.md
  pieceBytes @1 :UInt32;
  checksums @2 :Data;             # CRC32C of each piece, 4 bytes each
  mains @3 :List(UInt32);         # topologies marked main, ascending
  numberDigestLow @4 :UInt64;     # the part of the digest that numbers have
  numberDigestHigh @5 :UInt64;
}

struct Section {
  offset @0 :UInt64;              # in the file
  bytes @1 :UInt64;
}

# ---- manifest ----

struct Manifest {
  node @0 :Data;
  generation @1 :UInt64;
  incarnation @2 :UInt32;
  durableLsn @3 :UInt64;
  cleanStop @4 :Bool;
  checkpoints @5 :List(Checkpoint);  # newest first
  segments @6 :List(Segment);        # ascending; the last one is in use
  testMode @7 :Bool;                 # created in test mode (L5)
  archives @8 :List(Text);           # since version 2: directories that segments were moved to
  absentFiles @9 :List(AbsentFile);  # of uploads/: named by the catalog, and not there
}

struct AbsentFile {
  sha256 @0 :Data;
  why @1 :UInt8;                     # 0 = retention had removed it where this was copied from;
                                     # 1 = missing where a backup was made without it
}

struct Checkpoint {
  lsn @0 :UInt64;
  graph @1 :FileReference;
  catalog @2 :FileReference;
  recoveryBase @3 :Bool;
  published @4 :Bool;                # an item of the catalog names its LSN
  createdAt @5 :Int64;               # microseconds since 1970
  format @6 :UInt16;                 # since version 3: of the files; 0 = 1
}

struct FileReference {
  name @0 :Text;
  bytes @1 :UInt64;
  sha256 @2 :Data;
}

struct Segment {
  number @0 :UInt64;
  firstLsn @1 :UInt64;
  sealed @2 :Bool;
  bytes @3 :UInt64;                  # sealed segments: of the file
  chainHash @4 :Data;                # sealed segments: after the last frame
  archive @5 :UInt16;                # since version 2: archives[archive - 1]; 0 = journal/
  sha256 @6 :Data;                   # archived segments: of the file, unpacked
}
