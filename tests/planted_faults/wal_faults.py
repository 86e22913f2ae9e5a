"""Faults that the durability tests must find: each makes one step of wal/ wrong."""

from fault import Area, Fault, Run

FAULTS = [
    # ---- when a change is acknowledged ----
    Fault("a group is acknowledged without a sync", "S1", "wal/journal/journal_writer.cpp",
          "NETML_TRY_VOID(file_->sync_data());\n  durable_ = last_closed();",
          "durable_ = last_closed();"),
    Fault("a change is shown before its sync", "S1", "wal/commit/commit_log.cpp",
          "  if (!unsynced_) return {};\n  NETML_TRY_VOID(latching",
          "  if (!unsynced_) return {};\n  head_ = next_;\n  NETML_TRY_VOID(latching"),
    Fault("a group is acknowledged before it is written", "S2", "wal/journal/journal_writer.cpp",
          "  NETML_TRY_VOID(flush());\n  NETML_TRY_VOID(file_->sync_data());\n  durable_",
          "  NETML_TRY_VOID(file_->sync_data());\n  durable_"),
    # ---- segments ----
    Fault("a new segment gets its name before it is durable", "S3",
          "wal/journal/journal_writer.cpp",
          "  NETML_TRY_VOID(file_->sync());\n"
          "  NETML_TRY_VOID(journal_.rename(kUnfinished, segment_name(header)));",
          "  NETML_TRY_VOID(journal_.rename(kUnfinished, segment_name(header)));\n"
          "  NETML_TRY_VOID(file_->sync());"),
    Fault("a new segment is not synced before it has its name", "S3",
          "wal/journal/journal_writer.cpp",
          "  NETML_TRY_VOID(file_->sync());\n  NETML_TRY_VOID(journal_.rename",
          "  NETML_TRY_VOID(journal_.rename"),
    Fault("the name of a new segment is not synced", "S3", "wal/journal/journal_writer.cpp",
          "  return journal_.sync();", "  return {};"),
    Fault("a full segment is cut before it is synced", "S3", "wal/journal/journal_writer.cpp",
          "  NETML_TRY_VOID(file_->sync_data());\n  NETML_TRY_VOID(file_->truncate(offset_));",
          "  NETML_TRY_VOID(file_->truncate(offset_));"),
    Fault("a full segment is not synced", "S3", "wal/journal/journal_writer.cpp",
          "  NETML_TRY_VOID(file_->sync_data());\n  NETML_TRY_VOID(file_->truncate(offset_));\n"
          "  return file_->sync();",
          "  return file_->truncate(offset_);"),
    Fault("a full segment is not sealed", "S3", "wal/journal/journal_writer.cpp",
          "    return put_aside({FrameKind::seal, 0, payload});", "    return Status();"),
    # ---- frames ----
    Fault("the checksum of a frame's header is not looked at", "J4", "wal/format/frame.cpp",
          "  if (load<std::uint32_t>(bytes, kFrameHeaderCrcAt) != header_crc(bytes, place))\n"
          "    return std::nullopt;\n", ""),
    Fault("the checksum of a frame's header does not cover its place", "J4", "wal/format/frame.cpp",
          "  store(std::span(seed), 24, place.offset);\n", ""),
    Fault("the checksum of a frame's payload is not looked at", "J4", "wal/journal/segment.cpp",
          "  if (crc32c(frame.payload) != header->payload_crc) return std::nullopt;\n", ""),
    Fault("the chain of hashes is not looked at", "J5", "wal/journal/journal_walk.cpp",
          "  if (chain_.next(frame.header, frame.payload_hash) != frame.hash)", "  if (false)"),
    Fault("the checksum of a segment's header is not looked at", "J2", "wal/journal/segment.cpp",
          "  if (load<std::uint32_t>(block, kSegmentCrcAt) != "
          "crc32c(block.first(kSegmentCrcAt)) ||\n      load",
          "  if (load"),
    # ---- torn tail or damage ----
    Fault("the journal ends at the first bad frame", "J6", "wal/checkpoint/recovery.cpp",
          "  if (expected > durable_) return {};", "  return {};"),
    Fault("frames do not tell what is durable", "J6", "wal/journal/journal_writer.cpp",
          "  header.durable = durable_;", "  header.durable = Lsn{};"),
    Fault("there is no watermark", "J6", "wal/journal/journal_writer.cpp",
          "  NETML_TRY_VOID(put_aside({FrameKind::watermark, 0, {}}));\n", ""),
    Fault("the watermark shares a sector with what it speaks of", "J6",
          "wal/journal/journal_writer.cpp",
          "      offset_ % format::kSectorBytes != 0) {", "      false) {"),
    Fault("frames behind a bad one are not looked at", "J6", "wal/checkpoint/recovery.cpp",
          "    if (const std::optional<Lsn> later = walk.segment().durable_after(end.offset))\n"
          "      raise_durable(*later);\n", "    {}\n"),
    Fault("a missing segment is not missed", "J1", "wal/checkpoint/recovery.cpp",
          "    if (found == segments_.end() || found->first.lsn != entry.first_lsn)",
          "    if (false)"),
    Fault("a checkpoint newer than the journal is not noticed", "J6", "wal/checkpoint/recovery.cpp",
          "    durable_ = std::max(durable_, entry.lsn);\n", ""),
    # ---- recovery ----
    Fault("the tail is not written again", "J6", "wal/checkpoint/recovery.cpp",
          "  if (!above_durable_.empty()) {\n    const TailFrame",
          "  above_durable_.clear();\n  if (!above_durable_.empty()) {\n    const TailFrame"),
    Fault("a torn tail is not kept aside", "J6", "wal/checkpoint/recovery.cpp",
          "  if (tail.torn) NETML_TRY_VOID(quarantine(data, tail, report));\n", ""),
    Fault("a start believes names that may not be durable", "S3", "wal/commit/store.cpp",
          "  NETML_TRY_VOID(root_.sync());\n  NETML_TRY_VOID(data_.journal->sync());\n", ""),
    Fault("a start counts a seal that may not be durable", "S3", "wal/checkpoint/recovery.cpp",
          "  std::uint64_t used = end.counted;", "  std::uint64_t used = end.offset;"),
    Fault("a cut transaction stays open", "J7", "wal/journal/journal_writer.cpp",
          "    return transaction_open() ? append_abort(abort_reason) : Status();",
          "    return {};"),
    # ---- errors ----
    Fault("writing goes on after a failed sync", "E2", "wal/commit/commit_log.cpp",
          "  if (!may_pass(error)) return error;\n", ""),
    Fault("what a full disk left is not overwritten", "E1", "wal/journal/journal_writer.cpp",
          "  NETML_TRY_VOID(file_->write(offset_, zeros));\n", ""),
    Fault("a group that failed stays in the next version", "E1",
          "wal/commit/commit_log.cpp",
          "  next_ = head_;\n  unsynced_ = false;\n  write_error_", "  write_error_"),
    # ---- manifests and other small files ----
    Fault("a manifest is not synced before it has its name", "S3", "wal/storage/storage.cpp",
          "    NETML_TRY_VOID(file->write(0, bytes));\n    NETML_TRY_VOID(file->sync());\n",
          "    NETML_TRY_VOID(file->write(0, bytes));\n"),
    Fault("the name of a manifest is not synced", "S3", "wal/storage/storage.cpp",
          "  NETML_TRY_VOID(storage.rename(temporary, name));\n  return storage.sync();",
          "  return storage.rename(temporary, name);"),
    Fault("a manifest is not read back", "S3", "wal/storage/storage.cpp",
          "  if (!std::ranges::equal(written, bytes))", "  if (false)"),
    Fault("a manifest overwrites the only other one", "K4", "wal/format/manifest.cpp",
          "  return kNames[generation % kNames.size()];", "  return kNames[generation % 1];"),
    Fault("the checksum of a manifest is not looked at", "K4", "wal/format/manifest.cpp",
          "  if (load<std::uint32_t>(bytes, kManifestPayloadCrcAt) != crc32c(payload))",
          "  if (false)"),
    # ---- checkpoints ----
    Fault("a checkpoint is not synced before it has its name", "K1",
          "wal/checkpoint/detail/chunk_file.cpp",
          "  NETML_TRY_VOID(file_->sync());\n", ""),
    Fault("the name of a checkpoint is not synced", "K1", "wal/checkpoint/detail/chunk_file.cpp",
          "  NETML_TRY_VOID(directory_->sync());\n", ""),
    Fault("a checkpoint is not read back", "K1", "wal/checkpoint/detail/chunk_file.cpp",
          "  NETML_TRY_VOID(verify_chunk_file(*directory_, temporary_name(name_), reference, "
          "parallel));\n",
          "  static_cast<void>(parallel);\n"),
    Fault("the checksum of a chunk is not looked at", "K1", "wal/checkpoint/detail/chunk_file.cpp",
          "  if (crc32c(payload) != payload_crc) return damaged(\"the chunk is damaged\");\n", ""),
    Fault("a checkpoint that the other manifest names is deleted", "K4",
          "wal/commit/checkpoint_set.cpp",
          "      if (!names_file(manifest_.checkpoints, file) &&\n"
          "          !names_file(previous_manifest_->checkpoints, file))\n        deleted",
          "      if (!names_file(manifest_.checkpoints, file))\n        deleted"),
    Fault("a piece of a mapped graph is shown unchecked", "P4",
          "wal/checkpoint/detail/graph_body.cpp",
          "  if (!good_[piece].load(std::memory_order_acquire)) check(piece);\n", ""),
    Fault("the keys of a mapped graph are not proved", "K1", "wal/checkpoint/graph_file.cpp",
          " || !proof.keys_agree()", ""),
    Fault("only one checkpoint is kept", "K5", "wal/commit/checkpoint_set.cpp",
          "std::max<std::size_t>(options_.checkpoints_kept, 2);", "1;"),
]

RUNS = (
    Run("crash_tests", "Crash.*:Damage.*-*OverRotation*"),
    Run("wal_tests"),
    Run("crash_tests", "*OverRotation*:RandomCrashes.*"),
)

AREA = Area("wal", FAULTS, RUNS)
