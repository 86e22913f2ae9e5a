#include "codecs/netml/netml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "codecs/netml/bulk/bulk_reader.hpp"
#include "codecs/netml/strict/strict_reader.hpp"

namespace netml::codecs {

NetmlReader::NetmlReader(const ReadLimits& limits, ReadOptions options)
    : limits_(limits), replay_(std::move(options.replay)) {
  if (replay_ && BulkReader::serves(limits_))
    bulk_ = std::make_unique<BulkReader>(limits_, options.threads, options.bytes);
  else
    strict_ = std::make_unique<StrictReader>(limits_);
}
NetmlReader::~NetmlReader() = default;

// Leaves the bulk path: the strict path reads all that was fed before the call under way.
void NetmlReader::start_again() {
  bulk_.reset();
  strict_ = std::make_unique<StrictReader>(limits_);
  std::uint64_t missing = fed_;
  const Status status =
      missing == 0 ? Status() : replay_([this, &missing](std::span<const std::byte> bytes) {
        bytes = bytes.first(std::min<std::uint64_t>(bytes.size(), missing));
        strict_->feed(bytes);
        missing -= bytes.size();
        return missing > 0 && !strict_->stopped();
      });
  if (strict_->stopped() || (status && missing == 0)) return;
  strict_->abandon("replay-failed",
                   fmt::format("the file could not be read again from its start: {}",
                               status ? "it has become shorter" : status.error().message));
}

void NetmlReader::feed(std::span<const std::byte> bytes) {
  if (bulk_ && !bulk_->feed(bytes)) start_again();
  if (strict_) strict_->feed(bytes);
  fed_ += bytes.size();
}

bool NetmlReader::stopped() const {
  return strict_ && strict_->stopped();
}

ReadResult NetmlReader::finish() {
  if (bulk_) {
    if (std::optional<engine::Document> document = bulk_->finish()) return *std::move(document);
    start_again();
  }
  return strict_->finish();
}

}  // namespace netml::codecs
