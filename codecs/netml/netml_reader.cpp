#include "codecs/netml/netml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "codecs/netml/bulk/bulk_reader.hpp"
#include "codecs/netml/strict/strict_reader.hpp"

namespace netml::codecs {

// On one of the two paths: on the bulk path at first, if there is a way back from it.
class NetmlReader::Impl {
 public:
  Impl(const ReadLimits& limits, ReadOptions options)
      : limits_(limits), replay_(std::move(options.replay)) {
    if (replay_ && BulkReader::serves(limits))
      bulk_ = std::make_unique<BulkReader>(limits, options.threads);
    else
      strict_.emplace(limits);
  }

  void feed(std::span<const std::byte> bytes);
  bool stopped() const { return strict_ && strict_->stopped(); }
  bool in_bulk() const { return bulk_ != nullptr; }
  ReadResult finish();

 private:
  void start_again();

  const ReadLimits limits_;
  ReplaySource replay_;
  std::unique_ptr<BulkReader> bulk_;
  std::optional<StrictReader> strict_;
  std::uint64_t fed_ = 0;  // before the call under way
};

void NetmlReader::Impl::feed(std::span<const std::byte> bytes) {
  if (bulk_ && !bulk_->feed(bytes)) start_again();
  if (strict_) strict_->feed(bytes);
  fed_ += bytes.size();
}

// Leaves the bulk path: the strict path reads all that was fed before this call.
void NetmlReader::Impl::start_again() {
  bulk_.reset();
  strict_.emplace(limits_);
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

ReadResult NetmlReader::Impl::finish() {
  if (bulk_) {
    if (std::optional<engine::Document> document = bulk_->finish()) return *std::move(document);
    start_again();
  }
  return strict_->finish();
}

NetmlReader::NetmlReader(const ReadLimits& limits, ReadOptions options)
    : impl_(std::make_unique<Impl>(limits, std::move(options))) {}
NetmlReader::~NetmlReader() = default;
NetmlReader::NetmlReader(NetmlReader&&) noexcept = default;
NetmlReader& NetmlReader::operator=(NetmlReader&&) noexcept = default;

void NetmlReader::feed(std::span<const std::byte> bytes) {
  impl_->feed(bytes);
}
bool NetmlReader::stopped() const {
  return impl_->stopped();
}
bool NetmlReader::in_bulk() const {
  return impl_->in_bulk();
}
ReadResult NetmlReader::finish() {
  return impl_->finish();
}

ReadResult read_netml(std::string_view text, const ReadLimits& limits, unsigned threads) {
  const auto bytes = std::as_bytes(std::span(text));
  const auto replay = [bytes](const ByteSink& sink) {
    sink(bytes);
    return Status();
  };
  NetmlReader reader(limits, {replay, threads});
  reader.feed(bytes);
  return reader.finish();
}

}  // namespace netml::codecs
