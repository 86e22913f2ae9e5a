#include "admin/receipts/receipts.hpp"

#include <fmt/format.h>

#include <optional>
#include <span>
#include <utility>

#include "admin/base/build_info.hpp"
#include "engine/base/guarded.hpp"
#include "engine/base/sha256.hpp"
#include "net/http/body_sources.hpp"
#include "net/http/observed_source.hpp"

namespace netml::admin {

namespace {

constexpr std::size_t kHashesMax = 256;
constexpr std::uint64_t kBytesOfHash = 256;

// Every answer that is observed is a stream.
net::StreamBody as_stream(net::Body body) {
  if (auto* const file = std::get_if<net::FileBody>(&body)) {
    const std::uint64_t length = file->length;
    return {net::file_source(std::move(*file)), length, true};
  }
  auto* const stream = std::get_if<net::StreamBody>(&body);
  NETML_ASSERT(stream != nullptr);
  return std::move(*stream);
}

}  // namespace

// Hashes what goes by, unless its hash is known, and leaves the receipt in the end.
class Receipts::Observed final : public net::ObservedSource {
 public:
  Observed(Receipts& receipts, std::unique_ptr<net::BodySource> source, Receipt receipt,
           std::string content)
      : receipts_(receipts),
        source_(std::move(source)),
        receipt_(std::move(receipt)),
        content_(std::move(content)),
        known_(receipts.hashes_.find(content_)) {}

  Result<std::string_view> next() override {
    auto piece = source_->next();
    if (!piece) return piece;
    receipt_.bytes += piece->size();
    if (known_ == nullptr) {
      if (!hasher_) hasher_.emplace();
      hasher_->add(std::as_bytes(std::span(*piece)));
    }
    return piece;
  }

  void sent() noexcept override {
    static_cast<void>(guarded([&]() -> Status {
      if (known_ == nullptr) {
        known_ = std::make_shared<const std::string>(to_hex(hasher_->finish()));
        receipts_.hashes_.store(content_, known_);
      }
      receipt_.sha256 = *known_;
      receipts_.leave(std::move(receipt_));
      return {};
    }));
  }

 private:
  Receipts& receipts_;
  const std::unique_ptr<net::BodySource> source_;
  Receipt receipt_;
  const std::string content_;
  std::shared_ptr<const std::string> known_;  // hash of the content
  std::optional<Sha256Hasher> hasher_;        // while nothing is known of it
};

Receipts::Receipts(Node& node, std::uint64_t bytes_max)
    : node_(node),
      files_(node.directory(), bytes_max),
      hashes_(node.memory(), {.values_max = kHashesMax},
              [](const std::string&) { return kBytesOfHash; }) {}

net::Body Receipts::observed(net::Body body, Receipt delivery, const ExportBasis& basis,
                             std::string content) {
  if (!node_.writable()) return body;
  delivery.head = basis.head;
  delivery.published = basis.published;
  if (basis.view != nullptr) {
    delivery.view = basis.view->name;
    delivery.view_sha256 = view_hash(*basis.view);
    delivery.pseudonym_key = pseudonym_key_name(node_);
  }
  delivery.version = cli::build_info().version;
  net::StreamBody stream = as_stream(std::move(body));
  stream.source = std::make_unique<Observed>(*this, std::move(stream.source), std::move(delivery),
                                             std::move(content));
  return stream;
}

Result<Receipt> Receipts::find(std::uint64_t number) {
  NETML_TRY(ReceiptFiles::Reader reader, files_.read());
  if (auto found = reader.find(number)) return *std::move(found);
  return fail(Errc::not_found, fmt::format("there is no receipt {}", number));
}

void Receipts::leave(Receipt receipt) {
  receipt.time = node_.clock().wall().instant();
  note(files_.append(receipt), receipt);
}

// A full disk would otherwise have a line for each poll.
void Receipts::note(const Status& written, const Receipt& receipt) {
  std::uint64_t lost = 0;
  {
    const std::lock_guard lock(mutex_);
    lost = written ? std::exchange(lost_, 0) : ++lost_;
  }
  if (!written && lost == 1)
    node_.events().warning("receipt", fmt::format("what was delivered to \"{}\" has no receipt: {}",
                                                  receipt.client, written.error().text()));
  if (written && lost > 0)
    node_.events().information(
        "receipt", fmt::format("receipts are written again; {} deliveries have none", lost));
}

std::string pseudonym_key_name(const Node& node) {
  const auto mac = node.secrets().mac("name in receipts of the key of pseudonyms");
  constexpr std::size_t kNameBytes = 8;
  return to_hex(std::span(mac).first(kNameBytes));
}

std::string view_hash(const engine::StoredView& stored) {
  return to_hex(Sha256Hasher().hash(std::as_bytes(std::span(stored.view))));
}

}  // namespace netml::admin
