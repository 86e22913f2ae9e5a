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
  Impl(const ReadLimits& given, ReadOptions options)
      : limits(given), replay(std::move(options.replay)) {
    if (replay && BulkReader::serves(limits))
      bulk = std::make_unique<BulkReader>(limits, options.threads);
    else
      strict.emplace(limits);
  }

  // Leaves the bulk path: the strict path reads all that was fed before the call under way.
  void start_again();

  const ReadLimits limits;
  ReplaySource replay;
  std::unique_ptr<BulkReader> bulk;
  std::optional<StrictReader> strict;
  std::uint64_t fed = 0;  // before the call under way
};

void NetmlReader::Impl::start_again() {
  bulk.reset();
  strict.emplace(limits);
  std::uint64_t missing = fed;
  const Status status =
      missing == 0 ? Status() : replay([this, &missing](std::span<const std::byte> bytes) {
        bytes = bytes.first(std::min<std::uint64_t>(bytes.size(), missing));
        strict->feed(bytes);
        missing -= bytes.size();
        return missing > 0 && !strict->stopped();
      });
  if (strict->stopped() || (status && missing == 0)) return;
  strict->abandon("replay-failed",
                  fmt::format("the file could not be read again from its start: {}",
                              status ? "it has become shorter" : status.error().message));
}

NetmlReader::NetmlReader(const ReadLimits& limits, ReadOptions options)
    : impl_(std::make_unique<Impl>(limits, std::move(options))) {}
NetmlReader::~NetmlReader() = default;
NetmlReader::NetmlReader(NetmlReader&&) noexcept = default;
NetmlReader& NetmlReader::operator=(NetmlReader&&) noexcept = default;

void NetmlReader::feed(std::span<const std::byte> bytes) {
  if (impl_->bulk && !impl_->bulk->feed(bytes)) impl_->start_again();
  if (impl_->strict) impl_->strict->feed(bytes);
  impl_->fed += bytes.size();
}

bool NetmlReader::stopped() const {
  return impl_->strict && impl_->strict->stopped();
}

bool NetmlReader::in_bulk() const {
  return impl_->bulk != nullptr;
}

ReadResult NetmlReader::finish() {
  if (impl_->bulk) {
    if (std::optional<engine::Document> document = impl_->bulk->finish())
      return *std::move(document);
    impl_->start_again();
  }
  return impl_->strict->finish();
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
