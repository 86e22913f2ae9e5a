"""Faults that bench/cluster-check must find: each breaks one promise of docs/cluster.md. Beside
each stands what is struck while it is looked for; nothing: all kinds of faults in turn."""

from typing import NamedTuple

from fault import Fault

CLUSTER, POSTGRES, GATE = "wal/cluster/", "wal/postgres/", "admin/cluster/"
SCHEMA = POSTGRES + "detail/schema.cpp"
SESSION = POSTGRES + "detail/session.cpp"


class Planted(NamedTuple):
    name: str
    places: tuple  # of Fault: all of them at once
    strikes: str = ""


def plant(name, *places, strikes=""):
    return Planted(name, tuple(Fault(name, "cluster", *place) for place in places), strikes)


FAULTS = [
    # Not even the epoch, by which a late append of an earlier lease would still be known.
    plant("no head check",
          (SCHEMA, "WHERE lsn = lsn_before AND chain = chain_before AND epoch = of_epoch;",
           "WHERE true;"),
          strikes="slow backend"),
    plant("LSN without hash",
          (GATE + "gate.cpp", "if (hash == wanted->chain) return std::nullopt;",
           "if (hash != Sha256{}) return std::nullopt;")),
    plant("no epoch",
          (SCHEMA, " AND chain = chain_before AND epoch = of_epoch;", " AND chain = chain_before;"),
          strikes="slow backend"),
    plant("no barrier",
          (CLUSTER + "leader.cpp", "  return resolve(ours);\n",
           "  const Result<SharedHead> found = log_->head();\n"
           "  return found ? decide(ours, found->head) : resolve(ours);\n"),
          strikes="slow backend"),
    plant("warning ignored",
          (SESSION, "  if (answers.warning)\n", "  if (answers.warning && given > 1000)\n"),
          (SESSION, "  if (!still.truth(0, 0) || (mark.truth(0, 0) && !still.truth(0, 1)))\n",
           "  if (given > 1000 &&\n"
           "      (!still.truth(0, 0) || (mark.truth(0, 0) && !still.truth(0, 1))))\n"),
          strikes="lose unconfirmed"),
    plant("lease by own clock",
          (CLUSTER + "membership.cpp",
           "  NETML_TRY(SharedLog* const log, asking_log());\n  const Leased renewed",
           "  if (member_.standing().role() == Role::leader) return writer_->published().head;\n"
           "  NETML_TRY(SharedLog* const log, asking_log());\n  const Leased renewed"),
          (CLUSTER + "lease_keeper.cpp",
           "  if (renewed.outcome == Outcome::done) until_ =",
           "  if (renewed.outcome != Outcome::refused) until_ ="),
          strikes="cut leader from database"),
    plant("answer before flush",
          (SESSION, "  all.insert(all.end(), {{kMark}, {\"COMMIT\"}, {kStill}});",
           "  all.insert(all.end(), {{\"SET synchronous_commit = off\"}, {kMark}, {\"COMMIT\"}, "
           "{kStill}});"),
          (SESSION, "  constexpr std::size_t kBehind = 3;", "  constexpr std::size_t kBehind = 4;"),
          (SESSION, "rows[rows.size() - kBehind];", "rows[rows.size() - 3];"),
          strikes="lose primary"),
    plant("upload after head",
          (CLUSTER + "leader.cpp", "  ours.files = *small;\n", ""),
          (CLUSTER + "leader.cpp",
           "  if (appended.outcome == Outcome::done) {\n    standing_.note_group(group.after);\n",
           "  if (appended.outcome == Outcome::done) {\n"
           "    for (const SharedFile& file : *small)\n"
           "      static_cast<void>(log_->put_upload(file.upload, 0, file.bytes).has_value());\n"
           "    standing_.note_group(group.after);\n")),
    # What is not compressed, as the decompressor would notice most of it.
    plant("follower applies unverified",
          (POSTGRES + "detail/payload.cpp", "  if (!is_worth_packing(piece.size(), size)) return",
           "  if (size > 0) return"),
          ("wal/commit/incoming_group.cpp",
           "  if (crc32c(frame.payload) != frame.header.payload_crc)\n",
           "  if (crc32c(frame.payload) != frame.header.payload_crc && offset_ > (1ULL << 60))\n"),
          ("wal/commit/incoming_group.cpp",
           "  if (chain_.next(frame.header, frame.payload_hash) != frame.hash)\n",
           "  if (chain_.next(frame.header, frame.payload_hash) != frame.hash &&\n"
           "      offset_ > (1ULL << 60))\n"),
          ("wal/journal/replay.cpp", "  if (!(commit.totals == totals_))",
           "  if (!(commit.totals == totals_) && lsn.value > (1ULL << 60))"),
          ("wal/journal/replay.cpp", "  if (!(next.digest() == commit.digest))",
           "  if (!(next.digest() == commit.digest) && lsn.value > (1ULL << 60))"),
          strikes="damage rows"),
    plant("token ignored",
          (GATE + "gate.cpp", "  if (given == 0) return std::nullopt;",
           "  if (given < 1000) return std::nullopt;")),
    plant("poll by two leaders",
          ("admin/server/serve.cpp", "  return [member] { return member->cluster().leads(); };",
           "  return [] { return true; };"),
          strikes="zombie"),
    plant("retry appends twice",
          (POSTGRES + "append.cpp",
           "    case Fate::in_doubt:\n"
           "      return {Outcome::unknown, {}, std::move(written.error.message)};",
           "    case Fate::in_doubt:\n      return append_if(append);"),
          (CLUSTER + "leader.cpp",
           "  if (appended.outcome == Outcome::refused && appended.found.head != group.after) {",
           "  if (appended.outcome == Outcome::refused) {"),
          strikes="break waits"),
]
