#include "wal/checkpoint/read_only.hpp"

namespace netml::wal {

Result<ReadOnlyData> open_read_only(Storage& data, const Clock& clock, Parallel& parallel) {
  ReadOnlyData opened;
  NETML_TRY(opened.directory, open_data_directory(data));
  NETML_TRY(Recovered recovered, recover(opened.directory, clock, parallel, OnDamage::stop));
  if (recovered.earlier) opened.journal_bytes = recovered.earlier->bytes;
  for (const SegmentEntry& segment : recovered.manifest.segments)
    if (segment.sealed) opened.journal_bytes += segment.bytes;
  opened.manifest = std::move(recovered.manifest);
  opened.state = std::move(recovered.state);
  opened.head = recovered.head;
  opened.report = std::move(recovered.report);
  return opened;
}

}  // namespace netml::wal
